#include "solver/newton_settings.hpp"

#include "base/error.hpp"

namespace galerna::solver {

std::optional<steady::NewtonSettings> newton_settings(const case_file::Settings& settings) {
  const auto& newton = settings.time.newton;
  if (!newton) return {};
  using enum steady::Preconditioning;
  steady::NewtonSettings result;
  result.first_cfl = newton->first_cfl;
  result.preconditioner = newton->preconditioner == "none"     ? none
                          : newton->preconditioner == "blocks" ? blocks
                          : newton->preconditioner == "lines"  ? lines
                                                               : ilu;
  return result;
}

void require_precision(const case_file::Settings& settings, device::Precision precision) {
  if (settings.time.newton && precision != device::Precision::double_precision)
    throw InputError({settings.file.string()},
                     "time.scheme = \"newton\" needs --precision double: its products are differences of right-hand "
                     "sides");
}

}  // namespace galerna::solver
