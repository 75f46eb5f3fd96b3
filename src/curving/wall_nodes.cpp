#include "curving/wall_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/lattice.hpp"
#include "curving/planes.hpp"
#include "mesh/blend.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"

namespace galerna::curving {
namespace {

using mesh::CornerWeights;
using mesh::Index;
using mesh::Point;
using mesh::SideKey;
using mesh::Surface;

/// What a corner or an edge of a wall must stay on.
struct Place {
  std::vector<const Surface*> surfaces;
  std::vector<Plane> planes;

  void add(const Surface* surface) {
    if (std::find(surfaces.begin(), surfaces.end(), surface) == surfaces.end()) surfaces.push_back(surface);
  }
};

/// Nodes of a side's shape and what places them.
struct SideNodes {
  std::vector<CornerWeights> weights;
  mesh::Blend blend;
  SideNodes(Shape shape, int order)
      : weights(mesh::corner_weights(shape, node_lattice(shape, order), order)), blend(shape, order) {}
};

class Placement {
 public:
  Placement(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const SideTable& sides, int order)
      : mesh_(mesh), surfaces_(surfaces), sides_(sides), order_(order) {}

  WallNodes place() {
    place_corners(mesh::allowed_off_shape);
    for (const auto& [corner, target] : corners_)
      add(mesh::node_place({{0, 1}}, std::span(&corner, 1)),
          {node(corner), target, places_.at(mesh::side_key(std::span(&corner, 1))).surfaces[0]});
    for_each_wall_side(
        [&](const Surface& surface, const std::vector<Index>& corners) { place_side(surface, corners); });
    return std::move(result_);
  }

  /// \param allowed how far they may be off, in their longest edges on the wall
  void place_corners(double allowed) {
    find_places();
    std::map<Index, double> longest;  // [corner] of the edges on the wall
    for_each_wall_side([&](const Surface&, const std::vector<Index>& corners) {
      for (const Index a : corners)
        for (const Index b : corners) longest[a] = std::max(longest[a], mesh::distance(node(a), node(b)));
    });
    std::vector<std::string> off;
    for (const auto& [corner, length] : longest) {
      const Place& place = places_.at(mesh::side_key(std::span(&corner, 1)));
      const Point target = meet(place, node(corner));
      const double distance = mesh::distance(target, node(corner));
      if (distance > allowed * length) off.push_back(describe_off(corner, *place.surfaces[0], distance, length));
      corners_[corner] = target;
    }
    mesh::report_problems(mesh_, off);
  }

  const std::map<Index, Point>& corners() const { return corners_; }

 private:
  template <class Visit>
  void for_each_wall_side(const Visit& visit) const {
    for (const mesh::Boundary& boundary : mesh_.boundaries)
      if (const auto found = surfaces_.find(boundary.name); found != surfaces_.end())
        for (const mesh::Side& side : boundary.sides) visit(*found->second, mesh::corners_of(mesh_, side));
  }

  /// Calls visit(key) for the corners of a side, and in space for its edges.
  template <class Visit>
  void for_each_part(std::span<const Index> corners, const Visit& visit) const {
    for (std::size_t c = 0; c < corners.size(); ++c) {
      visit(mesh::side_key(corners.subspan(c, 1)));
      if (corners.size() > 2) visit(mesh::side_key(std::array{corners[c], corners[(c + 1) % corners.size()]}));
    }
  }

  void find_places() {
    for_each_wall_side([&](const Surface& surface, const std::vector<Index>& corners) {
      for_each_part(corners, [&](const SideKey& key) { places_[key].add(&surface); });
    });
    mesh::for_each_side(mesh_, [&](const mesh::Side&, std::span<const Index> corners) {
      const bool at_wall = std::any_of(corners.begin(), corners.end(), [&](const Index& node) {
        return places_.contains(mesh::side_key(std::span(&node, 1)));
      });
      if (!at_wall) return;
      const SideTable::Record& record = sides_.of(corners);
      const auto plane = record.elements == 1 && !record.surface ? plane_of(mesh_, corners) : std::nullopt;
      if (!plane) return;
      for_each_part(corners, [&](const SideKey& key) {
        if (const auto found = places_.find(key); found != places_.end()) found->second.planes.push_back(*plane);
      });
    });
  }

  /// Onto all surfaces and planes, by projections onto one after the other.
  Point meet(const Place& place, const Point& x) const {
    constexpr int rounds = 200;
    Point here = x;
    for (int round = 0; round < rounds; ++round) {
      const Point before = here;
      for (const Surface* surface : place.surfaces) here = nearest(*surface, here);
      for (const Plane& plane : place.planes) here = minus(here, times(plane.distance(here), plane.normal));
      if (place.surfaces.size() + place.planes.size() == 1) break;
      if (mesh::distance(before, here) <= 1e-15 * norm(here)) break;
    }
    return here;
  }

  /// \param corners of the side that x lies in, none for a corner
  Point nearest(const Surface& surface, const Point& x, std::span<const Point> corners = {}) const {
    if (const auto point = corners.empty() ? surface.nearest(x) : surface.nearest(x, corners)) return *point;
    throw InputError({mesh_.file}, fmt::format("the node at {} lies in the middle of the {} that it should move onto: "
                                               "check the shape in [mesh.curve]",
                                               mesh::to_text(x, mesh_.dimension), surface.name()));
  }

  void add(const mesh::NodePlace& place, const WallNode& node) {
    if (!(norm(node.target) < std::numeric_limits<double>::infinity()))
      throw InputError({mesh_.file}, fmt::format("the node at {} would move to a place that is not finite on the {}: "
                                                 "check the shape in [mesh.curve]",
                                                 mesh::to_text(node.straight, mesh_.dimension), node.surface->name()));
    if (result_.numbers.emplace(place, result_.list.size()).second) result_.list.push_back(node);
  }

  std::string describe_off(Index corner, const Surface& surface, double distance, double length) const {
    return fmt::format(
        "the vertex at {} lies {:.3g} off the {}, but its edges on the wall are {:.3g} long: check the "
        "shape in [mesh.curve], or make the mesh fit it",
        mesh::to_text(node(corner), mesh_.dimension), distance, surface.name(), length);
  }

  /// Inside of a side, places on the straight side between the moved corners go to their nearest points. Where edges
  /// have other places than that, the difference is carried on into the side.
  void place_side(const Surface& surface, const std::vector<Index>& corners) {
    around_.clear();
    const SideNodes& nodes = nodes_of(corners.size());
    std::vector<Point> straight, change(nodes.weights.size()), targets;
    std::vector<char> given(nodes.weights.size(), 0);
    for (const Index corner : corners) around_.push_back(corners_.at(corner));
    for (std::size_t n = 0; n < nodes.weights.size(); ++n) {
      straight.push_back(mean(nodes.weights[n], corners, [&](Index c) { return corners_.at(c); }));
      given[n] = nodes.weights[n].size() <= 2;
      targets.push_back(nodes.weights[n].size() == 2 ? edge_node(nodes.weights[n], corners) : straight[n]);
      if (nodes.weights[n].size() == 2 && corners.size() > 2)
        change[n] = minus(targets[n], nearest(surface, straight[n], around_));
    }
    if (corners.size() > 2) nodes.blend.fill(change, given);
    for (std::size_t n = 0; n < targets.size(); ++n)
      if (nodes.weights[n].size() > 2) targets[n] = nearest(surface, plus(straight[n], change[n]), around_);
    add_side(surface, corners, nodes, targets);
  }

  void add_side(const Surface& surface, const std::vector<Index>& corners, const SideNodes& nodes,
                const std::vector<Point>& targets) {
    double largest = 0;
    for (std::size_t n = 0; n < targets.size(); ++n) {
      const Point place = mean(nodes.weights[n], corners, [&](Index c) { return node(c); });
      add(mesh::node_place(nodes.weights[n], corners), {place, targets[n], &surface});
      largest = std::max(largest, mesh::distance(place, targets[n]));
    }
    for (const Index corner : corners) {
      double& all = result_.displacement[corner];
      all = std::max(all, largest);
    }
  }

  Point edge_node(const CornerWeights& weights, const std::vector<Index>& corners) {
    Index a = corners[at(weights[0].first)], b = corners[at(weights[1].first)];
    int share = weights[1].second * order_ / (weights[0].second + weights[1].second);
    if (a > b) std::swap(a, b), share = order_ - share;  // seen the same way from all sides
    return edge(a, b)[at(share - 1)];
  }

  /// Inner nodes of the edge from a to b > a.
  const std::vector<Point>& edge(Index a, Index b) {
    const SideKey key = mesh::side_key(std::array{a, b});
    std::vector<Point>& points = edges_[key];
    if (!points.empty()) return points;
    const Place own = mesh_.dimension == 2 ? Place{{sides_.of(std::array{a, b}).surface}, {}} : places_.at(key);
    points = own.surfaces[0]->between(corners_.at(a), corners_.at(b), order_);
    if (own.surfaces.size() + own.planes.size() > 1)
      for (Point& x : points) x = meet(own, x);
    return points;
  }

  template <class Where>
  static Point mean(const CornerWeights& weights, const std::vector<Index>& corners, const Where& where) {
    Point sum{};
    double all = 0;
    for (const auto& [corner, weight] : weights) {
      sum = plus(sum, times(weight, where(corners[at(corner)])));
      all += weight;
    }
    return times(1 / all, sum);
  }

  const SideNodes& nodes_of(std::size_t corners) {
    const Shape shape = corners == 2 ? Shape::line : corners == 3 ? Shape::triangle : Shape::quadrilateral;
    return nodes_.try_emplace(shape, shape, order_).first->second;
  }

  const Point& node(Index n) const { return mesh_.nodes[at(n)]; }

  const mesh::Mesh& mesh_;
  const mesh::Surfaces& surfaces_;
  const SideTable& sides_;
  int order_;
  std::unordered_map<SideKey, Place, mesh::SideKeyHash> places_;  ///< corners and edges of walls
  std::map<Index, Point> corners_;                                ///< where they go
  std::unordered_map<SideKey, std::vector<Point>, mesh::SideKeyHash> edges_;
  std::map<Shape, SideNodes> nodes_;
  std::vector<Point> around_;  ///< corners of the side that is placed
  WallNodes result_;
};

}  // namespace

WallNodes place_wall_nodes(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const SideTable& sides, int order) {
  return Placement(mesh, surfaces, sides, order).place();
}

std::map<Index, Point> place_corners(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const SideTable& sides,
                                     double allowed) {
  Placement placement(mesh, surfaces, sides, 1);
  placement.place_corners(allowed);
  return placement.corners();
}

}  // namespace galerna::curving
