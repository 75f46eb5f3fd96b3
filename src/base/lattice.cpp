#include "base/lattice.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace galerna {
namespace {

using Edge = std::pair<int, int>;

LatticePoint along(const LatticePoint& from, const LatticePoint& to, int step, int order) {
  LatticePoint p{};
  for (std::size_t k = 0; k < 3; ++k) p[k] = from[k] + (to[k] - from[k]) / order * step;
  return p;
}

LatticePoint plus(const LatticePoint& a, const LatticePoint& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
LatticePoint minus(const LatticePoint& a, const LatticePoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

LatticePoint corner(Shape shape, int c, int order) {
  const auto x = reference_corner(shape, c);
  const auto on_box = [&](double value) { return value > 0 ? order : 0; };
  const auto on_simplex = [&](double value) { return static_cast<int>(value) * order; };
  switch (shape) {
    case Shape::point:
      return {};
    case Shape::line:
      return {on_box(x[0]), 0, 0};
    case Shape::quadrilateral:
      return {on_box(x[0]), on_box(x[1]), 0};
    case Shape::hexahedron:
      return {on_box(x[0]), on_box(x[1]), on_box(x[2])};
    case Shape::prism:
      return {on_simplex(x[0]), on_simplex(x[1]), on_box(x[2])};
    case Shape::pyramid:
      return {on_box(x[0]), on_box(x[1]), on_simplex(x[2])};
    case Shape::triangle:
    case Shape::tetrahedron:
      break;
  }
  return {on_simplex(x[0]), on_simplex(x[1]), on_simplex(x[2])};
}

/// Edges in the order in which Gmsh numbers their nodes.
const std::vector<Edge>& edges(Shape shape) {
  static const std::map<Shape, std::vector<Edge>> table = {
      {Shape::point, {}},
      {Shape::line, {{0, 1}}},
      {Shape::triangle, {{0, 1}, {1, 2}, {2, 0}}},
      {Shape::quadrilateral, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
      {Shape::tetrahedron, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}},
      {Shape::pyramid, {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}},
      {Shape::prism, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}}},
      {Shape::hexahedron,
       {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}}},
  };
  return table.at(shape);
}

/// Faces of a three-dimensional shape in the order and orientation in which Gmsh numbers their nodes.
std::vector<std::vector<int>> faces(Shape shape) {
  if (shape == Shape::tetrahedron) return {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {3, 1, 2}};
  std::vector<std::vector<int>> result;
  for (int s = 0; s < side_count(shape); ++s) {
    const auto corners = side_corners(shape, s);
    result.emplace_back(corners.begin(), corners.end());
  }
  return result;
}

void add_nodes(Shape shape, int order, const LatticePoint& offset, std::vector<LatticePoint>& nodes);

/// Nodes inside an element or face: those of a smaller one of the same shape, shifted inwards.
void add_interior(Shape shape, int order, const LatticePoint& offset, std::vector<LatticePoint>& nodes) {
  switch (shape) {
    case Shape::point:
    case Shape::line:
      return;
    case Shape::triangle:
      return add_nodes(shape, order - 3, plus(offset, {1, 1, 0}), nodes);
    case Shape::quadrilateral:
      return add_nodes(shape, order - 2, plus(offset, {1, 1, 0}), nodes);
    case Shape::tetrahedron:
      return add_nodes(shape, order - 4, plus(offset, {1, 1, 1}), nodes);
    case Shape::pyramid:
      return add_nodes(shape, order - 3, plus(offset, {1, 1, 1}), nodes);
    case Shape::hexahedron:
      return add_nodes(shape, order - 2, plus(offset, {1, 1, 1}), nodes);
    case Shape::prism:
      break;
  }
  std::vector<LatticePoint> triangle, line;
  add_nodes(Shape::triangle, order - 3, {1, 1, 0}, triangle);
  add_nodes(Shape::line, order - 2, {}, line);
  for (const LatticePoint& t : triangle)
    for (const LatticePoint& l : line) nodes.push_back(plus(offset, {t[0], t[1], l[0] + 1}));
}

void add_nodes(Shape shape, int order, const LatticePoint& offset, std::vector<LatticePoint>& nodes) {
  if (order < 0) return;
  if (order == 0 || shape == Shape::point) return nodes.push_back(offset);
  std::vector<LatticePoint> corners;
  for (int c = 0; c < corner_count(shape); ++c) corners.push_back(plus(offset, corner(shape, c, order)));
  const auto at = [&](int c) { return corners[static_cast<std::size_t>(c)]; };
  nodes.insert(nodes.end(), corners.begin(), corners.end());
  for (const auto& [a, b] : edges(shape))
    for (int step = 1; step < order; ++step) nodes.push_back(along(at(a), at(b), step, order));
  if (dimension(shape) == 3) {
    for (const std::vector<int>& face : faces(shape)) {
      std::vector<LatticePoint> inside;
      add_interior(face.size() == 3 ? Shape::triangle : Shape::quadrilateral, order, {}, inside);
      for (const auto& [i, j, k] : inside)
        nodes.push_back(plus(along(at(face[0]), at(face[1]), i, order),
                             minus(along(at(face[0]), at(face.back()), j, order), at(face[0]))));
    }
  }
  add_interior(shape, order, offset, nodes);
}

std::map<LatticePoint, int> numbers(const std::vector<LatticePoint>& nodes) {
  std::map<LatticePoint, int> result;
  for (const LatticePoint& node : nodes) result.emplace(node, static_cast<int>(result.size()));
  return result;
}

}  // namespace

std::vector<LatticePoint> node_lattice(Shape shape, int order) {
  std::vector<LatticePoint> nodes;
  add_nodes(shape, order, {}, nodes);
  return nodes;
}

std::array<double, 3> reference_point(Shape shape, int order, const LatticePoint& point) {
  const double p = order;
  const auto [i, j, k] = point;
  const auto box = [&](int step) { return 2 * step / p - 1; };
  switch (shape) {
    case Shape::point:
      return {};
    case Shape::line:
      return {box(i), 0, 0};
    case Shape::quadrilateral:
      return {box(i), box(j), 0};
    case Shape::hexahedron:
      return {box(i), box(j), box(k)};
    case Shape::prism:
      return {i / p, j / p, box(k)};
    case Shape::pyramid:
      return {(2 * i + k) / p - 1, (2 * j + k) / p - 1, k / p};
    case Shape::triangle:
    case Shape::tetrahedron:
      break;
  }
  return {i / p, j / p, k / p};
}

std::vector<int> side_nodes(Shape shape, int order, int side) {
  const auto corners = side_corners(shape, side);
  const auto a = reference_corner(shape, corners[0]);
  // Normal of the side's plane; in two dimensions the plane contains the z direction.
  std::array<double, 3> u{0, 0, 0}, v{0, 0, 1};
  if (dimension(shape) == 1) v = {0, 1, 0}, u = {0, 0, 1};
  for (std::size_t c = 1; c < std::min<std::size_t>(3, corners.size()); ++c)
    for (std::size_t k = 0; k < 3; ++k) (c == 1 ? u : v)[k] = reference_corner(shape, corners[c])[k] - a[k];
  const std::array<double, 3> normal{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const std::vector<LatticePoint> nodes = node_lattice(shape, order);
  std::vector<int> result;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto x = reference_point(shape, order, nodes[n]);
    const double distance = normal[0] * (x[0] - a[0]) + normal[1] * (x[1] - a[1]) + normal[2] * (x[2] - a[2]);
    if (std::abs(distance) < 1e-9) result.push_back(static_cast<int>(n));
  }
  return result;
}

std::vector<int> side_in_order(Shape shape, int order, int side) {
  const auto corners = side_corners(shape, side);
  const std::vector<LatticePoint> nodes = node_lattice(shape, order);
  const auto number = numbers(nodes);
  std::vector<int> result;
  for (const auto& [i, j, k] : node_lattice(side_shape(shape, side), order)) {
    LatticePoint at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto corner = [&](std::size_t c) { return nodes[static_cast<std::size_t>(corners[c])][axis]; };
      at[axis] = corner(0) + (corner(1) - corner(0)) / order * i;
      if (corners.size() > 2) at[axis] += (corner(corners.size() - 1) - corner(0)) / order * j;
    }
    result.push_back(number.at(at));
  }
  return result;
}

std::vector<int> permute_simplex(Shape shape, int order, std::span<const int> corners) {
  const std::vector<LatticePoint> nodes = node_lattice(shape, order);
  const auto number = numbers(nodes);
  std::vector<int> result;
  for (const LatticePoint& node : nodes) {
    const std::array<int, 4> fresh{order - node[0] - node[1] - node[2], node[0], node[1], node[2]};
    std::array<int, 4> old{};
    for (std::size_t i = 0; i < corners.size(); ++i) old[static_cast<std::size_t>(corners[i])] = fresh[i];
    result.push_back(number.at({old[1], old[2], old[3]}));
  }
  return result;
}

std::vector<int> mirror(Shape shape, int order) {
  const std::vector<LatticePoint> nodes = node_lattice(shape, order);
  const auto number = numbers(nodes);
  std::vector<int> result;
  for (const auto& [i, j, k] : nodes) result.push_back(number.at({j, i, k}));
  return result;
}

}  // namespace galerna
