#include "dg/rows/fragments.hpp"

#include <algorithm>

#include "kernels/tile/columns.hpp"

namespace galerna::dg {
namespace {

using basis::Matrix;
using kernels::Columns;

/// Blocks of 4 × 8 of `right`: rows through `row`, as many as `fours` blocks need.
template <class Row>
void append_fragments(std::vector<double>& fragments, const Matrix& right, int fours, const Row& row, int past) {
  const int rows = static_cast<int>(right.rows()), count = static_cast<int>(right.cols());
  const Columns columns{count};
  for (int n = 0; n < columns.eights(); ++n)
    for (int k = 0; k < fours; ++k)
      for (int lane = 0; lane < 32; ++lane) {
        const int r = row(k, lane % 4), column = lane / 4, at = columns.at(n, column % 2, column / 2);
        const int c = columns.has(n, column % 2) && at < count ? at : past;
        fragments.push_back(r >= rows || c < 0 ? 0.0 : right(r, c));
      }
}

}  // namespace

void append_in_fours(std::vector<double>& fragments, const Matrix& right, int past) {
  append_fragments(
      fragments, right, (static_cast<int>(right.rows()) + 3) / 4, [](int k, int t) { return 4 * k + t; }, past);
}

void append_in_columns(std::vector<double>& fragments, const Matrix& right, int past) {
  const Columns order{static_cast<int>(right.rows())};
  append_fragments(
      fragments, right, order.fours(), [&](int k, int t) { return order.at(k / 2, k % 2, t); }, past);
}

std::pair<Matrix, Matrix> side_matrices(const Operators& o, const kernels::ElementCounts& counts) {
  Matrix values(counts.trace_point_count(), o.modes), lift = Matrix::Zero(counts.trace_point_count(), o.modes);
  for (int row = 0; row < values.rows(); ++row) {
    const int side = counts.side_at(row), q = row - counts.first_point(side);
    const basis::Quadrature& rule = o.side_rules[static_cast<std::size_t>(side)];
    values.row(row) = o.side_basis[static_cast<std::size_t>(side)].row(std::min(q, rule.size() - 1));
    if (q < rule.size()) lift.row(row) = rule.weights[static_cast<std::size_t>(q)] * values.row(row);
  }
  return {values, lift};
}
std::pair<Matrix, Matrix> side_matrices(const Operators& o) {
  return side_matrices(o, element_counts(o, 1));
}

Matrix weighted_values(const Operators& o) {
  Matrix weighted = o.volume_basis;
  for (int q = 0; q < o.volume.size(); ++q) weighted.row(q) *= o.volume.weights[static_cast<std::size_t>(q)];
  return weighted;
}

}  // namespace galerna::dg
