#include "dg/tiles.hpp"

#include <algorithm>

#include "kernels/arguments.hpp"

namespace galerna::dg {
namespace {

using basis::Matrix;

/// Rows and columns of `right`, as many as the blocks of 4 × 8 need, through `row` and `column`: each gives the index in
/// `right` or −1 for a row of zeros.
template <class Row, class Column>
void append_fragments(std::vector<double>& fragments, const Matrix& right, int fours, int eights, const Row& row,
                      const Column& column) {
  for (int n = 0; n < eights; ++n)
    for (int k = 0; k < fours; ++k)
      for (int lane = 0; lane < 32; ++lane) {
        const int r = row(k, lane % 4), c = column(8 * n + lane / 4);
        fragments.push_back(r < 0 || c < 0 ? 0.0 : right(r, c));
      }
}

/// From modes to points: `values` is [point][mode].
void append_values(std::vector<double>& fragments, const Matrix& values) {
  const int points = static_cast<int>(values.rows()), modes = static_cast<int>(values.cols());
  append_fragments(
      fragments, values.transpose(), (modes + 3) / 4, (points + 7) / 8,
      [&](int k, int t) { return 4 * k + t < modes ? 4 * k + t : -1; }, [&](int c) { return c < points ? c : 0; });
}

/// From points to modes: `tests` is [point][mode]. Blocks of 4 rows take the even, then the odd ones of 8 points.
void append_integrals(std::vector<double>& fragments, const Matrix& tests) {
  const int points = static_cast<int>(tests.rows()), modes = static_cast<int>(tests.cols());
  append_fragments(
      fragments, tests, 2 * ((points + 7) / 8), (modes + 7) / 8,
      [&](int k, int t) {
        const int point = 8 * (k / 2) + 2 * t + k % 2;
        return point < points ? point : -1;
      },
      [&](int c) { return c < modes ? c : -1; });
}

/// Values at the points of all sides, and these times the points' weights, [point][mode].
std::pair<Matrix, Matrix> side_matrices(const Operators& o) {
  const int points = o.side.size();
  Matrix values(o.sides() * points, o.modes), lift(o.sides() * points, o.modes);
  for (int side = 0; side < o.sides(); ++side)
    for (int q = 0; q < points; ++q) {
      values.row(side * points + q) = o.side_basis[static_cast<std::size_t>(side)].row(q);
      lift.row(side * points + q) = o.side.weights[static_cast<std::size_t>(q)] * values.row(side * points + q);
    }
  return {values, lift};
}

/// From modes to `targets`: `right` is [mode][target]. Blocks of 4 rows take the even, then the odd ones of 8 modes;
/// columns past the last are those of `past`, −1: zeros.
void append_from_modes(std::vector<double>& fragments, const Matrix& right, int past) {
  const int modes = static_cast<int>(right.rows()), targets = static_cast<int>(right.cols());
  append_fragments(
      fragments, right, 2 * ((modes + 7) / 8), (targets + 7) / 8,
      [&](int k, int t) {
        const int mode = 8 * (k / 2) + 2 * t + k % 2;
        return mode < modes ? mode : -1;
      },
      [&](int c) { return c < targets ? c : past; });
}

}  // namespace

std::vector<double> viscous_tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o);
  const Operators exact = make_operators(o.shape, o.degree);
  std::vector<double> result;
  append_from_modes(result, o.volume_basis.transpose(), 0);
  for (const Matrix& derivative : exact.weighted_derivatives)
    append_from_modes(result, derivative.transpose() * exact.volume_basis, -1);
  append_from_modes(result, side_values.transpose(), 0);
  for (const Matrix& derivative : o.weighted_derivatives) append_integrals(result, derivative);
  append_integrals(result, lift);
  return result;
}

std::vector<double> tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o);
  std::vector<double> result;
  append_values(result, o.volume_basis);
  for (const Matrix& derivative : o.weighted_derivatives) append_integrals(result, derivative);
  append_values(result, side_values);
  append_integrals(result, -o.side_scale * lift);
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
    std::int32_t* asking;
    int order() const { return code < 0 ? 4 : code & 3; }
  };
  std::vector<std::vector<Outside>> outside(static_cast<std::size_t>(tiles.count));
  for (std::int64_t tile = 0; tile < tiles.count; ++tile) {
    auto& slots = outside[static_cast<std::size_t>(tile)];
    for (int side = 0; side < sides; ++side)
      for (int column = 0; column < tile_elements; ++column) {
        const std::int64_t element = tile * tile_elements + column;
        if (element >= elements && column > 0) continue;  // padding repeats the last element: below
        const std::int32_t code = codes[static_cast<std::size_t>(std::min(element, elements - 1) * sides + side)];
        const std::int64_t neighbour = code >> 2;
        std::int32_t& entry = tiles.neighbours[static_cast<std::size_t>((tile * sides + side) * tile_elements + column)];
        if (code >= 0 && neighbour / tile_elements == tile)
          entry = static_cast<std::int32_t>(neighbour % tile_elements * 4 + (code & 3));
        else
          slots.push_back({code, &entry});
      }
    std::stable_sort(slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.order() < b.order(); });
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      *slots[slot].asking = static_cast<std::int32_t>((static_cast<std::size_t>(tile_elements) + slot / static_cast<std::size_t>(sides)) * 4 +
                                                      slot % static_cast<std::size_t>(sides));
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
