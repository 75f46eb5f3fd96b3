/// \file
/// What a picture of space shows and from where: cuts by planes, and boundaries.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/vectors.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// Directions of a picture, orthonormal: coordinates (u, v) in it and w towards the viewer.
struct ViewFrame {
  mesh::Point right, up, toward;
  mesh::Point project(const mesh::Point& place) const;
};

/// \throws InputError for a normal of length zero
Plane plane_through(const mesh::Point& point, const mesh::Point& normal);

/// What is looked at. Of planes and boundaries one hides what lies behind it of the others.
struct Scene {
  ViewFrame frame;
  std::vector<Plane> planes;
  std::vector<int> boundaries;  ///< indices into Mesh::boundaries
  bool flat = false;            ///< one plane alone, from its front
};

/// A cut through a point, across a normal. Coordinates run along axes of space where they can.
/// \throws InputError for a normal of length zero
Scene cut_scene(const mesh::Point& point, const mesh::Point& normal);

/// Boundaries and cuts as one sees them who looks along `direction`; `up` points upward in the picture.
/// \throws InputError for directions of length zero or along each other, and boundaries that the mesh does not have
Scene view_scene(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries, std::vector<Plane> planes,
                 const mesh::Point& direction, const mesh::Point& up);

/// The box around what may be seen; of a flat scene that around the whole mesh.
Window window_of(const mesh::Mesh& mesh, const Scene& scene);

/// Whether the plane meets the mesh or lies in its boundary.
bool meets(const mesh::Mesh& mesh, const Plane& plane);

/// The plane; just inside of the mesh where it lies in the mesh's boundary: otherwise nothing would be on one side of
/// it.
Plane moved_inside(const mesh::Mesh& mesh, const Plane& plane);

}  // namespace galerna::drawing
