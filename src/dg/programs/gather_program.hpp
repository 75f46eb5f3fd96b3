/// \file
/// The program that takes elements out of states, for files.
#pragma once

#include "device/program.hpp"

namespace galerna::dg {

/// The kernel gather_numbers (kernels/gather.hpp), for Cuda: the same for all flows.
device::ProgramSource gather_program();

}  // namespace galerna::dg
