/// \file
/// Elements with two sides, or all corners, on one smooth wall: they fold when the wall is curved, since the angle
/// between their sides becomes 180 degrees.
#pragma once

#include <array>
#include <vector>

#include "curving/side_table.hpp"

namespace galerna::curving {

struct Cramped {
  mesh::Index element;
  std::array<mesh::Index, 2> edge;  ///< of the element, inside of the domain; −1, −1 where there is none
};

/// Two sides count where the wall's true normals at both differ by less than 18 degrees; all corners, of tetrahedra,
/// where an edge inside of the domain between two of them is nearly tangential to the wall.
std::vector<Cramped> find_cramped(const mesh::Mesh& mesh, const SideTable& sides);

/// Splits the edges of cramped triangles and tetrahedra in two, with all elements around them; the new vertices are
/// moved away from the wall. Edges on boundaries and those that other shapes have stay as they are. New elements stand
/// behind all others, with the number of the element that they are a part of. \return how many edges were split
mesh::Index split_cramped(mesh::Mesh& mesh, const std::vector<Cramped>& cramped);

}  // namespace galerna::curving
