/// \file
/// The elements next to walls that follow when the walls are curved.
#pragma once

#include <vector>

#include "curving/wall_nodes.hpp"

namespace galerna::curving {

struct Layers {
  std::vector<char> chosen;         ///< [element] 1 for those that follow
  std::vector<mesh::Index> origin;  ///< [node] the wall's corner that it was reached from, −1 outside of the layers
};

/// Chooses the elements with a corner at most `layers` − 1 edges away from a wall: 1 takes those that touch it. An edge
/// shorter than ten times the wall's displacement there counts as the part of one that it is. So a stack of elements
/// that are thinner than the displacement is taken until it has room for it, and strains of the stack stay small.
Layers find_layers(const mesh::Mesh& mesh, const WallNodes& walls, int layers);

}  // namespace galerna::curving
