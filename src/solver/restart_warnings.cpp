#include "solver/restart_warnings.hpp"

#include <fmt/format.h>

#include <string>

#include "case/differences.hpp"

namespace galerna::solver {

std::string precision_name(device::Precision precision) {
  return precision == device::Precision::double_precision ? "double" : "single";
}

std::vector<files::Report::Warning> restart_warnings(const files::Checkpoint& checkpoint,
                                                     const case_file::Settings& settings, device::Precision precision) {
  constexpr std::size_t longest = 60;
  const auto said = [](const std::string& value) {
    return value.empty() ? "none" : value.size() > longest ? "another one" : value;
  };
  std::vector<files::Report::Warning> warnings;
  for (const case_file::Difference& d : case_file::differences(checkpoint.resolved_case, settings.resolved)) {
    const std::string now = d.now.size() > longest ? "that of this case" : said(d.now);
    warnings.push_back({"restart-with-another-case", d.key,
                        fmt::format("the run that wrote the checkpoint had {} = {}, this one goes on with {}", d.key,
                                    said(d.before), now)});
  }
  const std::string name = precision_name(precision);
  if (checkpoint.precision != name)
    warnings.push_back({"restart-with-another-case", "--precision",
                        fmt::format("the run that wrote the checkpoint had {} precision, this one goes on with {}",
                                    checkpoint.precision, name)});
  return warnings;
}

}  // namespace galerna::solver
