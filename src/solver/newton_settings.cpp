#include "solver/newton_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"

namespace galerna::solver {
namespace {

/// The one that takes most memory first.
constexpr std::pair<steady::Preconditioning, const char*> names[] = {{steady::Preconditioning::ilu, "ilu"},
                                                                     {steady::Preconditioning::lines, "lines"},
                                                                     {steady::Preconditioning::blocks, "blocks"},
                                                                     {steady::Preconditioning::none, "none"}};

}  // namespace

std::optional<steady::NewtonSettings> newton_settings(const case_file::Settings& settings) {
  const auto& newton = settings.time.newton;
  if (!newton) return {};
  steady::NewtonSettings result;
  result.first_cfl = newton->first_cfl;
  for (const auto& [preconditioner, name] : names)
    if (newton->preconditioner == name) result.preconditioner = preconditioner;
  return result;
}

std::string name_of(steady::Preconditioning preconditioner) {
  return std::find_if(std::begin(names), std::end(names),
                      [&](const auto& entry) { return entry.first == preconditioner; })
      ->second;
}

std::optional<steady::NewtonSettings> fitting_newton(const case_file::Settings& settings, const PlanWith& plans,
                                                     const dg::Spec& spec, std::size_t free) {
  std::optional<steady::NewtonSettings> newton = newton_settings(settings);
  if (!newton || free == 0 || settings.time.newton->preconditioner != "automatic") return newton;
  const auto bytes = [&](const steady::NewtonSettings& with) {
    return static_cast<double>(plans(with)(spec.degree, spec.precision).peak());
  };
  const double wanted = bytes(*newton), room = static_cast<double>(free);
  if (wanted <= room) return newton;
  constexpr int fewer_vectors = 60;
  for (const auto& [preconditioner, name] : names) {
    steady::NewtonSettings other = *newton;
    other.preconditioner = preconditioner;
    other.vectors = fewer_vectors;
    other.why = fmt::format("with ilu and {} vectors of GMRES the case needs {:.3g} GB, and {:.3g} GB are free",
                            newton->vectors, wanted / 1e9, room / 1e9);
    if (bytes(other) <= room) return other;
  }
  return newton;
}

void require_precision(const case_file::Settings& settings, device::Precision precision) {
  if (settings.time.newton && precision != device::Precision::double_precision)
    throw InputError({settings.file.string()},
                     "time.scheme = \"newton\" needs --precision double: its products are differences of right-hand "
                     "sides");
}

}  // namespace galerna::solver
