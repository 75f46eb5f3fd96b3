/// \file
/// Corrections that are constant in each element: what a matrix of dense blocks does with them, and between vectors and
/// constants. A row has `variables` times as many numbers as modes, of which the first mode of each variable is the
/// constant.
#pragma once

#include "kernels/steady/elimination.hpp"

namespace galerna::kernels::steady {

inline int modes_of(const ConstantsArguments& a, std::int64_t row) {
  return algebra::size_of(a.rows, row) / a.variables;
}

/// Columns and matrix of a row.
inline void gather_constants(const ConstantsArguments& a, std::int64_t item) {
  const std::int64_t row = group_of(item);
  const int n = algebra::size_of(a.rows, row), modes = modes_of(a, row), v = a.variables;
  for (std::int64_t k = a.begins[row]; k < a.begins[row + 1]; ++k) {
    const int m = algebra::size_of(a.rows, a.columns[k]), step = m / v;
    for_entries(n, v, [&](int i, int j) {
      const float value = a.values[a.offsets[k] + std::int64_t(i) * m + j * step];
      a.of_constants[a.first_column[k] + i * v + j] = value;
      if (i % modes == 0) a.matrix[k * v * v + i / modes * v + j] = value;
    });
  }
}

/// The part of a row of `from` that tests with constants.
inline void test_constants(const ConstantsArguments& a, std::int64_t item) {
  const std::int64_t row = group_of(item);
  for (int i = thread_in_group(); i < a.variables; i += group_threads())
    a.constants[row * a.variables + i] = a.from[a.rows.first[row] + i * modes_of(a, row)];
}

/// A row of to ← from − A c, with constants c.
inline void subtract_constants(const ConstantsArguments& a, std::int64_t item) {
  const std::int64_t row = group_of(item), first = a.rows.first[row];
  const int n = algebra::size_of(a.rows, row), modes = modes_of(a, row), v = a.variables;
  for (int r = thread_in_group(); r < n; r += group_threads()) {
    double sum = r % modes == 0 ? a.shift * a.constants[row * v + r / modes] : 0;
    for (std::int64_t k = a.begins[row]; k < a.begins[row + 1]; ++k)
      for (int j = 0; j < v; ++j)
        sum += double(a.of_constants[a.first_column[k] + r * v + j]) * a.constants[std::int64_t(a.columns[k]) * v + j];
    a.to[first + r] = a.from[first + r] - sum;
  }
}

/// A row of to ← from + c.
inline void add_constants(const ConstantsArguments& a, std::int64_t item) {
  const std::int64_t row = group_of(item), first = a.rows.first[row];
  const int n = algebra::size_of(a.rows, row), modes = modes_of(a, row);
  for (int r = thread_in_group(); r < n; r += group_threads())
    a.to[first + r] = a.from[first + r] + (r % modes == 0 ? a.constants[row * a.variables + r / modes] : 0);
}

}  // namespace galerna::kernels::steady
