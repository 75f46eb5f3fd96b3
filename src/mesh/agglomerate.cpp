#include <algorithm>

#include "mesh/agglomeration.hpp"
#include "mesh/partition.hpp"

namespace galerna::mesh {
namespace {

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// The agglomeration whose polytopes are the parts of those of `fine`.
Agglomeration union_of(const Agglomeration& fine, const Parts& parts) {
  Agglomeration coarse{{}, parts.count};
  coarse.polytope.reserve(fine.polytope.size());
  for (const Index polytope : fine.polytope) coarse.polytope.push_back(parts.part[at(polytope)]);
  return coarse;
}

/// Parts of the polytopes of a level, wherever physical groups are.
Parts coarse_parts(const DualGraph& graph, Index count) {
  return partition(graph, std::vector<Index>(at(graph.size()), 0), count);
}

}  // namespace

Agglomeration make_agglomeration(const Mesh& mesh, Index polytopes) {
  std::vector<Index> regions;
  for (const ElementBlock& block : mesh.blocks) regions.insert(regions.end(), block.region.begin(), block.region.end());
  Parts parts = partition(dual_graph(mesh), regions, polytopes);
  return {std::move(parts.part), parts.count};
}

Agglomeration coarsen(const Mesh& mesh, const Agglomeration& fine, Index polytopes) {
  return union_of(fine, coarse_parts(contract(dual_graph(mesh), fine.polytope, fine.count), polytopes));
}

std::vector<Agglomeration> coarser_levels(const Mesh& mesh, const Agglomeration& finest, Index enough) {
  const Index children = mesh.dimension == 3 ? 8 : 4;
  std::vector<Agglomeration> levels;
  DualGraph graph = contract(dual_graph(mesh), finest.polytope, finest.count);
  while (graph.size() > enough) {
    const Parts parts = coarse_parts(graph, std::max<Index>(1, graph.size() / children));
    if (parts.count == graph.size()) break;  // nothing left that touches
    levels.push_back(union_of(levels.empty() ? finest : levels.back(), parts));
    graph = contract(graph, parts.part, parts.count);
  }
  return levels;
}

}  // namespace galerna::mesh
