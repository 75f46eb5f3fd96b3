/// \file
/// Sums over neighbouring threads of a warp.
#pragma once

namespace galerna::kernels {

/// Over `threads` threads of a GPU that lie side by side, a power of two; the same bits in all of them.
template <int threads, class Real>
Real side_sum(Real value) {
#pragma unroll
  for (int distance = 1; distance < threads; distance *= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

}  // namespace galerna::kernels
