#include <algorithm>

#include "base/index.hpp"
#include "base/interruption.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/partition.hpp"

namespace galerna::mesh {
namespace {

/// The agglomeration whose polytopes are the parts of those of `fine`.
Agglomeration union_of(const Agglomeration& fine, const Parts& parts) {
  Agglomeration coarse{{}, parts.count};
  coarse.polytope.reserve(fine.polytope.size());
  for (const Index polytope : fine.polytope) coarse.polytope.push_back(parts.part[at(polytope)]);
  return coarse;
}

std::vector<Index> all_alike(const DualGraph& graph) {
  return std::vector<Index>(at(graph.size()), 0);
}

}  // namespace

Agglomeration make_agglomeration(const Mesh& mesh, Index polytopes) {
  std::vector<Index> regions;
  for (const ElementBlock& block : mesh.blocks) regions.insert(regions.end(), block.region.begin(), block.region.end());
  Parts parts = partition(dual_graph(mesh), regions, polytopes, Count::close);
  return {std::move(parts.part), parts.count};
}

std::vector<Agglomeration> coarser_levels(const Mesh& mesh, const Agglomeration& finest, Index enough,
                                          const std::vector<Index>& kinds) {
  const Index children = mesh.dimension == 3 ? 8 : 4;
  std::vector<Agglomeration> levels;
  DualGraph graph = contract(dual_graph(mesh), finest.polytope, finest.count);
  std::vector<Index> kind = kinds.empty() ? all_alike(graph) : kinds;
  bool alike = kinds.empty();
  while (graph.size() > enough) {
    stop_if_interrupted("joining polytopes for multigrid");
    const Parts parts = partition(graph, kind, std::max<Index>(1, graph.size() / children));
    if (2 * parts.count > graph.size()) {  // next to nothing was joined
      if (alike) break;
      kind = all_alike(graph);
      alike = true;
      continue;
    }
    levels.push_back(union_of(levels.empty() ? finest : levels.back(), parts));
    std::vector<Index> coarse_kind(at(parts.count));
    for (std::size_t node = 0; node < parts.part.size(); ++node) coarse_kind[at(parts.part[node])] = kind[node];
    kind = std::move(coarse_kind);
    graph = contract(graph, parts.part, parts.count);
  }
  return levels;
}

}  // namespace galerna::mesh
