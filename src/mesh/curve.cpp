#include "mesh/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_elements.hpp"
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

/// Lattice of one shape with what blending needs.
struct Lattice {
  std::vector<LatticePoint> nodes;
  Table linear;  ///< [node][corner] weights of the straight-sided element
};

class Raiser {
 public:
  Raiser(const Mesh& mesh, const Curves& curves, int order) : mesh_(mesh), curves_(curves), order_(order) {
    fine_.file = mesh.file;
    fine_.dimension = mesh.dimension;
    fine_.nodes = mesh.nodes;
    fine_.image = mesh.image;
    fine_.region_names = mesh.region_names;
    fine_.other_names = mesh.other_names;
  }

  Mesh raise() {
    find_walls();
    for (auto& [element, sides] : walls_)
      for (WallSide& wall : sides) displace(element, wall);
    divide_blocks();
    for (const Boundary& boundary : mesh_.boundaries) {
      fine_.boundaries.push_back({boundary.name, boundary.sides});
      for (Side& side : fine_.boundaries.back().sides) side.element = fresh_[static_cast<std::size_t>(side.element)];
    }
    return std::move(fine_);
  }

 private:
  Point& place(Index node) { return fine_.nodes[static_cast<std::size_t>(node)]; }

  void find_walls() {
    for (const Boundary& boundary : mesh_.boundaries) {
      const auto found = curves_.find(boundary.name);
      if (found == curves_.end()) continue;
      const PlaneCurve& shape = *found->second;
      for (const Side& side : boundary.sides) {
        const std::vector<Index> ends = corners_of(mesh_, side);
        const Point a = mesh_.nodes[static_cast<std::size_t>(ends[0])],
                    b = mesh_.nodes[static_cast<std::size_t>(ends[1])];
        const auto span = shape.span(a, b);
        if (!span) continue;
        for (std::size_t i = 0; i < 2; ++i) move_vertex(ends[i], shape, (*span)[i], distance(a, b), boundary.name);
        walls_[side.element].push_back({side.side, &shape, *span, {}});
      }
    }
  }

  void move_vertex(Index node, const PlaneCurve& shape, double t, double length, const std::string& boundary) {
    Point target = shape.at(t);
    target[2] = place(node)[2];
    const double off = distance(target, place(node));
    if (off > 0.05 * length)
      throw InputError({mesh_.file},
                       fmt::format("the vertex at {} of boundary '{}' lies {:.3g} off its {}, but its sides are {:.3g} "
                                   "long: check the shape in [mesh.curve.{}], or make the mesh fit it",
                                   to_text(place(node), 2), boundary, off, shape.name(), length, boundary));
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
        throw InputError({mesh_.file}, fmt::format("the wall side of {} spans too much of the {}: refine the wall",
                                                   place_of(mesh_, element), wall.shape->name()));
    }
  }

  const Lattice& lattice(Shape shape) {
    Lattice& l = lattices_[shape];
    if (l.nodes.empty())
      l = {node_lattice(shape, order_), bernstein_values(shape, 1, lattice_coordinates(shape, order_))};
    return l;
  }

  /// Straight blocks without the wall's elements, then the raised ones; their regions and sources go with them.
  void divide_blocks() {
    std::map<Shape, ElementBlock> raised;
    std::map<Shape, std::vector<Index>> raised_elements;
    fresh_.resize(static_cast<std::size_t>(mesh_.element_count()));
    Index element = 0, next = 0;
    for (const ElementBlock& block : mesh_.blocks) {
      ElementBlock straight{block.shape, 1, {}, {}, {}};
      for (Index e = 0; e < block.size(); ++e, ++element) {
        const bool at_wall = walls_.contains(element);
        ElementBlock& target =
            at_wall ? raised.try_emplace(block.shape, ElementBlock{block.shape, order_, {}, {}, {}}).first->second
                    : straight;
        const std::vector<Index> nodes = at_wall ? raise_element(block.shape, element) : mesh_.corners(element);
        target.nodes.insert(target.nodes.end(), nodes.begin(), nodes.end());
        target.region.push_back(block.region[static_cast<std::size_t>(e)]);
        target.source.push_back(block.source[static_cast<std::size_t>(e)]);
        if (at_wall)
          raised_elements[block.shape].push_back(element);
        else
          fresh_[static_cast<std::size_t>(element)] = next++;
      }
      if (straight.size() > 0) fine_.blocks.push_back(std::move(straight));
    }
    for (auto& [shape, block] : raised) {
      for (const Index e : raised_elements[shape]) fresh_[static_cast<std::size_t>(e)] = next++;
      fine_.blocks.push_back(std::move(block));
    }
  }

  std::vector<Index> raise_element(Shape shape, Index element) {
    const Lattice& l = lattice(shape);
    const std::vector<Index> corners = mesh_.corners(element);
    std::vector<Index> nodes = corners;
    for (std::size_t n = corners.size(); n < l.nodes.size(); ++n) {
      Point x{};
      for (std::size_t c = 0; c < corners.size(); ++c)
        for (std::size_t k = 0; k < 3; ++k) x[k] += l.linear(n, c) * place(corners[c])[k];
      for (const WallSide& wall : walls_.at(element)) {
        const Point d = blended(shape, l, n, wall);
        for (std::size_t k = 0; k < 2; ++k) x[k] += d[k];
      }
      nodes.push_back(add_node(l, n, corners, x));
    }
    return nodes;
  }

  /// The displacement that a wall side gives the element's node n.
  Point blended(Shape shape, const Lattice& l, std::size_t n, const WallSide& wall) const {
    const auto ends = side_corners(shape, wall.side);
    const double a = l.linear(n, static_cast<std::size_t>(ends[0])), b = l.linear(n, static_cast<std::size_t>(ends[1]));
    Point d{};
    if (shape == Shape::quadrilateral) {
      const double along = b + l.linear(n, static_cast<std::size_t>((ends[1] + 1) % 4));
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

  /// Nodes on an edge are shared by the raised elements beside it.
  Index add_node(const Lattice& l, std::size_t n, const std::vector<Index>& corners, const Point& x) {
    std::vector<std::size_t> ends;
    for (std::size_t c = 0; c < corners.size(); ++c)
      if (l.linear(n, c) != 0) ends.push_back(c);
    const auto number = static_cast<Index>(fine_.nodes.size());
    if (ends.size() == 2) {
      if (corners[ends[0]] > corners[ends[1]]) std::swap(ends[0], ends[1]);
      const std::tuple key{corners[ends[0]], corners[ends[1]], std::lround(l.linear(n, ends[1]) * order_)};
      const auto [entry, added] = edge_nodes_.emplace(key, number);
      if (!added) return entry->second;
    }
    fine_.nodes.push_back(x);
    fine_.image.push_back(number);
    return number;
  }

  const Mesh& mesh_;
  const Curves& curves_;
  int order_;
  Mesh fine_;
  std::map<Index, std::vector<WallSide>> walls_;  ///< element -> its sides on walls
  std::map<Shape, Lattice> lattices_;
  std::map<std::tuple<Index, Index, long>, Index> edge_nodes_;  ///< ends in increasing order, step from the first
  std::vector<Index> fresh_;                                    ///< [element of mesh_] its number in fine_
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
  Mesh result = Raiser(mesh, curves, order).raise();
  report_problems(result, folded_elements(result,
                                          "refine the mesh along the wall (more sides, or thicker elements), or "
                                          "lower mesh.geometry_order"));
  return result;
}

}  // namespace galerna::mesh
