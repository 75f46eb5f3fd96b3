/// \file
/// Pictures of space as grids of samples, in true high order: cuts by a plane, and boundaries from a direction of view,
/// with what is hidden left out.
#pragma once

#include <string>
#include <vector>

#include "drawing/raster.hpp"

namespace galerna::drawing {

/// Directions of a picture, orthonormal: coordinates (u, v) in it and w towards the viewer.
struct ViewFrame {
  mesh::Point right, up, toward;
  mesh::Point project(const mesh::Point& place) const;
};

/// What a picture of space shows.
struct Scene {
  ViewFrame frame;
  double plane = 0;             ///< of a cut: its w
  std::vector<int> boundaries;  ///< indices into Mesh::boundaries; empty: a cut
  bool cut() const { return boundaries.empty(); }
};

/// A cut through a point, across a normal. Coordinates run along axes of space where they can.
/// \throws InputError for a normal of length zero
Scene cut_scene(const mesh::Point& point, const mesh::Point& normal);

/// Boundaries as one sees them who looks along `direction`; `up` points upward in the picture.
/// \throws InputError for directions of length zero or along each other, and boundaries that the mesh does not have
Scene surface_scene(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries, const mesh::Point& direction,
                    const mesh::Point& up);

/// The box around what may be seen.
Window window_of(const mesh::Mesh& mesh, const Scene& scene);

/// Whether the plane of a cut meets the mesh or lies in its boundary.
bool meets(const mesh::Mesh& mesh, const Scene& scene);

/// \param line width of lines of the mesh, in cells; 0: none
Raster rasterize(const analysis::Solution& solution, int field, const Scene& scene, const Window& window, int columns,
                 int rows, double line);

/// Lines on which the raster's values are one of the levels, by marching squares between cells that are covered and
/// beside each other in space.
std::vector<Segment> raster_isolines(const Raster& raster, const Window& window, const std::vector<double>& levels);

}  // namespace galerna::drawing
