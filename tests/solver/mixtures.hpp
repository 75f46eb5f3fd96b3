/// \file
/// Files of meshes of curved triangles and quadrilaterals, side by side.
#pragma once

#include "dg/curved_meshes.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {

/// A mixture (n: curved, about n × n) with the boundary "rim", in `folder`/square.msh.
inline void write_mixture(const Folder& folder, mesh::Mesh mesh) {
  for (mesh::Boundary& boundary : mesh.boundaries) boundary.name = "rim";
  mesh::write_gmsh(mesh, folder / "square.msh");
}
inline void write_mixture(const Folder& folder, mesh::Index n, int order) {
  write_mixture(folder, curved_mixture(n, order, 0.1));
}

}  // namespace galerna::tests
