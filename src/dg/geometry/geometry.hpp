/// \file
/// Geometry and connectivity of a mesh of straight simplices, as the kernels need them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::dg {

/// Per element of the mesh, or of a piece of it; all arrays in the mesh's element order.
struct Geometry {
  std::vector<double> gradients;     ///< [element][d][d]: ∇λ_1 … ∇λ_d of the barycentric coordinates
  std::vector<double> determinants;  ///< [element] |det J| = d! · measure
  std::vector<double> diameters;     ///< [element] diameter of the inscribed circle or sphere
};

/// \throws InputError where the mesh holds anything but straight simplices of one shape.
Geometry make_geometry(const mesh::Mesh& mesh);
/// The same of the elements from `begin` up to `end`.
Geometry make_geometry(const mesh::Mesh& mesh, mesh::Index begin, mesh::Index end);

/// The true shape of a wall that straight sides only approximate.
struct WallShape {
  /// Circle (2D); without it, normals are reconstructed from the neighbouring sides of the boundary.
  struct Circle {
    mesh::Point centre;
    double radius;
  };
  std::optional<Circle> circle;
};

/// Boundary faces at their quadrature points.
struct BoundaryFaces {
  std::vector<double> positions;     ///< [face][point][3]
  std::vector<double> wall_normals;  ///< [face][point][d], outward unit normals of the true surface
  std::vector<double> measures;      ///< [face] length or area
};

/// Points of straight sides, counted as the element counts them.
/// \param side_coordinates [point] position along the side, in [0, 1] from its first corner to its second (2D).
/// \param shapes [boundary]: true shapes of curved walls.
BoundaryFaces make_boundary_faces(const mesh::Mesh& mesh, const std::vector<double>& side_coordinates,
                                  const std::vector<std::optional<WallShape>>& shapes);

}  // namespace galerna::dg
