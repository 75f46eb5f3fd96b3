#include "mesh/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "base/toml_key.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_elements.hpp"
#include "mesh/lattice_values.hpp"
#include "mesh/raise.hpp"
#include "mesh/side_key.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

/// A wall side and where its curve runs.
struct WallSide {
  int side;
  const PlaneCurve* shape;
  std::array<double, 2> span;       ///< parameters at the side's first and second corner
  std::vector<Point> displacement;  ///< [0 … order] of the nodes along the side, from the straight side
};

class WallCurver {
 public:
  WallCurver(const Mesh& mesh, const Curves& curves, int order)
      : mesh_(mesh), moved_(mesh), curves_(curves), order_(order) {}

  Mesh curve() {
    find_walls();
    for (auto& [element, sides] : walls_)
      for (WallSide& wall : sides) displace(element, wall);
    std::vector<char> at_wall(static_cast<std::size_t>(mesh_.element_count()), 0);
    for (const auto& [element, sides] : walls_) at_wall[static_cast<std::size_t>(element)] = 1;
    auto [raised, numbers] = raise(moved_, order_, at_wall);
    std::vector<char> placed(raised.nodes.size(), 0);
    for (const auto& [element, sides] : walls_) bend(raised, numbers[static_cast<std::size_t>(element)], sides, placed);
    return std::move(raised);
  }

 private:
  Point& place(Index node) { return moved_.nodes[static_cast<std::size_t>(node)]; }

  void find_walls() {
    std::vector<std::string> off;
    for (const Boundary& boundary : mesh_.boundaries) {
      const auto found = curves_.find(boundary.name);
      if (found == curves_.end()) continue;
      const PlaneCurve& shape = *found->second;
      std::map<Index, double> longest;  // [vertex] of the sides that follow the curve
      std::map<Index, Point> targets;
      for (const Side& side : boundary.sides) {
        const std::vector<Index> ends = corners_of(mesh_, side);
        const Point a = mesh_.nodes[static_cast<std::size_t>(ends[0])],
                    b = mesh_.nodes[static_cast<std::size_t>(ends[1])];
        const auto span = shape.span(a, b);
        if (!span) continue;
        for (std::size_t i = 0; i < 2; ++i) {
          longest[ends[i]] = std::max(longest[ends[i]], distance(a, b));
          targets[ends[i]] = shape.at((*span)[i]);
        }
        walls_[side.element].push_back({side.side, &shape, *span, {}});
      }
      for (const auto& [node, target] : targets) move_vertex(node, target, longest[node], shape, boundary.name, off);
    }
    report_problems(mesh_, off);
  }

  /// \param off what lies too far off its curve
  void move_vertex(Index node, Point target, double length, const PlaneCurve& shape, const std::string& boundary,
                   std::vector<std::string>& off) {
    target[2] = place(node)[2];
    const double distance = mesh::distance(target, place(node));
    if (distance > allowed_off_shape * length)
      off.push_back(describe_off_shape(mesh_, place(node), boundary, distance, shape.name(), length,
                                       fmt::format("the shape in [mesh.curve.{}]", toml_key(boundary))));
    place(node) = target;
  }

  /// After all vertices are where they belong.
  void displace(Index element, WallSide& wall) {
    const std::vector<Index> ends = corners_of(mesh_, {element, wall.side});
    const Point a = place(ends[0]), b = place(ends[1]);
    for (int k = 0; k <= order_; ++k) {
      const double share = static_cast<double>(k) / order_;
      const Point x = wall.shape->at(wall.span[0] + share * (wall.span[1] - wall.span[0]));
      Point d{};
      for (std::size_t i = 0; i < 2 && k > 0 && k < order_; ++i) d[i] = x[i] - (1 - share) * a[i] - share * b[i];
      wall.displacement.push_back(d);
      if (std::hypot(d[0], d[1]) > 0.5 * distance(a, b))
        throw InputError({mesh_.file}, fmt::format("the wall side of {} spans too much of the {}: refine the wall, or "
                                                   "let the curve pass through the wall's corners and end there. A "
                                                   "straight base at the end of a curve needs a boundary of its own",
                                                   place_of(mesh_, element), wall.shape->name()));
    }
  }

  /// Weights of the straight-sided element's corners: [node][corner].
  const Table& linear_weights(Shape shape) {
    Table& weights = linear_[shape];
    if (weights.rows == 0) weights = lattice_values(shape, 1, node_lattice(shape, order_), order_);
    return weights;
  }

  /// Nodes that raised elements share move once.
  void bend(Mesh& mesh, Index element, const std::vector<WallSide>& walls, std::vector<char>& placed) {
    const Shape shape = mesh.shape(element);
    const Table& linear = linear_weights(shape);
    const auto nodes = mesh.element_nodes(element);
    for (std::size_t n = static_cast<std::size_t>(corner_count(shape)); n < nodes.size(); ++n) {
      const auto node = static_cast<std::size_t>(nodes[n]);
      if (placed[node]) continue;
      placed[node] = 1;
      for (const WallSide& wall : walls) {
        const Point d = blended(shape, linear, n, wall);
        for (std::size_t k = 0; k < 2; ++k) mesh.nodes[node][k] += d[k];
      }
    }
  }

  /// The displacement that a wall side gives the element's node n.
  Point blended(Shape shape, const Table& linear, std::size_t n, const WallSide& wall) const {
    const auto ends = side_corners(shape, wall.side);
    const double a = linear(n, static_cast<std::size_t>(ends[0])), b = linear(n, static_cast<std::size_t>(ends[1]));
    Point d{};
    if (shape == Shape::quadrilateral) {
      const double along = b + linear(n, static_cast<std::size_t>((ends[1] + 1) % 4));
      const Point& at_wall = wall.displacement[static_cast<std::size_t>(std::lround(along * order_))];
      for (std::size_t k = 0; k < 2; ++k) d[k] = (a + b) * at_wall[k];
      return d;
    }
    // q at the wall's inner nodes, interpolated (Lagrange).
    const double at = 0.5 * (1 + b - a);
    for (int i = 1; i < order_; ++i) {
      const double xi = static_cast<double>(i) / order_;
      double weight = a * b / (xi * (1 - xi));
      for (int j = 1; j < order_; ++j)
        if (j != i) weight *= (at * order_ - j) / (i - j);
      for (std::size_t k = 0; k < 2; ++k) d[k] += weight * wall.displacement[static_cast<std::size_t>(i)][k];
    }
    return d;
  }

  const Mesh& mesh_;
  Mesh moved_;  ///< vertices on the walls
  const Curves& curves_;
  int order_;
  std::map<Index, std::vector<WallSide>> walls_;  ///< element -> its sides on walls
  std::map<Shape, Table> linear_;
};

void check(const Mesh& mesh, const Curves& curves, int order) {
  if (order < 2 || order > highest_gmsh_order)
    throw InputError({mesh.file},
                     fmt::format("geometry order {} of curved walls: allowed are 2 to {}", order, highest_gmsh_order));
  if (mesh.dimension != 2) throw InputError({mesh.file}, "walls can be curved in two-dimensional meshes only");
  for (const ElementBlock& block : mesh.blocks)
    if (block.order > 1)
      throw InputError({mesh.file}, fmt::format("the mesh has {} of geometry order {} already: leave [mesh.curve] out, "
                                                "or write the mesh with straight elements (order 1)",
                                                plural_name(block.shape), block.order));
  check_boundary_names(mesh, curves);
}

}  // namespace

Mesh curve(const Mesh& mesh, const Curves& curves, int order) {
  check(mesh, curves, order);
  Mesh result = WallCurver(mesh, curves, order).curve();
  report_problems(result, folded_elements(result,
                                          "refine the mesh along the wall (more sides, or thicker elements), or "
                                          "lower mesh.geometry_order"));
  return result;
}

}  // namespace galerna::mesh
