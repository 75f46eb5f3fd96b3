#include "mesh/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/lattice.hpp"
#include "mesh/faces.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"
#include "mesh/point_tree.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

/// All nodes on a boundary, those of higher order too, in increasing order. Corners only where straight elements stand
/// beside curved ones (mesh/curve.hpp): then the two boundaries may differ in their other nodes.
std::vector<Index> nodes_on(const Mesh& mesh, const Boundary& boundary) {
  const bool uniform = std::all_of(mesh.blocks.begin(), mesh.blocks.end(),
                                   [&](const ElementBlock& b) { return b.order == mesh.blocks[0].order; });
  std::map<std::tuple<int, int>, std::vector<int>> local;  // block, side
  std::vector<Index> nodes;
  for (const Side& side : boundary.sides) {
    const int b = mesh.locate(side.element).block;
    const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(b)];
    const auto [entry, fresh] = local.try_emplace({b, side.side});
    if (fresh) entry->second = side_nodes(block.shape, uniform ? block.order : 1, side.side);
    const auto element = mesh.element_nodes(side.element);
    for (const int n : entry->second) nodes.push_back(element[static_cast<std::size_t>(n)]);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

class PairMatcher {
 public:
  PairMatcher(Mesh& mesh, const PeriodicPair& pair, double tolerance)
      : mesh_(mesh), pair_(pair), tolerance_(tolerance) {}

  void join() {
    if (mesh_.dimension == 2 && pair_.translation[2] != 0)
      fail("the translation has a third component, but the mesh is 2D: leave it out");
    const Boundary &from = find(pair_.from), &to = find(pair_.to);
    if (from.sides.size() != to.sides.size())
      fail(fmt::format(
          "'{}' has {} sides, '{}' has {}: periodic boundaries must have the same mesh (in Gmsh: Periodic Curve or "
          "Surface)",
          pair_.from, from.sides.size(), pair_.to, to.sides.size()));
    join_nodes(nodes_on(mesh_, from), nodes_on(mesh_, to));
  }

  /// Every side of `from` must have its image on `to`: fitting nodes alone do not make fitting faces.
  void check_sides() const {
    std::map<SideKey, std::vector<Side>> images;
    const auto key = [&](const Side& side) {
      std::vector<Index> corners = corners_of(mesh_, side);
      for (Index& node : corners) node = mesh_.image[static_cast<std::size_t>(node)];
      return side_key(corners);
    };
    for (const Side& side : find(pair_.to).sides) images[key(side)].push_back(side);
    for (const Side& side : find(pair_.from).sides) {
      const std::vector<Side>& others = images[key(side)];
      if (std::none_of(others.begin(), others.end(),
                       [&](const Side& other) { return is_translated(mesh_, side, other, tolerance_); }))
        fail(fmt::format(
            "the side of {} on '{}' has no matching side on '{}': the nodes match, but join to different faces",
            place_of(mesh_, side.element), pair_.from, pair_.to));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw InputError(pair_.place, fmt::format("periodic boundaries of {}: {}", mesh_.file, text));
  }

  const Boundary& find(const std::string& name) const {
    std::vector<std::string> names;
    for (const Boundary& boundary : mesh_.boundaries) {
      if (boundary.name == name) return boundary;
      names.push_back(boundary.name);
    }
    const std::string nearest = nearest_name(name, names);
    fail(fmt::format("the mesh has no boundary '{}'{}", name,
                     !nearest.empty() ? fmt::format(", did you mean '{}'?", nearest)
                     : names.empty()  ? "; none of its boundaries has a name"
                                      : fmt::format("; it has {}", list_names(names))));
  }

  void join_nodes(const std::vector<Index>& from, const std::vector<Index>& to) {
    std::vector<Point> points;
    for (const Index node : to) points.push_back(mesh_.nodes[static_cast<std::size_t>(node)]);
    const PointTree tree(points);
    std::vector<Index> partner(to.size(), -1);  // [position in to] node of from
    for (const Index node : from) {
      const Point& x = mesh_.nodes[static_cast<std::size_t>(node)];
      Point moved = x;
      for (std::size_t k = 0; k < 3; ++k) moved[k] += pair_.translation[k];
      const Index match = tree.nearest(moved, tolerance_);
      if (match < 0)
        fail(fmt::format(
            "the node at {} on '{}' moves to {}, where '{}' has no node: the nearest is {:.2g} away; check the "
            "translation, or mesh the two boundaries alike",
            to_text(x, mesh_.dimension), pair_.from, to_text(moved, mesh_.dimension), pair_.to,
            distance(moved, points[static_cast<std::size_t>(tree.nearest(moved, 1e300))])));
      Index& other = partner[static_cast<std::size_t>(match)];
      if (other >= 0)
        fail(fmt::format(
            "the nodes at {} and {} on '{}' both match the node at {} on '{}': the mesh is finer than the tolerance",
            to_text(mesh_.nodes[static_cast<std::size_t>(other)], mesh_.dimension), to_text(x, mesh_.dimension),
            pair_.from, to_text(points[static_cast<std::size_t>(match)], mesh_.dimension), pair_.to));
      other = node;
      // Mesh generators place nodes to 1e-12 or so. Both elements at a face must see the same one, or what leaves the
      // first is not what enters the second: the node moves onto the image of its partner.
      mesh_.nodes[static_cast<std::size_t>(to[static_cast<std::size_t>(match)])] = moved;
      join_images(mesh_.image, node, to[static_cast<std::size_t>(match)]);
    }
    for (std::size_t i = 0; i < to.size(); ++i)
      if (partner[i] < 0)
        fail(fmt::format("the node at {} on '{}' has no partner on '{}'", to_text(points[i], mesh_.dimension), pair_.to,
                         pair_.from));
  }

  Mesh& mesh_;
  const PeriodicPair& pair_;
  double tolerance_;
};

}  // namespace

void join_periodic(Mesh& mesh, const std::vector<PeriodicPair>& pairs, double tolerance) {
  for (const PeriodicPair& pair : pairs) PairMatcher(mesh, pair, tolerance).join();
  finish_images(mesh.image);
  for (const PeriodicPair& pair : pairs) PairMatcher(mesh, pair, tolerance).check_sides();
}

}  // namespace galerna::mesh
