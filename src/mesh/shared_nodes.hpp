/// \file
/// Nodes that elements share because they lie at the same place of an edge or a side.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/lattice.hpp"
#include "mesh/groups.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {

/// Corners of an element and their weights, at a node, in the map of the straight-sided element: whole numbers without
/// a common divisor.
using CornerWeights = std::vector<std::pair<int, int>>;

/// At points of the lattice of order `steps`: [point]. Of the inside of solids, where they are no such numbers, only
/// how many corners have a weight is right.
std::vector<CornerWeights> corner_weights(Shape shape, const std::vector<LatticePoint>& points, int steps);

/// What tells a node on an edge or side from all others, the same from every element, of any geometry order: the
/// corners between which it lies, in increasing order, −1 before them, and their weights.
struct NodePlace {
  SideKey corners{-1, -1, -1, -1};
  std::array<int, 4> weights{};
  auto operator<=>(const NodePlace&) const = default;
};

struct NodePlaceHash {
  std::size_t operator()(const NodePlace& place) const;
};

/// \param weights of four corners at most \param corners of the element
NodePlace node_place(const CornerWeights& weights, std::span<const Index> corners);

/// [node] the first of so many nodes of elements that lies at the same place. \param corners of the mesh: their numbers
/// are less \param place_of a node, from any thread
template <class PlaceOf>
std::vector<Index> first_at_same_place(Index nodes, Index corners, const PlaceOf& place_of) {
  std::vector<Index> result(static_cast<std::size_t>(nodes));
  const auto smallest = [&](Index node) { return smallest_node(place_of(node).corners); };
  for_each_group(nodes, corners, smallest, [&](std::span<const Index> group) {
    thread_local std::vector<std::pair<NodePlace, Index>> own;
    own.clear();
    for (const Index node : group) own.emplace_back(place_of(node), node);
    std::sort(own.begin(), own.end());
    for (std::size_t k = 0, leader = 0; k < own.size(); ++k) {
      if (own[k].first != own[leader].first) leader = k;
      result[static_cast<std::size_t>(own[k].second)] = own[leader].second;
    }
  });
  return result;
}

using SharedNodes = std::unordered_map<NodePlace, Index, NodePlaceHash>;

}  // namespace galerna::mesh
