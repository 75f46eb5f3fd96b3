/// \file
/// Instructions of GPUs that have no name in C++. Tests on the CPU put functions of their own in their place
/// (tests/dg/gpu_emulator.hpp).
#pragma once

#include "kernels/fetch_line.hpp"
#include "kernels/matrix_units.hpp"

#ifdef __CUDA_ARCH__
namespace galerna::kernels {

/// Begins to copy 8 or 16 bytes from memory to shared memory, through the first-level cache: for what other warps of
/// the multiprocessor read at about the same time.
template <int bytes>
void copy_ahead_cached(void* shared, const void* from) {
  const auto to = unsigned(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes) : "memory");
}

/// The same for what nobody else reads soon: 16 bytes go past the first-level cache.
template <int bytes>
void copy_ahead(void* shared, const void* from) {
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(shared))),
                 "l"(from)
                 : "memory");
  else
    copy_ahead_cached<bytes>(shared, from);
}

/// Copies that this thread has begun since the last call make a group.
inline void end_copy_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits for all groups of this thread but the `newest` last ones.
template <int newest>
void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(newest) : "memory");
}

/// The same number; what is computed of it, inside of a loop, is computed in each turn, so that no registers are taken
/// for it meanwhile.
inline unsigned recomputed(unsigned number) {
  asm volatile("" : "+r"(number));
  return number;
}

}  // namespace galerna::kernels
#endif
