/// \file
/// The program by which ranks on GPUs exchange numbers.
#pragma once

#include "device/program.hpp"

namespace galerna::dg {

/// The kernel exchange_numbers (kernels/rank_exchange.hpp), for Cuda.
device::ProgramSource exchange_program(device::Precision precision);

}  // namespace galerna::dg
