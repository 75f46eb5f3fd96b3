/// \file
/// Products of the operators with the numbers of a block of elements, rows of the result in registers. A sum that lives
/// in memory costs a load and a store for each multiply–add; in registers, each number that is loaded serves several
/// rows.
#pragma once

#include "kernels/state.hpp"

namespace galerna::kernels {

/// Rows first … first + count − 1.
template <int first_, int count_>
struct Rows {
  static constexpr int first = first_, count = count_;
};

/// How many rows are summed up together: all variables of a row are sums; beside them registers hold a column and a
/// coefficient.
template <class Config>
constexpr int rows_together() {
#if defined(__AVX512F__) || defined(__aarch64__)
  constexpr int registers = 32;
#else
  constexpr int registers = 16;
#endif
  constexpr int variables = Config::Equations::variables, rows = (registers - 4) / variables - (registers == 32);
  return rows > 0 ? rows : 1;
}

/// Calls f(Rows<…>) for parts of 0 … rows − 1 of nearly equal size.
template <class Config, int rows, int first = 0, class F>
void for_each_rows(const F& f) {
  constexpr int left = rows - first, parts = (left + rows_together<Config>() - 1) / rows_together<Config>();
  constexpr int count = (left + parts - 1) / parts;
  f(Rows<first, count>());
  if constexpr (count < left) for_each_rows<Config, rows, first + count>(f);
}

/// Sums of a product, for all variables.
template <class Config, int rows>
struct Sums {
  using V = typename Config::Value;
  static constexpr int variables = Config::Equations::variables;
  Array<State<Config>, rows> values;

  Sums() {
#pragma GCC unroll 32
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < variables; ++v) values[r][v] = V(0);
  }

  /// += Σ_{k < terms} coefficient(row, k) · term(k)
  template <int terms, class Coefficient, class Term>
  void add(const Coefficient& coefficient, const Term& term) {
#pragma GCC unroll 1
    for (int k = 0; k < terms; ++k) {
      const State<Config>& column = term(k);
#pragma GCC unroll 32
      for (int r = 0; r < rows; ++r) {
        const V factor = V(coefficient(r, k));
#pragma GCC unroll 8
        for (int v = 0; v < variables; ++v) values[r][v] += factor * column[v];
      }
    }
  }
};

}  // namespace galerna::kernels
