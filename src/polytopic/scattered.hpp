/// \file
/// Arrays of an assembly from scattered contributions (kernels/polytopic/scattered.hpp).
#pragma once

#include "kernels/polytopic/scattered.hpp"
#include "polytopic/discretization.hpp"

namespace galerna::polytopic {

/// What it needs beside the discretization's arrays.
struct Discretization::Scattered {
  kernels::polytopic::ScatteredArguments arguments{};
  std::unique_ptr<device::Memory> slots, keys, ids;
  std::int64_t facet_items = 0, padded = 0;
};

}  // namespace galerna::polytopic
