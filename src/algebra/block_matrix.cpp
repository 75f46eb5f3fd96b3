#include "algebra/block_matrix.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace galerna::algebra {

std::vector<std::int64_t> first_unknowns(std::span<const int> sizes) {
  std::vector<std::int64_t> first{0};
  for (const int size : sizes) first.push_back(first.back() + size);
  return first;
}

void set_offsets(BlockPattern& pattern) {
  pattern.offsets.clear();
  pattern.offsets.reserve(pattern.columns.size() + 1);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      pattern.offsets.push_back(offset);
      offset += std::int64_t{pattern.sizes[i]} * pattern.sizes[at(pattern.columns[at(k)])];
    }
  pattern.offsets.push_back(offset);
}

std::int64_t find_block(const BlockPattern& pattern, std::size_t row, std::int32_t column) {
  const auto begin = pattern.columns.begin() + pattern.rows[row], end = pattern.columns.begin() + pattern.rows[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? found - pattern.columns.begin() : -1;
}

template <class Real>
void multiply(const BlockMatrix<Real>& matrix, std::span<const Real> x, std::span<Real> y) {
  const BlockPattern& pattern = matrix.pattern;
  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  for (std::size_t i = 0; i < pattern.row_count(); ++i) {
    const auto n = static_cast<std::size_t>(pattern.sizes[i]);
    const std::span<Real> result = y.subspan(at(first[i]), n);
    std::fill(result.begin(), result.end(), Real{0});
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      const auto column = at(pattern.columns[at(k)]);
      const auto m = static_cast<std::size_t>(pattern.sizes[column]);
      const Real* block = matrix.values.data() + pattern.offsets[at(k)];
      const Real* from = x.data() + first[column];
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < m; ++c) result[r] += block[r * m + c] * from[c];
    }
  }
}

template void multiply(const BlockMatrix<double>&, std::span<const double>, std::span<double>);
template void multiply(const BlockMatrix<float>&, std::span<const float>, std::span<float>);

}  // namespace galerna::algebra
