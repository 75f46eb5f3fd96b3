/// \file
/// Nodes that elements share because they lie at the same place of an edge or a side.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/lattice.hpp"
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
  bool operator==(const NodePlace&) const = default;
};

struct NodePlaceHash {
  std::size_t operator()(const NodePlace& place) const;
};

/// \param weights of four corners at most \param corners of the element
NodePlace node_place(const CornerWeights& weights, std::span<const Index> corners);

using SharedNodes = std::unordered_map<NodePlace, Index, NodePlaceHash>;

}  // namespace galerna::mesh
