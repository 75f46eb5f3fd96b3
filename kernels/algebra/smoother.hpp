/// \file
/// Block Jacobi: inverses of the diagonal blocks, and the steps of polynomial smoothers with them.
#pragma once

#include "kernels/algebra/items.hpp"

namespace galerna::kernels::algebra {

/// Where entry (r, c) of an inverse of n rows is: by columns on the GPU, where neighbouring threads compute
/// neighbouring rows; by rows on the CPU.
inline int place(int r, int c, int n) {
#ifdef __CUDACC_RTC__
  return c * n + r;
#else
  return r * n + c;
#endif
}

/// Inverts a diagonal block by Gauss and Jordan, in double precision and without a search for pivots: diagonal blocks
/// of coercive forms are positive definite. A warp shares a block.
inline void invert(const InvertArguments& a, std::int64_t item) {
  const std::int64_t row = item / team;
  if (row >= a.rows.count) return;
  const int n = static_cast<int>(a.rows.first[row + 1] - a.rows.first[row]), rank = team_rank();
  const double* block = a.values + a.diagonals[row];
  double* s = a.scratch + a.offsets[row];
  for (int e = rank; e < n * n; e += team) s[e] = block[e];
  team_sync();
  for (int k = 0; k < n; ++k) {
    const double inverse = 1 / s[k * n + k];
    team_sync();
    for (int j = rank; j < n; j += team) s[k * n + j] *= j == k ? 0 : inverse;
    team_sync();
    for (int e = rank; e < n * n; e += team)
      if (e / n != k && e % n != k) s[e] -= s[e / n * n + k] * s[k * n + e % n];
    team_sync();
    for (int i = rank; i < n; i += team) s[i * n + k] = i == k ? inverse : -inverse * s[i * n + k];
    team_sync();
  }
  for (int e = rank; e < n * n; e += team)
    a.inverses[a.offsets[row] + place(e / n, e % n, n)] = static_cast<float>(s[e]);
}

/// One step of a smoother of the form d ← old d + fresh D⁻¹ r, x ← x + d.
template <class Pack>
void smooth(const SmoothArguments& a, std::int64_t item) {
  for_own_unknowns(item, a.rows, [&](std::int64_t row, int r) {
    const std::int64_t first = a.rows.first[row];
    const int n = static_cast<int>(a.rows.first[row + 1] - first);
    const float* inverse = a.inverses + a.offsets[row];
#ifdef __CUDACC_RTC__
    float correction = 0;
    for (int c = 0; c < n; ++c) correction += inverse[place(r, c, n)] * a.residual[first + c];
#else
    const float correction = dot<Pack>(n, inverse + place(r, 0, n), a.residual + first);
#endif
    const float direction = (a.begins ? 0 : a.old * a.direction[first + r]) + a.fresh * correction;
    a.direction[first + r] = direction;
    a.x[first + r] = (a.from_zero ? 0 : a.x[first + r]) + direction;
  });
}

}  // namespace galerna::kernels::algebra
