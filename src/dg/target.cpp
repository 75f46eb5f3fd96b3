#include "dg/target.hpp"

#include <fmt/format.h>

namespace galerna::dg {

Target target_of(const device::Device& device, device::Precision precision) {
  return {device.kind(), device.lanes(precision), device.matrix_units()};
}

std::string residual_entry(int inputs, int outputs) {
  return fmt::format("residual_{}_{}", inputs, outputs);
}

}  // namespace galerna::dg
