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

/// Calls visit(side, corners) for every side of every element, in the order of elements and sides; `corners` are the
/// side's corner nodes in the side's own order.
template <class Visit>
void for_each_side(const Mesh& mesh, const Visit& visit) {
  Index element = 0;
  std::array<Index, 4> corners{};
  for (const ElementBlock& block : mesh.blocks) {
    const Index stride = block.nodes_per_element();
    for (Index e = 0; e < block.size(); ++e, ++element)
      for (int s = 0; s < side_count(block.shape); ++s) {
        const auto local = side_corners(block.shape, s);
        for (std::size_t c = 0; c < local.size(); ++c)
          corners[c] = block.nodes[static_cast<std::size_t>(e * stride + local[c])];
        visit(Side{element, s}, std::span<const Index>(corners.data(), local.size()));
      }
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
