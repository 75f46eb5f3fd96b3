/// \file
/// How GPUs of one host tell one another that numbers have come. Tests on the CPU put functions of their own in their
/// place (tests/dg/emulated_gpu_program.hpp).
#pragma once

#include "kernels/lane.hpp"

#ifdef __CUDA_ARCH__
namespace galerna::kernels {

/// Sets a flag, perhaps of another GPU: who sees it there sees all that was written before.
inline void raise_flag(std::int64_t* flag, std::int64_t count) {
  __threadfence_system();
  asm volatile("st.release.sys.global.s64 [%0], %1;" ::"l"(flag), "l"(count) : "memory");
}

/// Waits until a flag of this GPU's memory is `count` or more.
inline void await_flag(const std::int64_t* flag, std::int64_t count) {
  std::int64_t now;
  do asm volatile("ld.acquire.sys.global.s64 %0, [%1];" : "=l"(now) : "l"(flag) : "memory");
  while (now < count);
}

/// A number that another GPU has written: past the first-level cache.
template <class Number>
Number received(const Number* from) {
  return __ldcg(from);
}

}  // namespace galerna::kernels
#endif
