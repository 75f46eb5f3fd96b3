/// \file
/// Tests on the CPU put a function of their own in its place (tests/dg/gpu_emulator.hpp).
#pragma once

#ifdef __CUDA_ARCH__
namespace galerna::kernels {

/// Asks the second-level cache for the line of memory at `address`.
inline void fetch_line(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

}  // namespace galerna::kernels
#endif
