/// \file
/// All sides of a mesh by their corners: how many elements they have, and which lie on walls to be curved.
#pragma once

#include <span>
#include <unordered_map>

#include "mesh/side_key.hpp"
#include "mesh/surface.hpp"

namespace galerna::curving {

/// Sides that are periodic images of one another are one side.
class SideTable {
 public:
  struct Record {
    int elements = 0;                        ///< 1 on a boundary, 2 inside the domain
    const mesh::Surface* surface = nullptr;  ///< the true shape of a wall
  };

  /// \throws InputError where the mesh has no boundary of one of the names.
  SideTable(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces);

  const Record& of(std::span<const mesh::Index> corners) const { return records_.at(key(corners)); }

 private:
  mesh::SideKey key(std::span<const mesh::Index> corners) const;

  const mesh::Mesh& mesh_;
  std::unordered_map<mesh::SideKey, Record, mesh::SideKeyHash> records_;
};

}  // namespace galerna::curving
