/// \file
/// The raised elements of a mesh as an elastic body: unknowns, and what holds them.
#pragma once

#include "curving/elasticity.hpp"
#include "curving/side_table.hpp"
#include "curving/wall_nodes.hpp"

namespace galerna::curving {

constexpr std::size_t not_wall = static_cast<std::size_t>(-1);

/// Numbers the nodes of all elements of geometry order > 1; nodes that are periodic images of one another have one
/// unknown. Nodes of walls, and those on sides to straight elements, are forbidden to move; those of other flat
/// boundaries may slide. Boundaries whose four corners lie in no plane are held.
/// \param mesh with straight-sided raised elements \param wall_of [node of the mesh] becomes its number among the wall
/// nodes, not_wall of others
Body make_body(const mesh::Mesh& mesh, const SideTable& sides, const WallNodes& walls,
               std::vector<std::size_t>& wall_of);

}  // namespace galerna::curving
