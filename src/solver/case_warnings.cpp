#include "solver/case_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "base/toml_key.hpp"
#include "case/registry.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"
#include "solver/given_flow.hpp"
#include "solver/initial_jumps.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {
namespace {

/// Walls whose temperature is more than so many times that of the gas, or less by as much, are seldom meant.
constexpr double far_temperature = 20;

/// p/ρ of the initial state at the origin, where it can be computed.
std::optional<double> initial_temperature(const case_file::Settings& settings) {
  const auto& formulas = settings.initial.formulas;
  if (!settings.equations.gas || formulas.empty()) return {};
  std::vector<double> state;
  for (const case_file::Formula& formula : formulas) state.push_back(formula(0, 0, 0, 0));
  const case_file::EquationSettings& equations = settings.equations;
  const double pressure =
      settings.initial.primitive ? state.back() : euler_pressure(state.data(), equations.dimension, equations.gamma);
  const double temperature = pressure / state.front();
  return std::isfinite(temperature) && temperature > 0 ? std::optional(temperature) : std::nullopt;
}

void warn_of_temperatures(const case_file::Settings& settings, std::vector<files::Report::Warning>& warnings) {
  const std::optional<double> gas = initial_temperature(settings);
  if (!gas) return;
  const auto look = [&](const char* warning, const std::string& key, const std::string& shown, double given) {
    const double ratio = given / *gas;
    if (!(ratio > far_temperature || ratio < 1 / far_temperature)) return;
    warnings.push_back({warning,
                        key,
                        fmt::format("{} = {:.6g}, but that of the initial state is {:.6g}: temperature is p/ρ, not "
                                    "kelvin",
                                    shown, given, *gas),
                        {}});
  };
  for (const case_file::BoundarySettings& boundary : settings.boundaries)
    for (const char* key : {"temperature", "total_temperature"})
      if (const auto given = boundary.values.find(key); given != boundary.values.end())
        look(std::string_view(key) == "temperature" ? "far-wall-temperature" : "far-total-temperature",
             fmt::format("boundary.{}.{}", boundary.name, key),
             fmt::format("boundary.{}.{}", toml_key(boundary.name), key), given->second(0, 0, 0, 0));
  if (const auto& viscous = settings.equations.viscous; viscous && viscous->sutherland)
    look("far-reference-temperature", "equations.reference_temperature", "equations.reference_temperature",
         viscous->reference_temperature);
}

}  // namespace

std::vector<files::Report::Warning> case_warnings(const case_file::Settings& settings) {
  std::vector<files::Report::Warning> warnings;
  if (settings.shock && settings.shock->method == "filter" && settings.time.seeks_steady())
    warnings.push_back({"filter-of-steady-flow",
                        "shock.method",
                        "shock.method = \"filter\": the filter switches from step to step at shocks, so that a steady "
                        "state may never be reached; set time.max_steps or time.end",
                        {}});
  warn_of_temperatures(settings, warnings);
  return warnings;
}

std::vector<files::Report::Warning> lift_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  const auto lifts = [](const case_file::BoundarySettings& b) { return b.lift_centre.has_value(); };
  const auto far = std::find_if(settings.boundaries.begin(), settings.boundaries.end(), lifts);
  if (far == settings.boundaries.end() || mesh.dimension == 3) return {};
  std::map<mesh::Index, int> sides_at;  // [corner] of walls
  std::map<mesh::Index, std::string> wall_at;
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    const auto named = [&](const case_file::BoundarySettings& b) { return b.name == boundary.name; };
    const auto found = std::find_if(settings.boundaries.begin(), settings.boundaries.end(), named);
    if (found == settings.boundaries.end()) continue;
    const case_file::BoundaryEntry* type = case_file::find_entry(case_file::boundary_types(), found->type);
    if (!type || !type->wall) continue;
    for (const mesh::Side& side : boundary.sides)
      for (const mesh::Index corner : mesh::corners_of(mesh, side)) ++sides_at[corner], wall_at[corner] = boundary.name;
  }
  const auto end = std::find_if(sides_at.begin(), sides_at.end(), [](const auto& at) { return at.second % 2 == 1; });
  if (end == sides_at.end()) return {};
  const mesh::Point& place = mesh.nodes[static_cast<std::size_t>(end->first)];
  return {{"lift-of-open-wall",
           "boundary." + far->name + ".lift_centre",
           fmt::format("boundary.{}.lift_centre: wall '{}' ends at {}. The pressure of the free stream on such a wall "
                       "counts as lift: leave lift_centre out, unless all walls are bodies with fluid all round",
                       toml_key(far->name), wall_at[end->first], mesh::to_text(place, 2)),
           {}}};
}

std::vector<files::Report::Warning> start_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                                   bool restarts) {
  std::vector<files::Report::Warning> all;
  for (const auto& found : {case_warnings(settings), lift_warnings(settings, mesh), direction_warnings(settings, mesh),
                            sliding_warnings(settings, mesh), supersonic_warnings(settings, mesh, restarts),
                            restarts ? std::vector<files::Report::Warning>() : jump_warnings(settings, mesh)})
    all.insert(all.end(), found.begin(), found.end());
  return all;
}

}  // namespace galerna::solver
