/// \file
/// What tells a side from all others: its corner nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Up to four nodes in increasing order, −1 before them.
using SideKey = std::array<Index, 4>;

inline SideKey side_key(std::span<const Index> corners) {
  SideKey key{-1, -1, -1, -1};
  std::copy(corners.begin(), corners.end(), key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

inline Index smallest_node(const SideKey& key) {
  return *std::find_if(key.begin(), key.end(), [](Index node) { return node >= 0; });
}

struct SideKeyHash {
  std::size_t operator()(const SideKey& key) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const Index node : key) {
      hash = (hash ^ static_cast<std::uint64_t>(node)) * 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// Calls visit(side, corners) for every side of the elements begin … end − 1 of a block, whose first element is `first`
/// in the mesh, in the order of elements and sides; `corners` are the side's corner nodes in the side's own order.
template <class Visit>
void for_each_side(const ElementBlock& block, Index first, Index begin, Index end, const Visit& visit) {
  std::array<Index, 4> corners{};
  const Index stride = block.nodes_per_element();
  const int sides = side_count(block.shape);
  for (Index e = begin; e < end; ++e)
    for (int s = 0; s < sides; ++s) {
      const auto local = side_corners(block.shape, s);
      for (std::size_t c = 0; c < local.size(); ++c)
        corners[c] = block.nodes[static_cast<std::size_t>(e * stride + local[c])];
      visit(Side{first + e, s}, std::span<const Index>(corners.data(), local.size()));
    }
}

/// The same for every element of the mesh.
template <class Visit>
void for_each_side(const Mesh& mesh, const Visit& visit) {
  Index first = 0;
  for (const ElementBlock& block : mesh.blocks) {
    for_each_side(block, first, 0, block.size(), visit);
    first += block.size();
  }
}

/// The side's corner nodes, in the side's own order.
inline std::vector<Index> corners_of(const Mesh& mesh, const Side& side) {
  const auto nodes = mesh.element_nodes(side.element);
  std::vector<Index> corners;
  for (const int c : side_corners(mesh.shape(side.element), side.side))
    corners.push_back(nodes[static_cast<std::size_t>(c)]);
  return corners;
}

}  // namespace galerna::mesh
