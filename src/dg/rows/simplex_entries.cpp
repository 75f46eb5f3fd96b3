#include "dg/rows/simplex_entries.hpp"

#include <fmt/format.h>

namespace galerna::dg {

std::vector<Entry> simplex_entries(const KernelRequest& request, const std::string& function) {
  std::vector<Entry> entries;
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back({residual_entry(inputs, outputs), "ResidualArguments",
                       fmt::format("{}<Config, {}, {}>", function, inputs, outputs),
                       request.spec.degree == 2 ? "128, 3" : "128"});
  return entries;
}

}  // namespace galerna::dg
