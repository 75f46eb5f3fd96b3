#include "solver/positivity_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "dg/geometry/metric.hpp"
#include "dg/geometry/step_limit.hpp"

namespace galerna::solver {
namespace {

/// Weight of the end points of the Gauss–Lobatto rule of total weight 1 that is exact for polynomials of degree p: its
/// N points are exact for degree 2N − 3.
double lobatto_end(int degree) {
  const int points = degree / 2 + 2;
  return 1.0 / (points * (points - 1));
}

/// [p − 1] For the default rules: the largest shares, rounded down, for which the rest of the mean is a
/// positive combination of values where the limiter looks (tests/solver/positivity_bound_test.cpp).
using Shares = std::array<double, 6>;
constexpr Shares of_tetrahedra = {0.25, 0.128, 0.133, 0.0696, 0.0733, 0.0533},
                 of_opposite_sides = {0.5, 0.1666, 0.1231, 0.0727, 0.0566, 0.04},
                 around_prisms = {0.3333, 0.1173, 0.1212, 0.0792, 0.0768, 0.0544},
                 of_bases = {0.624, 0.358, 0.238, 0.168, 0.128, 0.099},
                 of_slopes = {0.1874, 0.0999, 0.0776, 0.049, 0.0392, 0.0299};

/// Sides of one shape.
std::vector<int> sides_like(Shape shape, Shape side) {
  std::vector<int> sides;
  for (int s = 0; s < side_count(shape); ++s)
    if (side_shape(shape, s) == side) sides.push_back(s);
  return sides;
}

/// Pairs of opposite sides of a quadrilateral or hexahedron.
std::vector<SideShare> opposite_sides(Shape shape, double share) {
  std::vector<SideShare> pairs;
  const auto normal = [&](int side) { return reference_normal(shape, side); };
  for (int side = 0; side < side_count(shape); ++side)
    for (int other = side + 1; other < side_count(shape); ++other) {
      double product = 0;
      for (std::size_t k = 0; k < 3; ++k) product += normal(side)[k] * normal(other)[k];
      if (product < 0) pairs.push_back({{side, other}, share});
    }
  return pairs;
}

/// The number w for which dt = w h/(6 λ) is the largest Euler step that keeps the mean of element number `e` of a
/// metric positive.
double weight_of(const dg::Metric& metric, const dg::Operators& operators, const std::vector<SideShare>& shares,
                 std::size_t e) {
  const auto points = static_cast<std::size_t>(metric.volume_points),
             all_side_points = static_cast<std::size_t>(metric.first_side_point.back()),
             components = static_cast<std::size_t>(metric.dimension);
  const auto first = metric.jacobian.begin() + static_cast<std::ptrdiff_t>(e * points);
  const double least =
      reference_measure(operators.shape) * *std::min_element(first, first + static_cast<std::ptrdiff_t>(points));
  double sum = 0;
  for (const SideShare& group : shares) {
    double largest = 0;
    for (int side : group.sides)
      for (int q = metric.first_side_point[static_cast<std::size_t>(side)];
           q < metric.first_side_point[static_cast<std::size_t>(side) + 1]; ++q) {
        const double* n = metric.normals.data() + components * (e * all_side_points + static_cast<std::size_t>(q));
        largest = std::max(largest, std::hypot(n[0], n[1], components == 3 ? n[2] : 0.0));
      }
    sum += largest / group.share;
  }
  return 3 * least / (metric.diameters[e] * sum);
}

/// The least of them in a block.
double weight_of(const mesh::Mesh& mesh, int block, const dg::Operators& operators) {
  if (operators.degree == 0) return 1;
  const bool straight = mesh.blocks[static_cast<std::size_t>(block)].order == 1;
  if (straight && operators.shape == Shape::triangle) return lobatto_end(operators.degree);
  if (straight && operators.shape == Shape::tetrahedron) return side_shares(operators.shape, operators.degree)[0].share;
  constexpr mesh::Index together = 4096;  // elements whose metric terms are held at a time
  const std::vector<SideShare> shares = side_shares(operators.shape, operators.degree);
  const mesh::Index count = mesh.blocks[static_cast<std::size_t>(block)].size();
  dg::MetricParts parts;
  parts.positions = parts.side_gradients = false;
  double least = std::numeric_limits<double>::infinity();
  for (mesh::Index begin = 0; begin < count; begin += together) {
    std::vector<mesh::Index> positions(static_cast<std::size_t>(std::min(together, count - begin)));
    std::iota(positions.begin(), positions.end(), begin);
    const dg::Metric metric = dg::make_metric(mesh, block, operators, positions, parts);
    for (std::size_t e = 0; e < positions.size(); ++e) least = std::min(least, weight_of(metric, operators, shares, e));
  }
  return least;
}

}  // namespace

std::vector<SideShare> side_shares(Shape shape, int degree) {
  const auto share = [&](const Shares& shares) { return shares.at(static_cast<std::size_t>(degree - 1)); };
  const auto like = [&](Shape side) { return sides_like(shape, side); };
  switch (shape) {
    case Shape::triangle:
      return {{{0, 1, 2}, 2.0 / 3 * lobatto_end(degree)}};
    case Shape::quadrilateral:
      return opposite_sides(shape, share(of_opposite_sides));
    case Shape::tetrahedron:
      return {{{0, 1, 2, 3}, share(of_tetrahedra)}};
    case Shape::hexahedron:
      return opposite_sides(shape, share(of_opposite_sides));
    case Shape::prism:
      return {{like(Shape::triangle), share(of_opposite_sides)}, {like(Shape::quadrilateral), share(around_prisms)}};
    case Shape::pyramid:
      return {{like(Shape::quadrilateral), share(of_bases)}, {like(Shape::triangle), share(of_slopes)}};
    default:
      throw std::invalid_argument("side_shares: of elements");
  }
}

double positivity_weight(const mesh::Mesh& mesh, int degree) {
  const auto operators = dg::make_block_operators(mesh, degree);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    least = std::min(least, dg::wave_factor(operators[b].shape) * weight_of(mesh, static_cast<int>(b), operators[b]));
  return least;
}

}  // namespace galerna::solver
