/// \file
/// From the content of an MSH file to a mesh.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mesh/collapse.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_raw.hpp"
#include "mesh/images.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

class Assembler {
 public:
  Assembler(const GmshCursor& cursor, const RawMesh& raw, const std::string& name) : cursor_(cursor), raw_(raw) {
    mesh_.file = name;
    mesh_.nodes = raw.nodes;
    mesh_.image = own_images(raw.nodes.size());
  }

  Mesh assemble() {
    find_dimension();
    check_repeated_nodes();
    make_blocks();
    check_size();
    if (mesh_.dimension == 2) check_plane();
    make_boundaries();
    for (const auto& [group, group_name] : raw_.group_names)
      if (group.first < mesh_.dimension - 1) mesh_.other_names.push_back(group_name);
    make_images();
    return std::move(mesh_);
  }

 private:
  void find_dimension() {
    if (raw_.elements.empty()) cursor_.fail("the mesh has no elements");
    for (const RawElement& e : raw_.elements) mesh_.dimension = std::max(mesh_.dimension, dimension(e.type.shape));
    if (mesh_.dimension < 2)
      cursor_.fail(fmt::format(
          "the mesh has no elements of two or three dimensions, only {}: mesh the surface or the volume, and "
          "save it (in Gmsh: put it into a physical group too)",
          mesh_.dimension == 1 ? "lines" : "points"));
  }

  void check_repeated_nodes() const {
    const RawElement* first = nullptr;
    std::size_t more = 0;
    for (const RawElement& e : raw_.elements) {
      if (dimension(e.type.shape) != mesh_.dimension || !repeated_corner(corners(e))) continue;
      if (!first) first = &e;
      more += first != &e;
    }
    if (!first) return;
    const auto [node, times] = *repeated_corner(corners(*first));
    cursor_.fail_at(first->position,
                    fmt::format("element {} (a {}) has node {} {}: {}{}", first->number, name(first->type.shape),
                                raw_.numbers.number(node), times == 2 ? "twice" : fmt::format("{} times", times),
                                collapse_remedy(first->type.shape, corners(*first)),
                                more == 0 ? "" : fmt::format(" ({} more like this)", more)));
  }

  std::span<const Index> corners(const RawElement& e) const {
    return std::span(raw_.element_nodes)
        .subspan(static_cast<std::size_t>(e.first_node), static_cast<std::size_t>(corner_count(e.type.shape)));
  }

  /// "wall" for a group that has a name, else its number as text.
  std::string group_name(int dimension, int group) const {
    const auto found = raw_.group_names.find({dimension, group});
    return found == raw_.group_names.end() || found->second.empty() ? std::to_string(group) : found->second;
  }

  const std::vector<int>& groups(const RawElement& e) const {
    return raw_.group_sets[static_cast<std::size_t>(e.groups)];
  }

  int region_named(const std::string& name) {
    const auto found = std::find(mesh_.region_names.begin(), mesh_.region_names.end(), name);
    if (found != mesh_.region_names.end()) return static_cast<int>(found - mesh_.region_names.begin());
    mesh_.region_names.push_back(name);
    return static_cast<int>(mesh_.region_names.size()) - 1;
  }

  /// [group set] what elements in it have as their region (Mesh::regions()); −1 for sets without elements.
  std::vector<int> find_regions() {
    std::vector<std::vector<int>> sets(raw_.group_sets.size());
    for (const RawElement& e : raw_.elements) {
      std::vector<int>& set = sets[static_cast<std::size_t>(e.groups)];
      if (dimension(e.type.shape) != mesh_.dimension || !set.empty()) continue;
      for (const int group : groups(e)) set.push_back(region_named(group_name(mesh_.dimension, group)));
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
    std::vector<int> regions;
    std::vector<std::vector<int>>& shared = mesh_.shared_regions;
    for (const std::vector<int>& set : sets) {
      regions.push_back(set.empty() ? -1 : set.front());
      if (set.size() < 2) continue;
      const auto found = std::find(shared.begin(), shared.end(), set);
      regions.back() = static_cast<int>(mesh_.region_names.size() + static_cast<std::size_t>(found - shared.begin()));
      if (found == shared.end()) shared.push_back(set);
    }
    return regions;
  }

  /// One block for each shape and order, in the order of shapes and orders.
  void make_blocks() {
    std::map<std::pair<Shape, int>, ElementBlock> blocks;
    const std::vector<int> regions = find_regions();
    Index source = 0;
    for (const RawElement& e : raw_.elements) {
      if (dimension(e.type.shape) != mesh_.dimension) continue;
      ElementBlock& block = blocks[{e.type.shape, e.type.order}];
      block.shape = e.type.shape;
      block.order = e.type.order;
      const auto nodes = raw_.element_nodes.begin() + e.first_node;
      block.nodes.insert(block.nodes.end(), nodes, nodes + node_count(e.type.shape, e.type.order));
      block.region.push_back(regions[static_cast<std::size_t>(e.groups)]);
      block.source.push_back(source++);
      mesh_.numbers.push_back(e.number);
    }
    for (auto& [key, block] : blocks) mesh_.blocks.push_back(std::move(block));
  }

  /// Products of several lengths must be numbers.
  void check_size() const {
    constexpr double most = 1e30;
    const Box box = bounding_box(mesh_);
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k) largest = std::max({largest, std::abs(box.lower[k]), std::abs(box.upper[k])});
    if (largest > most)
      cursor_.fail(
          fmt::format("coordinates reach {:.6g}: these numbers are too large, {:g} is the most that can be "
                      "computed with; write the mesh in larger units",
                      largest, most));
  }

  void check_plane() {
    const double tolerance = 1e-9 * extent(mesh_);
    const double z = mesh_.nodes[static_cast<std::size_t>(mesh_.blocks.front().nodes.front())][2];
    for (const RawElement& e : raw_.elements) {
      if (dimension(e.type.shape) != 2) continue;
      for (int n = 0; n < node_count(e.type.shape, e.type.order); ++n) {
        const Index node = raw_.element_nodes[static_cast<std::size_t>(e.first_node + n)];
        Point& x = mesh_.nodes[static_cast<std::size_t>(node)];
        if (std::abs(x[2] - z) > tolerance)
          cursor_.fail_at(e.position,
                          fmt::format("element {} of a two-dimensional mesh has node {} at {}, outside the plane "
                                      "z = {:.6g}: the mesh must lie in a plane z = constant (a surface in space "
                                      "cannot be computed on; a volume mesh lacks its volume elements)",
                                      e.number, raw_.numbers.number(node), to_text(x, 3), z));
        x[2] = z;
      }
    }
  }

  /// A side that a physical group names: the elements of the group, and the elements of the mesh that it is a side of.
  struct NamedSide {
    std::vector<std::string> names;
    std::size_t position;
    std::int64_t number;
    Index node;
    std::vector<Side> owners;
  };

  void make_boundaries() {
    std::vector<NamedSide> sides;
    std::unordered_map<SideKey, std::size_t, SideKeyHash> by_key;
    std::vector<char> named(mesh_.nodes.size(), 0);
    for (const RawElement& e : raw_.elements) {
      if (dimension(e.type.shape) != mesh_.dimension - 1 || groups(e).empty()) continue;
      const auto own = corners(e);
      const auto [entry, fresh] = by_key.emplace(side_key(own), sides.size());
      if (fresh) sides.push_back({{}, e.position, e.number, own[0], {}});
      for (const Index node : own) named[static_cast<std::size_t>(node)] = 1;
      NamedSide& side = sides[entry->second];
      for (const int group : groups(e)) {
        const std::string name = group_name(mesh_.dimension - 1, group);
        if (std::find(side.names.begin(), side.names.end(), name) == side.names.end()) side.names.push_back(name);
      }
    }
    if (sides.empty()) return;
    for_each_side(mesh_, [&](const Side& side, std::span<const Index> corners) {
      for (const Index node : corners)
        if (!named[static_cast<std::size_t>(node)]) return;
      const auto found = by_key.find(side_key(corners));
      if (found != by_key.end()) sides[found->second].owners.push_back(side);
    });
    for (const NamedSide& side : sides) add_to_boundary(side);
  }

  void add_to_boundary(const NamedSide& side) {
    const std::string at = to_text(mesh_.nodes[static_cast<std::size_t>(side.node)], mesh_.dimension);
    if (side.owners.empty())
      cursor_.fail_at(
          side.position,
          fmt::format("element {} of boundary '{}', at {}, is the side of no element: mesh the domain that it bounds, "
                      "or take it out of the physical group",
                      side.number, side.names.front(), at));
    if (side.owners.size() > 1) return;  // inside the domain
    if (side.names.size() > 1)
      cursor_.fail_at(
          side.position,
          fmt::format("element {}, at {}, is in the boundaries '{}' and '{}': a side has one name only; take it out of "
                      "all physical groups but one",
                      side.number, at, side.names[0], side.names[1]));
    const auto found = std::find_if(mesh_.boundaries.begin(), mesh_.boundaries.end(),
                                    [&](const Boundary& b) { return b.name == side.names[0]; });
    if (found != mesh_.boundaries.end()) return found->sides.push_back(side.owners[0]);
    mesh_.boundaries.push_back({side.names[0], {side.owners[0]}});
  }

  void make_images() {
    const double tolerance = 1e-6 * extent(mesh_);
    for (const PeriodicLink& link : raw_.periodic) {
      std::optional<Point> translation;
      for (const auto& [node, of] : link.nodes) {
        if (node == of) continue;
        const Point& x = mesh_.nodes[static_cast<std::size_t>(node)];
        const Point& y = mesh_.nodes[static_cast<std::size_t>(of)];
        const Point here{x[0] - y[0], x[1] - y[1], x[2] - y[2]};
        if (!translation) translation = here;
        if (distance(here, *translation) > tolerance)
          cursor_.fail_at(
              link.position,
              fmt::format("the periodic nodes {} and {} are not one translation apart like the others of their entity: "
                          "only translations are supported, no rotations",
                          raw_.numbers.number(node), raw_.numbers.number(of)));
        join_images(mesh_.image, node, of);
      }
    }
    finish_images(mesh_.image);
  }

  const GmshCursor& cursor_;
  const RawMesh& raw_;
  Mesh mesh_;
};

}  // namespace

Mesh assemble_gmsh(const GmshCursor& cursor, const RawMesh& raw, const std::string& name) {
  return Assembler(cursor, raw, name).assemble();
}

}  // namespace galerna::mesh
