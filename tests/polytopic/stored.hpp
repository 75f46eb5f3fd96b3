/// \file
/// Polygons of data/NAME.
#pragma once

#include <string>
#include <vector>

#include "mesh/agglomeration.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/mesh.hpp"

namespace galerna::tests {

struct StoredPolygons {
  explicit StoredPolygons(const std::string& name) {
    const std::string file = std::string(GALERNA_TEST_DIR) + "/data/" + name;
    mesh = mesh::read_gmsh(file + ".msh");
    mesh::prepare(mesh);
    polytopes = polytopic::make_mesh(mesh, mesh::read_agglomeration(file + ".agg", mesh));
  }
  std::vector<int> degrees(int degree) const {
    return std::vector<int>(static_cast<std::size_t>(polytopes.polytopes), degree);
  }

  mesh::Mesh mesh;
  polytopic::Mesh polytopes;
};

}  // namespace galerna::tests
