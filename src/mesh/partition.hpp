/// \file
/// Compact, connected parts of about equal size of a dual graph.
#pragma once

#include <vector>

#include "mesh/dual_graph.hpp"

namespace galerna::mesh {

/// How near the number of parts comes to what is asked for: parts of few nodes may be a fifth too many, or, which takes
/// a few times as long, not more than some per cent.
enum class Count { rough, close };

struct Parts {
  std::vector<Index> part;  ///< [node] 0 … count − 1, counted in the order of their first nodes
  Index count = 0;
};

/// Cuts the nodes of every piece of the graph again and again in halves across the longest side of the box of their
/// centres, joins what hangs together with nothing else of its part to the neighbour it has most in common with, and
/// gives nodes that stick out to the part that is round them. There are about `count` parts, at least one for each
/// piece. \param groups [node] parts do not cross the borders of these \throws std::invalid_argument for count < 1
Parts partition(const DualGraph& graph, const std::vector<Index>& groups, Index count, Count precision = Count::rough);

}  // namespace galerna::mesh
