#include "mesh/permute.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "base/lattice.hpp"
#include "base/parallel.hpp"
#include "base/parallel_sort.hpp"
#include "mesh/geometry.hpp"
#include "mesh/hilbert.hpp"
#include "mesh/side_order.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

/// The nodes of one element in a new order: new node n = old node order[n]. \param old room for them
void apply(std::span<Index> nodes, const std::vector<int>& order, std::vector<Index>& old) {
  old.assign(nodes.begin(), nodes.end());
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = old[static_cast<std::size_t>(order[n])];
}

/// [old side] the number of the side after its shape's nodes are put into a new order.
std::vector<int> sides_after(Shape shape, const std::vector<int>& order) {
  std::map<std::vector<int>, int> old_sides;
  for (int s = 0; s < side_count(shape); ++s) {
    const auto corners = side_corners(shape, s);
    std::vector<int> sorted(corners.begin(), corners.end());
    std::sort(sorted.begin(), sorted.end());
    old_sides[sorted] = s;
  }
  std::vector<int> result(static_cast<std::size_t>(side_count(shape)));
  for (int s = 0; s < side_count(shape); ++s) {
    std::vector<int> sorted;
    for (const int c : side_corners(shape, s)) sorted.push_back(order[static_cast<std::size_t>(c)]);
    std::sort(sorted.begin(), sorted.end());
    result[static_cast<std::size_t>(old_sides.at(sorted))] = s;
  }
  return result;
}

std::vector<Index> block_starts(const Mesh& mesh) {
  std::vector<Index> starts{0};
  for (const ElementBlock& block : mesh.blocks) starts.push_back(starts.back() + block.size());
  return starts;
}

std::span<Index> nodes_of(ElementBlock& block, Index position) {
  const auto n = static_cast<std::size_t>(block.nodes_per_element());
  return std::span(block.nodes).subspan(static_cast<std::size_t>(position) * n, n);
}

/// A new order of a simplex's corners, and what follows from it for its nodes and sides.
struct SimplexOrder {
  std::vector<int> nodes;
  std::vector<int> sides;
  char odd = 0;  ///< a mirror image
};

/// Of at most four corners: below 256.
std::size_t code_of(const std::array<int, 4>& corners) {
  std::size_t code = 0;
  for (const int corner : corners) code = 4 * code + static_cast<std::size_t>(corner);
  return code;
}

/// [code_of(new order of the corners)]
std::vector<SimplexOrder> simplex_orders(Shape shape, int order) {
  const auto corners = static_cast<std::size_t>(corner_count(shape));
  std::vector<SimplexOrder> orders(256);
  std::array<int, 4> key{};
  const auto used = std::span(key).first(corners);
  std::iota(used.begin(), used.end(), 0);
  do {
    SimplexOrder& fresh = orders[code_of(key)];
    fresh.nodes = permute_simplex(shape, order, used);
    fresh.sides = sides_after(shape, fresh.nodes);
    for (std::size_t c = 0; c < corners; ++c)
      fresh.odd ^= static_cast<char>(std::count_if(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(c),
                                                   [&](int before) { return before > key[c]; }) &
                                     1);
  } while (std::next_permutation(used.begin(), used.end()));
  return orders;
}

/// Corners of a simplex in the order of (image, x, y, z). \param corners at most four, new corner i = old corner
/// corners[i]
void sort_corners(const Mesh& mesh, std::span<const Index> nodes, std::span<int> corners) {
  const auto before = [&](int a, int b) {
    return precedes(mesh, nodes[static_cast<std::size_t>(a)], nodes[static_cast<std::size_t>(b)]);
  };
  std::iota(corners.begin(), corners.end(), 0);
  for (std::size_t i = 1; i < corners.size(); ++i)
    for (std::size_t j = i; j > 0 && before(corners[j], corners[j - 1]); --j) std::swap(corners[j], corners[j - 1]);
}

}  // namespace

void mirror_elements(Mesh& mesh, const std::vector<char>& marks) {
  Index element = 0;
  std::vector<Index> room;
  std::map<Shape, std::vector<int>> sides;
  for (ElementBlock& block : mesh.blocks) {
    const std::vector<int> order = mirror(block.shape, block.order);
    sides[block.shape] = sides_after(block.shape, mirror(block.shape, 1));
    for (Index e = 0; e < block.size(); ++e, ++element)
      if (marks[static_cast<std::size_t>(element)]) apply(nodes_of(block, e), order, room);
  }
  for (Boundary& boundary : mesh.boundaries)
    for (Side& side : boundary.sides)
      if (marks[static_cast<std::size_t>(side.element)])
        side.side = sides.at(mesh.shape(side.element))[static_cast<std::size_t>(side.side)];
}

void separate_straight_tetrahedra(Mesh& mesh) {
  if (std::all_of(mesh.blocks.begin(), mesh.blocks.end(),
                  [](const ElementBlock& b) { return b.shape != Shape::tetrahedron || b.order == 1; }))
    return;
  std::vector<char> straight;
  for (Index e = 0; e < mesh.element_count(); ++e)
    straight.push_back(mesh.shape(e) == Shape::tetrahedron && !is_curved(mesh, e));
  for (Index e = 0; e < mesh.element_count(); ++e) {
    if (!straight[static_cast<std::size_t>(e)]) continue;
    // Exactly: what lies beyond a straight side must see the same one.
    const std::vector<Point> places = straight_places(mesh, e);
    const auto nodes = mesh.element_nodes(e);
    for (std::size_t n = 0; n < nodes.size(); ++n) mesh.nodes[static_cast<std::size_t>(nodes[n])] = places[n];
  }
  std::vector<ElementBlock> old = std::move(mesh.blocks);
  mesh.blocks.clear();
  if (std::any_of(straight.begin(), straight.end(), [](char s) { return s != 0; }))
    mesh.blocks.push_back({Shape::tetrahedron, 1, {}, {}, {}});
  std::vector<std::pair<std::size_t, Index>> fresh;  // [old element] block, position there
  std::size_t element = 0;
  for (const ElementBlock& block : old) {
    ElementBlock rest{block.shape, block.order, {}, {}, {}};
    const auto n = static_cast<std::size_t>(block.nodes_per_element());
    const std::size_t place_of_rest = mesh.blocks.size();
    for (std::size_t e = 0; e < block.source.size(); ++e) {
      const bool to_straight = straight[element++] != 0;
      ElementBlock& to = to_straight ? mesh.blocks.front() : rest;
      fresh.emplace_back(to_straight ? 0 : place_of_rest, to.size());
      const auto from = block.nodes.begin() + static_cast<std::ptrdiff_t>(e * n);
      to.nodes.insert(to.nodes.end(), from, from + to.nodes_per_element());
      to.region.push_back(block.region[e]);
      to.source.push_back(block.source[e]);
    }
    if (!rest.source.empty()) mesh.blocks.push_back(std::move(rest));
  }
  const std::vector<Index> starts = block_starts(mesh);
  for (Boundary& boundary : mesh.boundaries)
    for (Side& side : boundary.sides) {
      const auto& [block, position] = fresh[static_cast<std::size_t>(side.element)];
      side.element = starts[block] + position;
    }
}

std::size_t source_count(const Mesh& mesh) {
  Index count = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (const Index source : block.source) count = std::max(count, source + 1);
  return static_cast<std::size_t>(count);
}

std::vector<char> sort_simplices(Mesh& mesh) {
  std::vector<char> mirrored(source_count(mesh), 0);
  const std::vector<Index> starts = block_starts(mesh);
  std::vector<std::vector<Side*>> boundary_sides(mesh.blocks.size());
  for (Boundary& boundary : mesh.boundaries)
    for (Side& side : boundary.sides)
      boundary_sides[static_cast<std::size_t>(mesh.locate(side.element).block)].push_back(&side);

  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    ElementBlock& block = mesh.blocks[b];
    if (block.shape != Shape::triangle && block.shape != Shape::tetrahedron) continue;
    const auto corners = static_cast<std::size_t>(corner_count(block.shape));
    const std::vector<SimplexOrder> orders = simplex_orders(block.shape, block.order);
    const auto order_of = [&](Index e) -> const SimplexOrder& {
      std::array<int, 4> key{};
      sort_corners(mesh, nodes_of(block, e), std::span(key).first(corners));
      return orders[code_of(key)];
    };
    for (Side* side : boundary_sides[b])
      side->side = order_of(side->element - starts[b]).sides[static_cast<std::size_t>(side->side)];
    in_parallel(block.size(), 4096, [&](Index begin, Index end) {
      std::vector<Index> room;
      for (Index e = begin; e < end; ++e) {
        const SimplexOrder& order = order_of(e);
        apply(nodes_of(block, e), order.nodes, room);
        mirrored[static_cast<std::size_t>(block.source[static_cast<std::size_t>(e)])] = order.odd;
      }
    });
  }
  return mirrored;
}

void renumber_elements(Mesh& mesh) {
  const Box box = bounding_box(mesh);
  const std::vector<Index> starts = block_starts(mesh);
  std::vector<Index> fresh(static_cast<std::size_t>(mesh.element_count()));  // [old element] new element
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    ElementBlock& block = mesh.blocks[b];
    struct Entry {
      std::uint64_t key;
      Index source, position;
      auto operator<=>(const Entry&) const = default;
    };
    constexpr Index piece = 4096;
    std::vector<Entry> order(static_cast<std::size_t>(block.size()));
    in_parallel(block.size(), piece, [&](Index begin, Index end) {
      for (Index e = begin; e < end; ++e)
        order[static_cast<std::size_t>(e)] = {hilbert_key(centroid(mesh, starts[b] + e), box, mesh.dimension),
                                              block.source[static_cast<std::size_t>(e)], e};
    });
    sort_in_parallel(order, std::less());
    ElementBlock sorted{block.shape, block.order, {}, {}, {}};
    sorted.nodes.resize(block.nodes.size());
    sorted.region.resize(block.region.size());
    sorted.source.resize(block.source.size());
    in_parallel(block.size(), piece, [&](Index begin, Index end) {
      for (Index e = begin; e < end; ++e) {
        const auto at = static_cast<std::size_t>(e);
        const Entry& entry = order[at];
        const auto nodes = nodes_of(block, entry.position);
        std::copy(nodes.begin(), nodes.end(), nodes_of(sorted, e).begin());
        sorted.region[at] = block.region[static_cast<std::size_t>(entry.position)];
        sorted.source[at] = entry.source;
        fresh[static_cast<std::size_t>(starts[b] + entry.position)] = starts[b] + e;
      }
    });
    block = std::move(sorted);
  }
  for (Boundary& boundary : mesh.boundaries)
    for (Side& side : boundary.sides) side.element = fresh[static_cast<std::size_t>(side.element)];
}

}  // namespace galerna::mesh
