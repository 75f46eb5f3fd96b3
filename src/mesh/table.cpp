#include "mesh/table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace galerna::mesh {
namespace {

void swap_rows(Table& a, std::size_t i, std::size_t j) {
  for (std::size_t c = 0; c < a.columns; ++c) std::swap(a(i, c), a(j, c));
}

void subtract_row(Table& a, std::size_t from, std::size_t row, double factor) {
  for (std::size_t c = 0; c < a.columns; ++c) a(from, c) -= factor * a(row, c);
}

}  // namespace

Table product(const Table& a, const Table& b) {
  Table result(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

Table inverse(Table a) {
  const std::size_t n = a.rows;
  Table result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (a(pivot, k) == 0) throw std::logic_error("singular matrix");
    swap_rows(a, k, pivot), swap_rows(result, k, pivot);
    const double scale = 1 / a(k, k);
    for (std::size_t c = 0; c < n; ++c) a(k, c) *= scale, result(k, c) *= scale;
    for (std::size_t i = 0; i < n; ++i)
      if (const double factor = a(i, k); i != k && factor != 0)
        subtract_row(a, i, k, factor), subtract_row(result, i, k, factor);
  }
  return result;
}

}  // namespace galerna::mesh
