#include "files/vtk_cells.hpp"

#include <array>
#include <map>
#include <stdexcept>

namespace galerna::files {
namespace {

using Node = std::array<int, 3>;  // indices on the lattice
using Nodes = std::vector<Node>;

bool on_lattice(Shape shape, int n, const Node& node) {
  const auto [i, j, k] = node;
  switch (shape) {
    case Shape::point:
      return i + j + k == 0;
    case Shape::line:
      return j + k == 0;
    case Shape::triangle:
      return i + j <= n && k == 0;
    case Shape::quadrilateral:
      return k == 0;
    case Shape::tetrahedron:
      return i + j + k <= n;
    case Shape::pyramid:
      return i <= n - k && j <= n - k;
    case Shape::prism:
      return i + j <= n;
    case Shape::hexahedron:
      return true;
  }
  return false;
}

/// All nodes of the lattice, the first index fastest.
Nodes lattice(Shape shape, int n) {
  Nodes nodes;
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        if (on_lattice(shape, n, {i, j, k})) nodes.push_back({i, j, k});
  return nodes;
}

basis::Point reference_point(Shape shape, int n, const Node& node) {
  const double x = double(node[0]) / n, y = double(node[1]) / n, z = double(node[2]) / n;
  switch (shape) {
    case Shape::line:
      return {2 * x - 1, 0, 0};
    case Shape::quadrilateral:
      return {2 * x - 1, 2 * y - 1, 0};
    case Shape::hexahedron:
      return {2 * x - 1, 2 * y - 1, 2 * z - 1};
    case Shape::prism:
      return {x, y, 2 * z - 1};
    case Shape::pyramid:
      return {2 * x - 1 + z, 2 * y - 1 + z, z};  // a layer at height z spans [−1 + z, 1 − z]
    default:
      return {x, y, z};
  }
}

/// Appends the nodes strictly between two nodes, from the first to the second.
void append_between(Nodes& nodes, const Node& from, const Node& to, int n) {
  for (int s = 1; s < n; ++s)
    nodes.push_back({from[0] + (to[0] - from[0]) * s / n, from[1] + (to[1] - from[1]) * s / n,
                     from[2] + (to[2] - from[2]) * s / n});
}

/// A triangle of lattice width n with corners a, b, c: corners, sides ab, bc, ca, then the triangle inside, and so on.
void append_triangle(Nodes& nodes, const Node& a, const Node& b, const Node& c, int n) {
  if (n < 0) return;
  if (n == 0) {
    nodes.push_back(a);
    return;
  }
  nodes.insert(nodes.end(), {a, b, c});
  append_between(nodes, a, b, n);
  append_between(nodes, b, c, n);
  append_between(nodes, c, a, n);
  if (n < 3) return;
  const auto inner = [n](const Node& p, const Node& q, const Node& r) {  // one step from p towards both others
    Node node;
    for (std::size_t d = 0; d < 3; ++d) node[d] = p[d] + (q[d] - p[d]) / n + (r[d] - p[d]) / n;
    return node;
  };
  append_triangle(nodes, inner(a, b, c), inner(b, c, a), inner(c, a, b), n - 3);
}

/// The nodes strictly inside a triangle.
void append_triangle_inside(Nodes& nodes, const Node& a, const Node& b, const Node& c, int n) {
  Nodes all;
  append_triangle(all, a, b, c, n);
  nodes.insert(nodes.end(), all.begin() + 3 * n, all.end());
}

/// A tetrahedron of lattice width n at `base`: corners, edges, faces, then the tetrahedron inside, and so on.
void append_tetrahedron(Nodes& nodes, const Node& base, int n) {
  const auto [i, j, k] = base;
  if (n < 0) return;
  if (n == 0) {
    nodes.push_back(base);
    return;
  }
  const Node a = base, b = {i + n, j, k}, c = {i, j + n, k}, d = {i, j, k + n};
  nodes.insert(nodes.end(), {a, b, c, d});
  append_between(nodes, a, b, n);
  append_between(nodes, b, c, n);
  append_between(nodes, c, a, n);
  append_between(nodes, a, d, n);
  append_between(nodes, b, d, n);
  append_between(nodes, c, d, n);
  append_triangle_inside(nodes, a, b, d, n);
  append_triangle_inside(nodes, c, d, b, n);
  append_triangle_inside(nodes, a, d, c, n);
  append_triangle_inside(nodes, a, c, b, n);
  append_tetrahedron(nodes, {i + 1, j + 1, k + 1}, n - 4);
}

Nodes quadrilateral_nodes(int n) {
  Nodes nodes = {{0, 0, 0}, {n, 0, 0}, {n, n, 0}, {0, n, 0}};
  append_between(nodes, {0, 0, 0}, {n, 0, 0}, n);
  append_between(nodes, {n, 0, 0}, {n, n, 0}, n);
  append_between(nodes, {0, n, 0}, {n, n, 0}, n);
  append_between(nodes, {0, 0, 0}, {0, n, 0}, n);
  for (int j = 1; j < n; ++j)
    for (int i = 1; i < n; ++i) nodes.push_back({i, j, 0});
  return nodes;
}

Nodes hexahedron_nodes(int n) {
  Nodes nodes;
  for (int k : {0, n}) nodes.insert(nodes.end(), {{0, 0, k}, {n, 0, k}, {n, n, k}, {0, n, k}});
  for (int k : {0, n}) {
    append_between(nodes, {0, 0, k}, {n, 0, k}, n);
    append_between(nodes, {n, 0, k}, {n, n, k}, n);
    append_between(nodes, {0, n, k}, {n, n, k}, n);
    append_between(nodes, {0, 0, k}, {0, n, k}, n);
  }
  for (const Node& foot : {Node{0, 0, 0}, Node{n, 0, 0}, Node{n, n, 0}, Node{0, n, 0}})
    append_between(nodes, foot, {foot[0], foot[1], n}, n);
  const auto face = [&](auto node_of) {
    for (int t = 1; t < n; ++t)
      for (int s = 1; s < n; ++s) nodes.push_back(node_of(s, t));
  };
  for (int end : {0, n}) face([end](int s, int t) { return Node{end, s, t}; });
  for (int end : {0, n}) face([end](int s, int t) { return Node{s, end, t}; });
  for (int end : {0, n}) face([end](int s, int t) { return Node{s, t, end}; });
  for (int k = 1; k < n; ++k) face([k](int s, int t) { return Node{s, t, k}; });
  return nodes;
}

Nodes prism_nodes(int n) {
  Nodes nodes;
  for (int k : {0, n}) nodes.insert(nodes.end(), {{0, 0, k}, {n, 0, k}, {0, n, k}});
  for (int k : {0, n}) {
    append_between(nodes, {0, 0, k}, {n, 0, k}, n);
    append_between(nodes, {n, 0, k}, {0, n, k}, n);
    append_between(nodes, {0, n, k}, {0, 0, k}, n);
  }
  for (const Node& foot : {Node{0, 0, 0}, Node{n, 0, 0}, Node{0, n, 0}})
    append_between(nodes, foot, {foot[0], foot[1], n}, n);
  const auto triangle_inside = [&](int k) {
    for (int j = 1; j < n; ++j)
      for (int i = 1; i + j < n; ++i) nodes.push_back({i, j, k});
  };
  triangle_inside(0);
  triangle_inside(n);
  for (int k = 1; k < n; ++k)
    for (int s = 1; s < n; ++s) nodes.push_back({s, 0, k});
  for (int k = 1; k < n; ++k)
    for (int s = 1; s < n; ++s) nodes.push_back({n - s, s, k});
  for (int k = 1; k < n; ++k)
    for (int s = 1; s < n; ++s) nodes.push_back({0, n - s, k});
  for (int k = 1; k < n; ++k) triangle_inside(k);
  return nodes;
}

/// The element as one VTK cell: its type and the lattice nodes in VTK's order.
std::pair<VtkType, Nodes> lagrange_cell(Shape shape, int n) {
  Nodes nodes;
  switch (shape) {
    case Shape::line:
      nodes = {{0, 0, 0}, {n, 0, 0}};
      append_between(nodes, {0, 0, 0}, {n, 0, 0}, n);
      return {vtk_lagrange_curve, nodes};
    case Shape::triangle:
      append_triangle(nodes, {0, 0, 0}, {n, 0, 0}, {0, n, 0}, n);
      return {vtk_lagrange_triangle, nodes};
    case Shape::quadrilateral:
      return {vtk_lagrange_quadrilateral, quadrilateral_nodes(n)};
    case Shape::tetrahedron:
      append_tetrahedron(nodes, {0, 0, 0}, n);
      return {vtk_lagrange_tetrahedron, nodes};
    case Shape::prism:
      return {vtk_lagrange_wedge, prism_nodes(n)};
    case Shape::hexahedron:
      return {vtk_lagrange_hexahedron, hexahedron_nodes(n)};
    default:
      throw std::logic_error("no Lagrange cell for this shape");
  }
}

using Template = std::pair<VtkType, Nodes>;  // a linear cell, its nodes as steps from a lattice node

/// Linear cells that, set at every lattice node where all of their nodes are on the lattice, fill the element.
std::vector<Template> linear_cells(Shape shape) {
  const Template upper_triangle = {vtk_triangle, {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
  switch (shape) {
    case Shape::line:
      return {{vtk_line, {{0, 0, 0}, {1, 0, 0}}}};
    case Shape::triangle:
      return {{vtk_triangle, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, upper_triangle};
    case Shape::quadrilateral:
      return {{vtk_quad, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}}};
    case Shape::tetrahedron:  // a corner, an octahedron as four around its diagonal (1,0,0)–(0,1,1), and the corner
                              // opposite
      return {{vtk_tetra, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
              {vtk_tetra, {{1, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}}},
              {vtk_tetra, {{1, 0, 0}, {0, 1, 1}, {0, 0, 1}, {1, 0, 1}}},
              {vtk_tetra, {{1, 0, 0}, {0, 1, 1}, {0, 1, 0}, {0, 0, 1}}},
              {vtk_tetra, {{1, 0, 0}, {0, 1, 1}, {1, 1, 0}, {0, 1, 0}}},
              {vtk_tetra, {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}}}};
    case Shape::prism:
      return {{vtk_wedge, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
              {vtk_wedge, {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}};
    case Shape::hexahedron:
      return {
          {vtk_hexahedron, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}};
    case Shape::pyramid:  // upright, upside down, and the tetrahedra between them along both directions
      return {{vtk_pyramid, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}}},
              {vtk_pyramid, {{0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 0, 1}, {1, 1, 0}}},
              {vtk_tetra, {{0, 0, 1}, {1, 0, 1}, {1, 0, 0}, {1, 1, 0}}},
              {vtk_tetra, {{0, 0, 1}, {0, 1, 1}, {1, 1, 0}, {0, 1, 0}}}};
    default:
      throw std::logic_error("no cells for this shape");
  }
}

bool fits(const Template& cell, Shape shape, int n, const Node& at) {
  for (const Node& step : cell.second) {
    const Node node = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
    if (node[0] > n || node[1] > n || node[2] > n || !on_lattice(shape, n, node)) return false;
  }
  return true;
}

}  // namespace

CellPattern cell_pattern(Shape shape, int order, VtkCells cells) {
  CellPattern pattern;
  std::map<Node, int> number;
  const Nodes nodes = lattice(shape, order);
  for (const Node& node : nodes) {
    number.emplace(node, static_cast<int>(number.size()));
    pattern.points.push_back(reference_point(shape, order, node));
  }
  const auto append = [&](VtkType type, const Nodes& cell, const Node& at) {
    CellPattern::Cell& added = pattern.cells.emplace_back(CellPattern::Cell{type, {}});
    for (const Node& step : cell) added.nodes.push_back(number.at({at[0] + step[0], at[1] + step[1], at[2] + step[2]}));
  };
  if (cells == VtkCells::lagrange && shape != Shape::pyramid) {
    const auto [type, cell] = lagrange_cell(shape, order);
    append(type, cell, {0, 0, 0});
    return pattern;
  }
  for (const Template& cell : linear_cells(shape))
    for (const Node& at : nodes)
      if (fits(cell, shape, order, at)) append(cell.first, cell.second, at);
  return pattern;
}

CellPattern mirrored(CellPattern pattern) {
  for (basis::Point& point : pattern.points) std::swap(point[0], point[1]);
  return pattern;
}

}  // namespace galerna::files
