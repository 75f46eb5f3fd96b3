#include "solver/reference_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/planform.hpp"
#include "base/error.hpp"
#include "mesh/geometry.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {
namespace {

/// Walls that follow true shapes; without them those that close round bodies; without those all.
std::vector<std::string> body_of(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  const std::vector<std::string> walls = wall_names(settings);
  std::vector<std::string> shaped;
  for (const std::string& wall : walls)
    for (const case_file::CurveSettings& curve : settings.mesh.curves)
      if (curve.boundary == wall) shaped.push_back(wall);
  if (!shaped.empty()) return shaped;
  const std::vector<std::string> closed = analysis::closed_boundaries(mesh, walls);
  return closed.empty() ? walls : closed;
}

}  // namespace

std::string complete_reference(case_file::Settings& settings, const mesh::Mesh& mesh) {
  if (!settings.output.forces) return {};
  case_file::OutputSettings::Forces& forces = *settings.output.forces;
  const bool space = mesh.dimension == 3, no_area = space && forces.area == 0, no_length = forces.length == 0;
  if (!no_area && !no_length) return {};
  const std::vector<std::string> body = body_of(settings, mesh);
  const analysis::Planform planform = analysis::planform_of(mesh, body, forces.stream, forces.up);
  const auto take = [&](const char* key, double value) {
    if (!(value > 0))
      throw InputError({settings.file.string()},
                       fmt::format("the walls have no {0}: give output.forces.{0}, which forces are divided by", key));
    return value;
  };
  std::string text = fmt::format("coefficients: of {}", fmt::join(body, ", "));
  if (no_area) {
    forces.area = take("area", planform.area);
    text += fmt::format(", area {:.6g} seen along up", forces.area);
  }
  if (no_length) {
    forces.length = take("length", planform.chord);
    text += fmt::format(", {} {:.6g}", space ? "mean aerodynamic chord" : "chord", forces.length);
  }
  if (space)
    text += fmt::format(", span {:.6g}, a quarter of the mean chord at {}", planform.span,
                        mesh::to_text(planform.quarter, 3));
  return text + fmt::format("; moments about {}", mesh::to_text(forces.moment_centre, mesh.dimension));
}

}  // namespace galerna::solver
