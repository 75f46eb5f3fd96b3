/// \file
/// Arrays of an assembly from scattered contributions (kernels/polytopic/scattered.hpp).
#pragma once

#include <cstdint>
#include <memory>

#include "device/device.hpp"
#include "kernels/polytopic/scattered.hpp"

namespace galerna::polytopic {

/// What it needs beside the discretization's arrays.
struct ScatteredArrays {
  kernels::polytopic::ScatteredArguments arguments{};
  std::unique_ptr<device::Memory> slots, keys, ids;
  std::int64_t facet_items = 0, padded = 0;
};

}  // namespace galerna::polytopic
