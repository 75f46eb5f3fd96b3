/// \file
/// Where the nodes of walls belong: on the true shapes of their boundaries.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "curving/side_table.hpp"
#include "mesh/shared_nodes.hpp"

namespace galerna::curving {

struct WallNode {
  mesh::Point straight;                    ///< on the straight mesh
  mesh::Point target;                      ///< on the true shape
  const mesh::Surface* surface = nullptr;  ///< one of those that it lies on
};

struct WallNodes {
  std::vector<WallNode> list;
  std::unordered_map<mesh::NodePlace, std::size_t, mesh::NodePlaceHash> numbers;  ///< into the list
  /// [corner of a wall] largest displacement of a node on the wall's sides there.
  std::unordered_map<mesh::Index, double> displacement;
};

/// Places the nodes of order `order` of all walls: corners first, then edges between the moved corners
/// (mesh::Surface::between), then the inside of sides in space, from the transfinite interpolation of their edges. A
/// node goes to the nearest point. Where several shapes meet, or a shape and a flat boundary, it goes to where all of
/// them are, by projections onto one after the other. \param mesh straight, before prepare()
/// \throws InputError with the list of corners that lie off their shape by more than a hundredth of their longest edge
/// on the wall, and for nodes that have no nearest point
WallNodes place_wall_nodes(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const SideTable& sides, int order);

/// The corners of walls alone, [node] where it belongs. \param allowed how far they may be off, in their longest edges
std::map<mesh::Index, mesh::Point> place_corners(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces,
                                                 const SideTable& sides, double allowed);

}  // namespace galerna::curving
