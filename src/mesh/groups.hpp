/// \file
/// Brings numbers together that belong to the same node: how sides, and nodes between corners, that elements share are
/// found.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Calls visit(group) for each node to which any of 0 … count − 1 belong, from any thread: these, in no order.
/// \param nodes that there are \param node_of a number, from any thread
template <class NodeOf, class Visit>
void for_each_group(Index count, Index nodes, const NodeOf& node_of, const Visit& visit) {
  constexpr Index piece = 1 << 13;
  const auto size = static_cast<std::size_t>(nodes);
  const auto add_one = [](std::vector<Index>& to, Index node) {
    return std::atomic_ref(to[static_cast<std::size_t>(node)]).fetch_add(1, std::memory_order_relaxed);
  };
  // They are counted, then each node's come behind those of the nodes before.
  std::vector<Index> end(size, 0);
  in_parallel(count, piece, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) add_one(end, node_of(k));
  });
  Index before = 0;
  for (Index& begin : end) before += std::exchange(begin, before);
  const auto sorted = std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(count));
  in_parallel(count, piece, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) sorted[static_cast<std::size_t>(add_one(end, node_of(k)))] = k;
  });
  in_parallel(nodes, piece, [&](Index first, Index last) {
    for (auto node = static_cast<std::size_t>(first); node < static_cast<std::size_t>(last); ++node) {
      const Index begin = node == 0 ? 0 : end[node - 1];
      if (end[node] > begin)
        visit(std::span<const Index>(&sorted[static_cast<std::size_t>(begin)],
                                     static_cast<std::size_t>(end[node] - begin)));
    }
  });
}

}  // namespace galerna::mesh
