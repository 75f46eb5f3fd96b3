#include "dg/entry.hpp"

#include <fmt/format.h>

namespace galerna::dg {

std::string residual_entry(int inputs, int outputs) {
  return fmt::format("residual_{}_{}", inputs, outputs);
}

}  // namespace galerna::dg
