#include "dg/tiles.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "dg/side_codes.hpp"
#include "kernels/arguments.hpp"
#include "kernels/tile/viscous_sizes.hpp"
#include "kernels/tile/viscous_warp_sizes.hpp"
#include "kernels/tile/warp_sizes.hpp"

namespace galerna::dg {
namespace {

using basis::Matrix;
using kernels::Columns;

/// Blocks of 4 × 8 of `right`: rows through `row`, as many as `fours` blocks need, columns in the order of results.
/// Rows past the last are zeros; columns past the last, and those in which nothing stands, are column `past`, −1:
/// zeros.
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

/// For left operands that hold rows 4k + t.
void append_in_fours(std::vector<double>& fragments, const Matrix& right, int past) {
  append_fragments(
      fragments, right, (static_cast<int>(right.rows()) + 3) / 4, [](int k, int t) { return 4 * k + t; }, past);
}

/// For left operands that are results.
void append_in_columns(std::vector<double>& fragments, const Matrix& right, int past) {
  const Columns order{static_cast<int>(right.rows())};
  append_fragments(
      fragments, right, order.fours(), [&](int k, int t) { return order.at(k / 2, k % 2, t); }, past);
}

/// Values at the points of all sides, and these times the points' weights, [point][mode].
/// \param counts points of sides; those that a rule does not have are its last one, without weight.
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

kernels::WarpTileSizes warp_sizes(const Operators& o, int variables, bool curved, int number_bytes = sizeof(double)) {
  return kernels::WarpTileSizes::of(element_counts(o, variables), curved, number_bytes);
}

/// Rows of side points, each side's by itself in fours from one that begins at a multiple of four; zeros between.
Matrix in_fours_of_sides(const Matrix& rows, const kernels::ViscousWarpSizes& sizes) {
  Matrix result = Matrix::Zero(4 * sizes.side_fours(), rows.cols());
  int at = 0;
  for (int side = 0; side < sizes.side_count; ++side)
    for (int row = 4 * sizes.first_four(side); row < 4 * (sizes.last_four(side) + 1); ++row, ++at)
      if (row / sizes.side_point_count == side) result.row(at) = rows.row(row);
  return result;
}

/// What jumps u⁺ − u⁻ at the points of all sides lift at their own side, over ds/|J|: [point][point], zeros between
/// sides.
Matrix lift_to_sides(const Matrix& values, const Matrix& lift, const Operators& o) {
  const int q = o.side.size();
  Matrix result = Matrix::Zero(values.rows(), values.rows());
  for (int first = 0; first < values.rows(); first += q)
    result.block(first, first, q, q) = 0.5 * values.middleRows(first, q) * lift.middleRows(first, q).transpose();
  return result;
}

/// Weighted values at volume points, [point][mode].
Matrix weighted_values(const Operators& o) {
  Matrix weighted = o.volume_basis;
  for (int q = 0; q < o.volume.size(); ++q) weighted.row(q) *= o.volume.weights[static_cast<std::size_t>(q)];
  return weighted;
}

/// What kernels/tile/viscous_warp_tile.hpp takes for the gradients at volume points of straight elements: [direction]:
/// [point][mode], derivatives but for the jumps' part that comes from outside; that part, [side point][point].
std::pair<std::vector<Matrix>, Matrix> volume_gradients(const Matrix& values, const Matrix& lift, const Operators& o) {
  const Matrix lifted = 0.25 * lift * o.volume_basis.transpose();  // |N| is ½
  const int q = o.side.size();
  std::vector<Matrix> derivatives;
  for (int d = 0; d < dimension(o.shape); ++d) {
    const Matrix derivative = basis::basis_derivatives(o.shape, o.degree, o.volume.points, d);
    const auto part = [&](int side) {
      return lifted.middleRows(side * q, q).transpose() * values.middleRows(side * q, q);
    };
    derivatives.push_back(derivative - part(0) + part(d + 1));
  }
  Matrix signed_lift = -lifted;
  signed_lift.topRows(q) *= -1;
  return {derivatives, signed_lift};
}

/// ∂φ_j/∂ξ_d at the points of all sides.
Matrix side_derivatives(const Operators& o, int d) {
  const int q = o.side.size();
  Matrix result(o.sides() * q, o.modes);
  for (int side = 0; side < o.sides(); ++side)
    result.middleRows(side * q, q) =
        basis::basis_derivatives(o.shape, o.degree, basis::side_points(o.shape, side, o.side.points), d);
  return result;
}

// Of a multiprocessor with compute capability 9.0 or later.
constexpr int shared_bytes = 227 * 1024;

/// \param most warps, as registers allow. \param operator_numbers, warp_numbers of the block and of each warp
WarpBlock largest_block(int operator_numbers, int warp_numbers, int most, int number_bytes = sizeof(double)) {
  const int operators = operator_numbers * static_cast<int>(sizeof(double)), warp = warp_numbers * number_bytes;
  const int warps = std::min(most, (shared_bytes - operators) / warp);
  return warps < 2 ? WarpBlock{} : WarpBlock{warps, operators + warps * warp};
}

WarpBlock largest_block(const kernels::WarpTileSizes& sizes) {
  if (!sizes.fit()) return {};
  const int most = sizes.number_bytes == 4 && sizes.mode_count <= 10 ? 12 : 8;  // measured on an H100
  return largest_block(sizes.block_numbers(), sizes.warp_numbers(), most, sizes.number_bytes);
}

kernels::MetricRows metric_rows(const Operators& o, bool viscous) {
  kernels::MetricRows rows = warp_sizes(o, 1, true).metric_rows();
  rows.viscous = viscous;
  return rows;
}

/// Metric terms of one of eight elements.
class MetricOfTile {
 public:
  /// \param numbers of the eight elements. \param element of these.
  MetricOfTile(double* numbers, int element) : numbers_(numbers), element_(element) {}

  /// f(left operand, thread's number in a row, point or mode), also of those past the last one.
  template <class F>
  void for_each(const Columns& columns, const F& f) const {
    for (int four = 0; four < columns.fours(); ++four)
      for (int t = 0; t < 4; ++t) f(four, 4 * element_ + t, columns.at(four / 2, four % 2, t));
  }
  double& operator()(int place) const { return numbers_[place]; }

 private:
  double* numbers_;
  int element_;
};

}  // namespace

kernels::ElementCounts element_counts(const Operators& o, int variables) {
  kernels::ElementCounts counts = {o.modes, o.volume.size(), o.sides(), o.side.size(), variables, dimension(o.shape)};
  if (o.has_unlike_sides()) {
    const Shape last = side_shape(o.shape, o.sides() - 1);
    counts.other_side_count = like_sides(o.shape, last);
    counts.other_side_point_count = o.side_rules.back().size();
  }
  return counts;
}

std::vector<double> viscous_tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o);
  const Operators exact = make_operators(o.shape, o.degree);
  std::vector<double> result;
  append_in_columns(result, o.volume_basis.transpose(), 0);
  for (const Matrix& derivative : exact.weighted_derivatives)
    append_in_columns(result, derivative.transpose() * exact.volume_basis * o.volume_basis.transpose(), -1);
  append_in_columns(result, side_values.transpose(), 0);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_columns(result, lift, -1);
  append_in_columns(result, lift * o.volume_basis.transpose(), -1);
  return result;
}

std::vector<double> warp_tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o, warp_sizes(o, 1, false));
  std::vector<double> result;
  append_in_columns(result, side_values.transpose(), 0);
  append_in_columns(result, o.volume_basis.transpose(), 0);
  append_in_columns(result, lift, -1);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  return result;
}

std::vector<double> curved_warp_operators(const Operators& o) {
  std::vector<double> result = warp_tile_operators(o);
  append_in_columns(result, weighted_values(o), -1);
  return result;
}

std::int64_t tile_metric_numbers(const Operators& o, bool viscous) {
  return metric_rows(o, viscous).numbers();
}

std::vector<double> tile_metric(const Operators& o, const Metric& metric, bool viscous, std::int64_t padded) {
  const kernels::MetricRows rows = metric_rows(o, viscous);
  const int d = metric.dimension, gradients = d * d, all_side_points = o.first_side_point(o.sides());
  const auto number = [](const std::vector<double>& values, std::int64_t at) {
    return values[static_cast<std::size_t>(at)];
  };
  std::vector<double> result(static_cast<std::size_t>(padded / 8 * rows.numbers()), 0.0);
  const auto put = [&](std::int64_t e) {
    const MetricOfTile to(result.data() + e / 8 * rows.numbers(), static_cast<int>(e % 8));
    const std::int64_t of = std::min<std::int64_t>(e, metric.elements - 1);
    to.for_each(rows.trace_points(), [&](int four, int thread, int at) {
      const int side = rows.side_at(at), last = o.side_rules[static_cast<std::size_t>(side)].size() - 1,
                q = std::min(at - rows.first_point(side), last);
      const std::int64_t point = of * all_side_points + o.first_side_point(side) + q;
      const auto two = [&](int row) -> double& { return to(row + 2 * thread + four % 2); };
      for (int k = 0; k < d; ++k) two(rows.normals(four / 2) + 64 * k) = number(metric.normals, point * d + k);
      if (!viscous) return;
      const double* inverse = metric.side_gradients.data() + point * gradients;
      for (int k = 0; k < gradients; ++k) two(rows.side_gradients(four / 2) + 64 * k) = inverse[k];
      two(rows.side_roots(four / 2)) = std::sqrt(std::abs(Eigen::Map<const Eigen::Matrix3d>(inverse).determinant()));
    });
    // Those past the last point, which meet rows of zeros, are that one once more: all that is computed is finite.
    to.for_each(rows.volume_points(), [&](int four, int thread, int q) {
      const std::int64_t point = of * o.volume.size() + std::min(q, o.volume.size() - 1);
      for (int k = 0; k < gradients; ++k)
        to(rows.contravariant(four) + 32 * k + thread) = number(metric.contravariant, point * gradients + k);
      to(rows.inverses(four) + thread) = number(metric.inverse, point);
    });
    to.for_each(rows.modes(), [&](int four, int thread, int j) {
      if (j < o.modes) to(rows.means(four) + thread) = number(metric.means, of * o.modes + j);
    });
    for (int t = 0; t < 4; ++t)
      to(rows.inverse_mean() + static_cast<int>(e % 8) * 4 + t) = 1 / number(metric.means, of * o.modes);
  };
  in_parallel(padded, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t e = begin; e < end; ++e) put(e);
  });
  return result;
}

std::vector<double> viscous_warp_operators(const Operators& o) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, 1), false};
  const auto [values, lift] = side_matrices(o);
  const auto [derivatives, point_lift] = volume_gradients(values, lift, o);
  std::vector<double> result;
  append_in_columns(result, o.volume_basis.transpose(), 0);
  for (const Matrix& derivative : derivatives) append_in_columns(result, derivative.transpose(), -1);
  append_in_fours(result, in_fours_of_sides(point_lift, sizes), -1);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_columns(result, values.transpose(), 0);
  append_in_columns(result, lift, -1);

  const Matrix to_sides = lift_to_sides(values, lift, o);
  append_in_columns(result, values.transpose(), 0);
  append_in_columns(result, -(to_sides * values).transpose(), -1);
  for (int d = 0; d < dimension(o.shape); ++d) append_in_columns(result, side_derivatives(o, d).transpose(), -1);
  for (int n = 0; n < sizes.trace_points().eights(); ++n) {
    const int first = sizes.first_four_at(n), last = sizes.last_four_at(n);
    append_in_fours(result, to_sides.block(8 * n, 4 * first, 8, 4 * (last - first + 1)).transpose(), -1);
  }
  return result;
}

std::vector<double> curved_viscous_warp_operators(const Operators& o) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, 1), true};
  const auto [values, lift] = side_matrices(o);
  const Matrix point_lift = 0.5 * lift * o.volume_basis.transpose();
  std::vector<double> result;
  append_in_columns(result, o.volume_basis.transpose(), 0);
  for (int d = 0; d < dimension(o.shape); ++d)
    append_in_columns(result, basis::basis_derivatives(o.shape, o.degree, o.volume.points, d).transpose(), -1);
  append_in_columns(result, point_lift, -1);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_columns(result, values.transpose(), 0);
  append_in_columns(result, lift, -1);
  append_in_columns(result, weighted_values(o), -1);

  const Matrix to_sides = lift_to_sides(values, lift, o);
  append_in_columns(result, values.transpose(), 0);
  for (int d = 0; d < dimension(o.shape); ++d) append_in_columns(result, side_derivatives(o, d).transpose(), -1);
  for (int n = 0; n < sizes.trace_points().eights(); ++n) {
    const int first = sizes.first_eight_at(n), last = sizes.last_eight_at(n);
    append_in_columns(result, to_sides.block(8 * n, 8 * first, 8, 8 * (last - first + 1)).transpose(), -1);
  }
  return result;
}

WarpBlock viscous_tile(const Operators& o, int variables) {
  const kernels::ViscousTileSizes sizes{element_counts(o, variables)};
  return largest_block(sizes.operator_numbers(), sizes.warp_numbers(), 8);
}

WarpBlock warp_tile(const Operators& o, int variables, device::Precision precision) {
  return largest_block(warp_sizes(o, variables, false, static_cast<int>(bytes_of(precision))));
}

WarpBlock curved_warp_tile(const Operators& o, int variables) {
  return largest_block(warp_sizes(o, variables, true));
}

WarpBlock viscous_warp_tile(const Operators& o, int variables, bool curved) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, variables), curved};
  return sizes.fit() ? largest_block(sizes.numbers_in_shared(sizes.residual_numbers()), sizes.warp_numbers(), 8)
                     : WarpBlock{};
}

WarpBlock viscous_warp_fluxes(const Operators& o, int variables, bool curved) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, variables), curved};
  const int most = curved ? 8 : 12;  // measured on an H100
  return sizes.fit() ? largest_block(sizes.numbers_in_shared(sizes.flux_numbers()), sizes.warp_numbers(), most)
                     : WarpBlock{};
}

std::vector<double> tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o);
  std::vector<double> result;
  append_in_fours(result, o.volume_basis.transpose(), 0);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_fours(result, side_values.transpose(), 0);
  append_in_columns(result, -o.side_scale * lift, -1);
  return result;
}

Tiles make_tiles(const std::vector<std::int32_t>& codes, std::int64_t padded, int tile_elements, int sides) {
  Tiles tiles;
  tiles.count = padded / tile_elements;
  tiles.neighbours.resize(static_cast<std::size_t>(padded * sides));
  const auto elements = static_cast<std::int64_t>(codes.size()) / sides;

  /// A trace from outside: what it is of, and who asks for it.
  struct Outside {
    std::int32_t code;
    int side;  ///< that is looked at; `sides` of ghosts
    std::int32_t* asking;
  };
  std::vector<std::vector<Outside>> outside(static_cast<std::size_t>(tiles.count));
  for (std::int64_t tile = 0; tile < tiles.count; ++tile) {
    auto& slots = outside[static_cast<std::size_t>(tile)];
    for (int side = 0; side < sides; ++side)
      for (int column = 0; column < tile_elements; ++column) {
        const std::int64_t element = tile * tile_elements + column;
        if (element >= elements && column > 0) continue;  // padding repeats the last element: below
        const std::int32_t code = codes[static_cast<std::size_t>(std::min(element, elements - 1) * sides + side)];
        const std::int64_t neighbour = coded_element(code, sides);
        std::int32_t& entry =
            tiles.neighbours[static_cast<std::size_t>((tile * sides + side) * tile_elements + column)];
        if (code >= 0 && neighbour / tile_elements == tile)
          entry = element_code(neighbour % tile_elements, coded_side(code, sides), sides);
        else
          slots.push_back({code, code < 0 ? sides : coded_side(code, sides), &entry});
      }
    std::stable_sort(slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.side < b.side; });
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      *slots[slot].asking =
          element_code(tile_elements + static_cast<std::int64_t>(slot) / sides, static_cast<int>(slot) % sides, sides);
    tiles.outside = std::max(tiles.outside, static_cast<int>(slots.size()));
    for (int side = 0; side < sides; ++side)
      for (int column = 1; column < tile_elements; ++column)
        if (tile * tile_elements + column >= elements) {
          const auto at = static_cast<std::size_t>((tile * sides + side) * tile_elements + column);
          tiles.neighbours[at] = tiles.neighbours[at - 1];
        }
  }
  for (const auto& slots : outside) {
    for (const Outside& slot : slots) tiles.codes.push_back(slot.code);
    tiles.codes.resize(tiles.codes.size() + static_cast<std::size_t>(tiles.outside) - slots.size(),
                       kernels::TileArguments::unused);
  }
  // Odd, so that the points of an element lie in different banks of shared memory.
  tiles.columns = (tile_elements + (tiles.outside + sides - 1) / sides) | 1;
  return tiles;
}

}  // namespace galerna::dg
