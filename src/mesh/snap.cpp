#include "mesh/snap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "base/toml_key.hpp"
#include "base/vectors.hpp"
#include "mesh/blend.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_elements.hpp"
#include "mesh/lattice_values.hpp"
#include "mesh/raise.hpp"
#include "mesh/shared_nodes.hpp"
#include "mesh/side_key.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

double length_of(const Mesh& mesh, const std::vector<Index>& corners) {
  double length = 0;
  for (const Index a : corners)
    for (const Index b : corners)
      length =
          std::max(length, distance(mesh.nodes[static_cast<std::size_t>(a)], mesh.nodes[static_cast<std::size_t>(b)]));
  return length;
}

/// Where a node of a side belongs.
Point target(const Mesh& mesh, Index node, const RoundSurface& surface, const std::string& boundary, double length) {
  const Point& x = mesh.nodes[static_cast<std::size_t>(node)];
  const std::optional<Point> nearest = surface.nearest(x);
  if (!nearest)
    throw InputError({mesh.file}, fmt::format("the node at {} of boundary '{}' lies in the middle of the {} that it "
                                              "should move onto: check boundary.{}.{}",
                                              to_text(x, mesh.dimension), boundary, surface.name(), toml_key(boundary),
                                              surface.kind()));
  const double off = distance(x, *nearest);
  if (off > length)
    throw InputError({mesh.file},
                     fmt::format("the node at {} of boundary '{}' lies {:.3g} off its {}, but its side is {:.3g} long: "
                                 "check boundary.{}.{}, or make the mesh fit it",
                                 to_text(x, mesh.dimension), boundary, off, surface.name(), length, toml_key(boundary),
                                 surface.kind()));
  return *nearest;
}

/// What raising a displacement by one degree takes, of elements of one shape and geometry order.
struct Step {
  Blend blend;   ///< of order k
  Table places;  ///< [node of order k][node of the element]
  Table before;  ///< [node of order k][node of order k − 1]
};

std::vector<Step> make_steps(Shape shape, int order) {
  std::vector<Step> steps;
  for (int k = 2; k <= order; ++k) {
    const std::vector<LatticePoint> nodes = node_lattice(shape, k);
    steps.push_back({Blend(shape, k), lattice_values(shape, order, nodes, k), lattice_values(shape, k - 1, nodes, k)});
  }
  return steps;
}

std::vector<Point> product(const Table& table, const std::vector<Point>& values) {
  std::vector<Point> result(table.rows);
  for (std::size_t n = 0; n < table.rows; ++n)
    for (std::size_t i = 0; i < table.columns; ++i)
      for (std::size_t k = 0; k < 3; ++k) result[n][k] += table(n, i) * values[i][k];
  return result;
}

/// Calls visit(key) for all edges of a side, in the plane the side.
template <class Visit>
void for_each_edge(const std::vector<Index>& corners, const Visit& visit) {
  for (std::size_t c = 0; c < corners.size(); ++c)
    visit(side_key(std::array{corners[c], corners[(c + 1) % corners.size()]}));
}

class Snapper {
 public:
  Snapper(Mesh& mesh, const Snap& snap) : mesh_(mesh), snap_(snap) {}

  /// \param first nodes before this one stay
  void run(Index first) {
    for (const Boundary& boundary : mesh_.boundaries)
      if (const auto found = snap_.find(boundary.name); found != snap_.end())
        for (const Side& side : boundary.sides) add_side(side, found->second, boundary.name, first);
    for (const ElementBlock& block : mesh_.blocks)
      if (block.order > 1) follow(block);
    for (const auto& [node, place] : targets_) mesh_.nodes[static_cast<std::size_t>(node)] = place;
  }

 private:
  void add_side(const Side& side, const RoundSurface& surface, const std::string& boundary, Index first) {
    const std::vector<Index> corners = corners_of(mesh_, side);
    const double length = length_of(mesh_, corners);
    const ElementBlock& block = mesh_.blocks[static_cast<std::size_t>(mesh_.locate(side.element).block)];
    const auto nodes = mesh_.element_nodes(side.element);
    for (const int n : nodes_on(block, side.side))
      if (const Index node = nodes[static_cast<std::size_t>(n)]; node >= first)
        targets_[node] = target(mesh_, node, surface, boundary, length);
    surfaces_[side_key(corners)] = &surface;
    for_each_edge(corners, [&](const SideKey& edge) { surfaces_[edge] = &surface; });
  }

  const std::vector<int>& nodes_on(const ElementBlock& block, int side) {
    std::vector<int>& nodes = side_nodes_[{block.shape, block.order, side}];
    if (nodes.empty()) nodes = side_nodes(block.shape, block.order, side);
    return nodes;
  }

  /// Puts the nodes of curved elements that touch a surface among the targets.
  void follow(const ElementBlock& block) {
    const std::vector<Step> steps = make_steps(block.shape, block.order);
    const auto count = static_cast<std::size_t>(block.nodes_per_element()),
               corners = static_cast<std::size_t>(corner_count(block.shape));
    for (std::size_t start = 0; start < block.nodes.size(); start += count) {
      const std::span<const Index> nodes(block.nodes.data() + start, count);
      const auto moves = [&](Index node) { return targets_.contains(node); };
      if (std::none_of(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(corners), moves)) continue;
      const std::vector<Point> displacement = displacement_of(nodes, corners, steps);
      for (std::size_t n = 0; n < count; ++n) {
        const Point to = plus(mesh_.nodes[static_cast<std::size_t>(nodes[n])], displacement[n]);
        if (displacement[n] != Point{}) targets_.try_emplace(nodes[n], to);
      }
    }
  }

  /// [node]
  std::vector<Point> displacement_of(std::span<const Index> nodes, std::size_t corners,
                                     const std::vector<Step>& steps) const {
    std::vector<Point> places, displacement;
    for (const Index node : nodes) places.push_back(mesh_.nodes[static_cast<std::size_t>(node)]);
    for (std::size_t c = 0; c < corners; ++c) {
      const auto found = targets_.find(nodes[c]);
      displacement.push_back(found == targets_.end() ? Point{} : minus(found->second, places[c]));
    }
    for (const Step& step : steps) {
      displacement = product(step.before, displacement);
      const std::vector<Point> at = product(step.places, places);
      std::vector<Point> missed(at.size());
      std::vector<char> given(at.size(), 0);
      for (std::size_t n = 0; n < at.size(); ++n) {
        const RoundSurface* surface = surface_of(step.blend.corners()[n], nodes);
        if (!surface) continue;
        given[n] = 1;
        missed[n] = minus(minus(surface->nearest(at[n]).value_or(at[n]), at[n]), displacement[n]);
      }
      step.blend.fill(missed, given);
      for (std::size_t n = 0; n < at.size(); ++n) displacement[n] = plus(displacement[n], missed[n]);
    }
    return displacement;
  }

  /// Of the edge or side between these corners; null inside the domain.
  const RoundSurface* surface_of(const CornerWeights& corners, std::span<const Index> nodes) const {
    if (corners.size() < 2 || corners.size() > 4) return nullptr;
    const auto found = surfaces_.find(node_place(corners, nodes).corners);
    return found == surfaces_.end() ? nullptr : found->second;
  }

  Mesh& mesh_;
  const Snap& snap_;
  std::map<std::tuple<Shape, int, int>, std::vector<int>> side_nodes_;      ///< of shape, order, side
  std::unordered_map<Index, Point> targets_;                                ///< node -> where it moves
  std::unordered_map<SideKey, const RoundSurface*, SideKeyHash> surfaces_;  ///< corners of edges and sides
};

/// [element] whether an edge of it lies on one of the boundaries. Those that touch them with a corner stay straight.
std::vector<char> touching(const Mesh& mesh, const Snap& snap) {
  std::unordered_set<SideKey, SideKeyHash> edges;
  std::vector<char> on_boundary(mesh.nodes.size(), 0), result;
  for (const Boundary& boundary : mesh.boundaries)
    for (const Side& side : boundary.sides)
      if (snap.contains(boundary.name))
        for_each_edge(corners_of(mesh, side), [&](const SideKey& edge) {
          edges.insert(edge);
          on_boundary[static_cast<std::size_t>(edge[2])] = on_boundary[static_cast<std::size_t>(edge[3])] = 1;
        });
  for (Index e = 0; e < mesh.element_count(); ++e) {
    std::vector<Index> corners = mesh.corners(e);
    std::erase_if(corners, [&](Index node) { return on_boundary[static_cast<std::size_t>(node)] == 0; });
    char found = 0;
    for (const Index a : corners)
      for (const Index b : corners) found |= static_cast<char>(a < b && edges.contains(side_key(std::array{a, b})));
    result.push_back(found);
  }
  return result;
}

}  // namespace

void check_boundary_names(const Mesh& mesh, const Snap& snap) {
  for (const auto& [name, surface] : snap) require_boundary(mesh, name, "to move onto a " + surface.kind());
}

void check_corners(const Mesh& mesh, const Snap& snap) {
  std::vector<std::string> off;
  for (const Boundary& boundary : mesh.boundaries) {
    const auto found = snap.find(boundary.name);
    if (found == snap.end() || (found->second.kind() == "circle") != (mesh.dimension == 2)) continue;
    const RoundSurface& surface = found->second;
    std::map<Index, double> longest;  // [corner] of the sides there
    for (const Side& side : boundary.sides) {
      const std::vector<Index> corners = corners_of(mesh, side);
      const double length = length_of(mesh, corners);
      for (const Index corner : corners) longest[corner] = std::max(longest[corner], length);
    }
    for (const auto& [corner, length] : longest) {
      const Point& x = mesh.nodes[static_cast<std::size_t>(corner)];
      const std::optional<Point> nearest = surface.nearest(x);
      const double distance = nearest ? mesh::distance(x, *nearest) : surface.radius();
      if (distance > allowed_off_shape * length)
        off.push_back(describe_off_shape(mesh, x, boundary.name, distance, surface.name(), length,
                                         fmt::format("boundary.{}.{}", toml_key(boundary.name), surface.kind())));
    }
  }
  report_problems(mesh, off);
}

void snap_boundaries(Mesh& mesh, const Snap& snap, Index first) {
  Snapper(mesh, snap).run(is_straight(mesh) ? first : 0);
}

Mesh curve(const Mesh& mesh, const Snap& snap, int order) {
  const int highest = mesh.dimension == 3 ? 4 : highest_gmsh_order;
  if (order < 2 || order > highest)
    throw InputError({mesh.file},
                     fmt::format("geometry order {} of curved surfaces: allowed are 2 to {}", order, highest));
  for (const ElementBlock& block : mesh.blocks)
    if (block.order > 1)
      throw InputError({mesh.file}, fmt::format("the mesh has {} of geometry order {} already: leave "
                                                "mesh.geometry_order out, or write the mesh with straight elements "
                                                "(order 1)",
                                                plural_name(block.shape), block.order));
  check_boundary_names(mesh, snap);
  Mesh result = raise(mesh, order, touching(mesh, snap)).mesh;
  snap_boundaries(result, snap, 0);
  report_problems(result, folded_elements(result,
                                          "refine the mesh along the surface (more sides, or thicker elements), or "
                                          "lower mesh.geometry_order"));
  return result;
}

}  // namespace galerna::mesh
