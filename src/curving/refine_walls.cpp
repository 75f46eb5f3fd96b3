#include "curving/refine_walls.hpp"

#include "base/index.hpp"
#include "curving/wall_nodes.hpp"
#include "mesh/refine.hpp"

namespace galerna::curving {

mesh::Mesh refine_walls(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const mesh::Snap& snap) {
  constexpr double bulge = 0.3;  // of edges: a third of a circle has one of 0.29
  mesh::Mesh fine = mesh::refine(mesh, 1, snap);
  for (const auto& [node, target] : place_corners(fine, surfaces, SideTable(fine, surfaces), bulge))
    if (at(node) >= mesh.nodes.size()) fine.nodes[at(node)] = target;
  return fine;
}

}  // namespace galerna::curving
