/// \file
/// From the content of an MSH file to a mesh.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/parallel.hpp"
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

  static constexpr std::int64_t piece = 1 << 14;  ///< elements that a thread takes at a time

  /// Calls visit(number of the piece, element) for all elements of a dimension, from any thread; those of a piece come
  /// one after the other.
  template <class Visit>
  void for_each_element(int of_dimension, const Visit& visit) const {
    in_parallel(static_cast<std::int64_t>(raw_.elements.size()), piece, [&](std::int64_t begin, std::int64_t end) {
      for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e)
        if (dimension(raw_.elements[e].type.shape) == of_dimension)
          visit(static_cast<std::size_t>(begin / piece), raw_.elements[e]);
    });
  }
  std::size_t pieces() const { return (raw_.elements.size() + piece - 1) / piece; }

  void check_repeated_nodes() const {
    std::vector<std::vector<const RawElement*>> repeated(pieces());
    for_each_element(mesh_.dimension, [&](std::size_t k, const RawElement& e) {
      if (repeated_corner(corners(e))) repeated[k].push_back(&e);
    });
    const RawElement* first = nullptr;
    std::size_t more = 0;
    for (const auto& part : repeated)
      for (const RawElement* e : part) {
        if (!first) first = e;
        more += first != e;
      }
    if (!first) return;
    const auto [node, times] = *repeated_corner(corners(*first));
    cursor_.fail_at(first->position,
                    fmt::format("element {} (a {}) has node {} {}: {}{}", first->number, name(first->type.shape),
                                raw_.numbers.number(node), times == 2 ? "twice" : fmt::format("{} times", times),
                                collapse_remedy(first->type.shape, corners(*first)),
                                more == 0 ? "" : fmt::format(" ({} more like this)", more)));
  }

  std::span<const Index> nodes(const RawElement& e) const {
    return std::span(raw_.element_nodes)
        .subspan(static_cast<std::size_t>(e.first_node),
                 static_cast<std::size_t>(node_count(e.type.shape, e.type.order)));
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
    using Kind = std::pair<Shape, int>;
    const std::vector<int> regions = find_regions();
    std::vector<std::map<Kind, Index>> before(pieces() + 1);  // [piece] elements of each kind in it, then before it
    for_each_element(mesh_.dimension, [&](std::size_t k, const RawElement& e) {
      ++before[k][{e.type.shape, e.type.order}];
    });
    std::map<Kind, Index> sums;
    std::vector<Index> sources;  // [piece] elements before it
    for (std::map<Kind, Index>& part : before) {
      const std::map<Kind, Index> own = std::exchange(part, sums);
      Index all = 0;
      for (const auto& [kind, count] : sums) all += count;
      sources.push_back(all);
      for (const auto& [kind, count] : own) sums[kind] += count;
    }
    std::map<Kind, ElementBlock*> blocks;
    mesh_.blocks.reserve(sums.size());
    for (const auto& [kind, count] : sums) {
      const auto& [shape, order] = kind;
      ElementBlock& block = mesh_.blocks.emplace_back(ElementBlock{shape, order, {}, {}, {}});
      block.nodes.resize(static_cast<std::size_t>(count * block.nodes_per_element()));
      block.region.resize(static_cast<std::size_t>(count));
      block.source.resize(static_cast<std::size_t>(count));
      blocks[kind] = &block;
    }
    mesh_.numbers.resize(static_cast<std::size_t>(sources.back()));
    for_each_element(mesh_.dimension, [&](std::size_t k, const RawElement& e) {
      const Kind kind{e.type.shape, e.type.order};
      ElementBlock& block = *blocks.at(kind);
      const auto at = static_cast<std::size_t>(before[k][kind]++);
      const Index source = sources[k]++;
      const auto count = static_cast<std::size_t>(node_count(e.type.shape, e.type.order));
      std::copy_n(raw_.element_nodes.begin() + e.first_node, count,
                  block.nodes.begin() + static_cast<std::ptrdiff_t>(at * count));
      block.region[at] = regions[static_cast<std::size_t>(e.groups)];
      block.source[at] = source;
      mesh_.numbers[static_cast<std::size_t>(source)] = e.number;
    });
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
    // Nodes belong to several elements, whose threads all write the same.
    std::vector<const RawElement*> outside(pieces(), nullptr);
    const auto height = [&](Index node) { return std::atomic_ref(mesh_.nodes[static_cast<std::size_t>(node)][2]); };
    for_each_element(2, [&](std::size_t k, const RawElement& e) {
      for (const Index node : nodes(e)) {
        if (outside[k]) return;
        if (std::abs(height(node).load(std::memory_order_relaxed) - z) > tolerance)
          outside[k] = &e;
        else
          height(node).store(z, std::memory_order_relaxed);
      }
    });
    for (const RawElement* e : outside)
      if (e) fail_outside(*e, z, tolerance);
  }

  [[noreturn]] void fail_outside(const RawElement& e, double z, double tolerance) const {
    const auto own = nodes(e);
    const Index node = *std::find_if(own.begin(), own.end(), [&](Index n) {
      return std::abs(mesh_.nodes[static_cast<std::size_t>(n)][2] - z) > tolerance;
    });
    cursor_.fail_at(e.position, fmt::format("element {} of a two-dimensional mesh has node {} at {}, outside the plane "
                                            "z = {:.6g}: the mesh must lie in a plane z = constant (a surface in space "
                                            "cannot be computed on; a volume mesh lacks its volume elements)",
                                            e.number, raw_.numbers.number(node),
                                            to_text(mesh_.nodes[static_cast<std::size_t>(node)], 3), z));
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
    Index element = 0;
    for (const ElementBlock& block : mesh_.blocks) {
      std::vector<std::vector<std::pair<std::size_t, Side>>> found(
          static_cast<std::size_t>((block.size() + piece - 1) / piece));
      in_parallel(block.size(), piece, [&](Index begin, Index end) {
        for_each_side(block, element, begin, end, [&](const Side& side, std::span<const Index> corners) {
          for (const Index node : corners)
            if (!named[static_cast<std::size_t>(node)]) return;
          const auto entry = by_key.find(side_key(corners));
          if (entry != by_key.end()) found[static_cast<std::size_t>(begin / piece)].emplace_back(entry->second, side);
        });
      });
      for (const auto& part : found)
        for (const auto& [number, side] : part) sides[number].owners.push_back(side);
      element += block.size();
    }
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
    if (side.owners.size() > 1) return add_inner(side);
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

  void add_inner(const NamedSide& side) {
    for (const std::string& name : side.names) {
      const auto found = std::find_if(mesh_.inner_sides.begin(), mesh_.inner_sides.end(),
                                      [&](const InnerSides& inner) { return inner.name == name; });
      if (found != mesh_.inner_sides.end())
        ++found->count;
      else
        mesh_.inner_sides.push_back({name, 1, mesh_.nodes[static_cast<std::size_t>(side.node)]});
    }
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
