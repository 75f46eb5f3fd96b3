#include "solver/case_warnings.hpp"

namespace galerna::solver {

std::vector<files::Report::Warning> case_warnings(const case_file::Settings& settings) {
  std::vector<files::Report::Warning> warnings;
  if (settings.shock && settings.shock->method == "filter" && settings.time.seeks_steady())
    warnings.push_back({"filter-of-steady-flow",
                        "shock.method",
                        "shock.method = \"filter\": the filter switches from step to step at shocks, so that a steady "
                        "state may never be reached; set time.max_steps or time.end",
                        {}});
  return warnings;
}

}  // namespace galerna::solver
