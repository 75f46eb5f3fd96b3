/// \file
/// Where a program is to run, and the entry points that it has.
#pragma once

#include <string>

#include "device/device.hpp"

namespace galerna::dg {

/// Where a program is to run.
struct Target {
  device::Kind kind;
  int lanes;  ///< elements in a block
  bool matrix_units = false;
};
Target target_of(const device::Device& device, device::Precision precision);

/// An entry point that calls `function` of kernels/ for each item with arguments of type `arguments`.
struct Entry {
  std::string name, arguments, function;
  std::string bounds = "128";  ///< Cuda: threads in a thread block and, if need be, thread blocks on a multiprocessor
  int threads = 1;             ///< Cuda: that share an element (kernels/element/thread_group.hpp), or of_block

  static constexpr int of_block = 0;  ///< Thread blocks find their elements themselves.
};

/// "residual_I_O"
std::string residual_entry(int inputs, int outputs);

}  // namespace galerna::dg
