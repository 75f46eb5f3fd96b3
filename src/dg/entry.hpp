/// \file
/// Entry points of the programs of flows.
#pragma once

#include <string>

namespace galerna::dg {

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
