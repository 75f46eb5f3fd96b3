/// \file
/// Products of small matrices in double precision on GPUs. Tests on the CPU put a function of their own in its place
/// (tests/dg/gpu_emulator.hpp).
#pragma once

#ifdef __CUDA_ARCH__
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

/// The same of 8 × 4 numbers: A_{g,t}, and of C row g.
inline void matrix_multiply_add(double& c0, double& c1, double a, double b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c0), "+d"(c1)
      : "d"(a), "d"(b));
#endif
}

}  // namespace galerna::kernels
#endif
