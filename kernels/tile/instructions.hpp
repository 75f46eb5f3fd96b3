/// \file
/// Instructions of GPUs that have no name in C++. Tests on the CPU put functions of their own in their place
/// (tests/dg/gpu_emulator.hpp).
#pragma once

#ifdef __CUDACC_RTC__
namespace galerna::kernels {

/// C += A B by one warp, A of 16 × 4 numbers, B of 4 × 8; lane 4 g + t holds A_{g,t} and A_{g+8,t}, B_{t,g}, and of C
/// rows g (c0, c1) and g + 8 (c2, c3), columns 2t and 2t + 1.
inline void matrix_multiply_add(double& c0, double& c1, double& c2, double& c3, double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c0), "+d"(c1), "+d"(c2), "+d"(c3)
      : "d"(a0), "d"(a1), "d"(b));
#endif
}

/// Asks the second-level cache for the line of memory at `address`.
inline void fetch_line(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// Begins to copy 8 or 16 bytes from memory to shared memory.
template <int bytes>
void copy_ahead(void* shared, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(unsigned(__cvta_generic_to_shared(shared))), "l"(from),
               "n"(bytes)
               : "memory");
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
