/// \file
/// Block Jacobi as a change of basis: every diagonal block D is factored, D = L U, and the matrix, scaled by the
/// inverses of L and U from both sides, has ones on its diagonal blocks. That is done in double precision; what is
/// left, however different coefficients and however bad the bases are, is of order one and good for single precision.
#pragma once

#include "kernels/algebra/items.hpp"

namespace galerna::kernels::algebra {

/// Factors a diagonal block without a search for pivots: diagonal blocks of coercive forms have a positive definite
/// symmetric part. Where that is not so, pivots count by their size, and the factors are those of another block, which
/// is good enough for a preconditioner. A warp shares a block.
inline void factor(const FactorArguments& a, std::int64_t item) {
  const std::int64_t row = item / team;
  if (row >= a.factors.rows.count) return;
  const int n = size_of(a.factors.rows, row), rank = team_rank();
  double* f = a.factors.factors + a.factors.offsets[row];
  double* inverse = a.factors.inverses + a.factors.offsets[row];
  std::int64_t diagonal = a.begins[row];
  while (a.columns[diagonal] != row) ++diagonal;
  for (int e = rank; e < n * n; e += team) f[e] = a.values[a.offsets[diagonal] + e];
  team_sync();
  for (int k = 0; k < n; ++k) {
    const double root = sqrt(abs(f[k * n + k]));
    team_sync();
    for (int i = k + rank; i < n; i += team) {
      f[k * n + i] = i > k ? f[k * n + i] / root : root;
      if (i > k) f[i * n + k] /= root;
    }
    team_sync();
    const int left = n - k - 1;
    for (int e = rank; e < left * left; e += team) {
      const int i = k + 1 + e / left, j = k + 1 + e % left;
      f[i * n + j] -= f[i * n + k] * f[k * n + j];
    }
    team_sync();
  }
  // Column c of the inverse of L and row c of that of U.
  for (int c = rank; c < n; c += team) {
    inverse[c * n + c] = 1 / f[c * n + c];
    for (int r = c + 1; r < n; ++r) {
      double lower = f[r * n + c] * inverse[c * n + c], upper = f[c * n + r] * inverse[c * n + c];
      for (int s = c + 1; s < r; ++s) {
        lower += f[r * n + s] * inverse[s * n + c];
        upper += f[s * n + r] * inverse[c * n + s];
      }
      inverse[r * n + c] = -lower / f[r * n + r];
      inverse[c * n + r] = -upper / f[r * n + r];
    }
  }
}

/// L⁻¹ A U⁻¹ of the blocks of a row, which a warp shares.
inline void scale(const ScaleArguments& a, std::int64_t item) {
  const std::int64_t row = item / team;
  if (row >= a.factors.rows.count) return;
  const int n = size_of(a.factors.rows, row), rank = team_rank();
  const double* own = a.factors.inverses + a.factors.offsets[row];
  double* half = a.scratch + a.factors.rows.first[row] * a.scratch_size;
  for (std::int64_t k = a.begins[row]; k < a.begins[row + 1]; ++k) {
    const std::int64_t column = a.columns[k];
    const int m = size_of(a.factors.rows, column);
    const double* other = a.factors.inverses + a.factors.offsets[column];
    const double* block = a.values + a.offsets[k];
    for (int e = rank; e < n * m; e += team) {
      const int r = e / m, c = e % m;
      double sum = 0;
      for (int s = 0; s <= r; ++s) sum += own[r * n + s] * block[s * m + c];
      half[e] = sum;
    }
    team_sync();
    for (int e = rank; e < n * m; e += team) {
      const int r = e / m, c = e % m;
      double sum = 0;
      for (int t = 0; t <= c; ++t) sum += half[r * m + t] * other[t * m + c];
      a.scaled[a.offsets[k] + e] = static_cast<float>(sum);
    }
    team_sync();
  }
}

/// Transfers P of solutions and Pᵀ of residuals for scaled matrices: U P U_c⁻¹ of fine and coarse row, and the
/// transpose of L_c⁻¹ Pᵀ L. A warp shares a fine row.
inline void scale_transfer(const ScaleTransferArguments& a, std::int64_t item) {
  const std::int64_t row = item / team;
  if (row >= a.fine.rows.count) return;
  const std::int64_t parent = a.parents[row];
  const int n = size_of(a.fine.rows, row), m = size_of(a.coarse.rows, parent), rank = team_rank();
  const double* own = a.fine.factors + a.fine.offsets[row];
  const double* other = a.coarse.inverses + a.coarse.offsets[parent];
  const double* block = a.values + a.offsets[row];
  double* half = a.scratch + a.offsets[row];
  for (int e = rank; e < n * m; e += team) {
    const int r = e / m, c = e % m;
    double sum = 0;
    for (int t = 0; t <= c; ++t) sum += block[r * m + t] * other[t * m + c];
    half[e] = sum;
  }
  team_sync();
  for (int e = rank; e < n * m; e += team) {
    const int r = e / m, c = e % m;
    double sum = 0;
    for (int s = r; s < n; ++s) sum += own[r * n + s] * half[s * m + c];
    a.there[a.offsets[row] + e] = static_cast<float>(sum);
  }
  team_sync();
  for (int e = rank; e < n * m; e += team) {
    const int r = e / m, c = e % m;
    double sum = 0;
    for (int t = 0; t <= c; ++t) sum += block[r * m + t] * other[c * m + t];
    half[e] = sum;
  }
  team_sync();
  for (int e = rank; e < n * m; e += team) {
    const int r = e / m, c = e % m;
    double sum = 0;
    for (int s = r; s < n; ++s) sum += own[s * n + r] * half[s * m + c];
    a.back[a.offsets[row] + e] = static_cast<float>(sum);
  }
}

/// L⁻¹ of a residual in double precision, for the scaled matrix.
inline void enter(const ChangeArguments& a, std::int64_t item) {
  for_own_unknowns(item, a.factors.rows, [&](std::int64_t row, int r) {
    const std::int64_t first = a.factors.rows.first[row];
    const int n = size_of(a.factors.rows, row);
    const double* inverse = a.factors.inverses + a.factors.offsets[row];
    double sum = 0;
    for (int s = 0; s <= r; ++s) sum += inverse[r * n + s] * static_cast<const double*>(a.from)[first + s];
    static_cast<float*>(a.to)[first + r] = static_cast<float>(sum);
  });
}

/// U⁻¹ of a solution for the scaled matrix, in double precision.
inline void leave(const ChangeArguments& a, std::int64_t item) {
  for_own_unknowns(item, a.factors.rows, [&](std::int64_t row, int r) {
    const std::int64_t first = a.factors.rows.first[row];
    const int n = size_of(a.factors.rows, row);
    const double* inverse = a.factors.inverses + a.factors.offsets[row];
    double sum = 0;
    for (int s = r; s < n; ++s)
      sum += inverse[r * n + s] * static_cast<double>(static_cast<const float*>(a.from)[first + s]);
    static_cast<double*>(a.to)[first + r] = sum;
  });
}

}  // namespace galerna::kernels::algebra
