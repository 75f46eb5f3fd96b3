#include "mesh/blend.hpp"

#include <algorithm>
#include <cmath>

#include "base/lattice.hpp"
#include "mesh/lattice_values.hpp"

namespace galerna::mesh {
namespace {

/// Lattice coordinates on a line, triangle or quadrilateral of the point at which its corners have these weights.
Unit point_of(const std::vector<double>& weights) {
  if (weights.size() == 2) return {weights[1], 0, 0};
  if (weights.size() == 3) return {weights[1], weights[2], 0};
  return {weights[1] + weights[2], weights[2] + weights[3], 0};
}

Shape shape_of(std::size_t corners) {
  return corners == 2 ? Shape::line : corners == 3 ? Shape::triangle : Shape::quadrilateral;
}

/// One edge or side of an element.
class Part {
 public:
  /// \param linear [node of the element][corner] weights
  Part(const std::vector<int>& corners, int order, const Table& linear)
      : corners_(corners),
        shape_(shape_of(corners.size())),
        order_(order),
        linear_(linear),
        from_nodes_(bernstein_from_nodes(shape_, order)) {
    const std::vector<LatticePoint> lattice = node_lattice(shape_, order);
    numbers_.resize(lattice.size());
    for (std::size_t n = 0; n < linear.rows; ++n) {
      if (weight(n) < 1 - 1e-9) continue;
      const Unit u = place(n);
      LatticePoint at{};
      for (std::size_t k = 0; k < 2; ++k) at[k] = static_cast<int>(std::lround(u[k] * order));
      numbers_[static_cast<std::size_t>(std::find(lattice.begin(), lattice.end(), at) - lattice.begin())] = n;
    }
  }

  /// Adds what the part's nodes give to all nodes of the element: [node][node].
  void add_to(Table& table) const {
    for (std::size_t n = 0; n < linear_.rows; ++n) {
      if (weight(n) == 0) continue;
      const Table values = product(bernstein_values(shape_, order_, {place(n)}), from_nodes_);
      for (std::size_t i = 0; i < numbers_.size(); ++i)
        if (std::abs(values(0, i)) > 1e-9) table(n, numbers_[i]) += weight(n) * values(0, i);  // zeros are exact
    }
  }

 private:
  double weight(std::size_t node) const {
    double sum = 0;
    for (const int c : corners_) sum += linear_(node, static_cast<std::size_t>(c));
    return sum;
  }

  Unit place(std::size_t node) const {
    std::vector<double> weights;
    for (const int c : corners_) weights.push_back(linear_(node, static_cast<std::size_t>(c)) / weight(node));
    return point_of(weights);
  }

  const std::vector<int>& corners_;
  Shape shape_;
  int order_;
  const Table& linear_;
  Table from_nodes_;
  std::vector<std::size_t> numbers_;  ///< [node of the part] its number in the element
};

/// Corners of all edges: those between which a node of order 2 lies in the middle.
std::vector<std::vector<int>> edges_of(Shape shape) {
  std::vector<std::vector<int>> edges;
  for (const CornerWeights& weights : corner_weights(shape, node_lattice(shape, 2), 2))
    if (weights.size() == 2) edges.push_back({weights[0].first, weights[1].first});
  return edges;
}

void add_products(const Table& table, const std::vector<Point>& values, std::vector<Point>& sums) {
  for (std::size_t n = 0; n < table.rows; ++n)
    for (std::size_t i = 0; i < table.columns; ++i)
      for (std::size_t k = 0; k < 3; ++k) sums[n][k] += table(n, i) * values[i][k];
}

}  // namespace

Blend::Blend(Shape shape, int order) {
  const std::vector<LatticePoint> lattice = node_lattice(shape, order);
  const Table linear = lattice_values(shape, 1, lattice, order);
  corners_ = corner_weights(shape, lattice, order);
  edges_ = sides_ = Table(lattice.size(), lattice.size());
  on_side_.assign(lattice.size(), 0);
  for (const std::vector<int>& edge : edges_of(shape)) Part(edge, order, linear).add_to(edges_);
  for (int s = 0; s < side_count(shape) && dimension(shape) == 3; ++s) {
    const auto corners = side_corners(shape, s);
    const std::vector<int> side(corners.begin(), corners.end());
    Part(side, order, linear).add_to(sides_);
    for (const int n : side_nodes(shape, order, s))
      on_side_[static_cast<std::size_t>(n)] = corners_[static_cast<std::size_t>(n)].size() > 2;
  }
}

void Blend::fill(std::vector<Point>& values, const std::vector<char>& given) const {
  std::vector<Point> on_edges = values, of_edges(values.size()), beyond(values.size());
  for (std::size_t n = 0; n < values.size(); ++n)
    if (corners_[n].size() != 2) on_edges[n] = {};
  add_products(edges_, on_edges, of_edges);
  for (std::size_t n = 0; n < values.size(); ++n)
    for (std::size_t k = 0; k < 3 && given[n] && on_side_[n]; ++k) beyond[n][k] = values[n][k] - of_edges[n][k];
  std::vector<Point> all = of_edges;
  add_products(sides_, beyond, all);
  for (std::size_t n = 0; n < values.size(); ++n)
    if (!given[n]) values[n] = all[n];
}

}  // namespace galerna::mesh
