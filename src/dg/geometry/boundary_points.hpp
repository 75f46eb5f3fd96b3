/// \file
/// The points of boundary faces of elements of any shape.
#pragma once

#include <optional>
#include <vector>

#include "dg/element_set.hpp"
#include "dg/geometry/geometry.hpp"

namespace galerna::dg {

/// Counted as traces are: from the corner that precedes the other one (mesh/side_order.hpp).
struct BoundaryPoints {
  std::vector<double> positions;         ///< [face][point][3]
  std::vector<double> normals;           ///< [face][point][k] outward unit normal times ds, as Metric::normals
  std::vector<double> wall_normals;      ///< [face][point][k] outward unit normals of the true surface
  std::vector<std::size_t> first_point;  ///< [face], and behind the last one: points of the faces before
};

/// \param sets of the mesh's blocks, in the same order.
/// \param shapes [boundary]: true shapes of walls whose sides are straight; curved sides are true themselves.
BoundaryPoints make_boundary_points(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets,
                                    const std::vector<std::optional<WallShape>>& shapes);

/// Those of some faces. \param chosen their numbers \param mesh for the number of dimensions
BoundaryPoints points_of_faces(const BoundaryPoints& all, const std::vector<mesh::Index>& chosen,
                               const mesh::Mesh& mesh);

}  // namespace galerna::dg
