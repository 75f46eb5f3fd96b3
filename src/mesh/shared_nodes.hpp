/// \file
/// Nodes that elements share because they lie at the same place of an edge or a side.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/lattice.hpp"
#include "base/parallel.hpp"
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

  Index smallest_corner() const {
    return *std::find_if(corners.begin(), corners.end(), [](Index c) { return c >= 0; });
  }
};

struct NodePlaceHash {
  std::size_t operator()(const NodePlace& place) const;
};

/// \param weights of four corners at most \param corners of the element
NodePlace node_place(const CornerWeights& weights, std::span<const Index> corners);

/// [node] the first of so many nodes of elements that lies at the same place. Nodes with the same smallest corner are
/// brought together, by counting them, and sorted among themselves. \param corners of the mesh: their numbers are less
/// \param place_of a node, from any thread
template <class PlaceOf>
std::vector<Index> first_at_same_place(Index nodes, Index corners, const PlaceOf& place_of) {
  constexpr std::int64_t piece = 1 << 13;
  const auto at = [](std::vector<Index>& values, Index k) {
    return std::atomic_ref(values[static_cast<std::size_t>(k)]);
  };
  std::vector<Index> first(static_cast<std::size_t>(corners) + 1);
  in_parallel(nodes, piece, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n)
      at(first, place_of(n).smallest_corner() + 1).fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
  std::vector<Index> next = first, sorted(static_cast<std::size_t>(nodes)), result(sorted.size());
  in_parallel(nodes, piece, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      const Index place = at(next, place_of(n).smallest_corner()).fetch_add(1, std::memory_order_relaxed);
      sorted[static_cast<std::size_t>(place)] = n;
    }
  });
  in_parallel(corners, piece, [&](Index begin, Index end) {
    std::vector<std::pair<NodePlace, Index>> own;
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c) {
      own.clear();
      for (auto k = static_cast<std::size_t>(first[c]); k < static_cast<std::size_t>(first[c + 1]); ++k)
        own.emplace_back(place_of(sorted[k]), sorted[k]);
      std::sort(own.begin(), own.end());
      for (std::size_t k = 0, leader = 0; k < own.size(); ++k) {
        if (own[k].first != own[leader].first) leader = k;
        result[static_cast<std::size_t>(own[k].second)] = own[leader].second;
      }
    }
  });
  return result;
}

using SharedNodes = std::unordered_map<NodePlace, Index, NodePlaceHash>;

}  // namespace galerna::mesh
