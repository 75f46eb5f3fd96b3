/// \file
/// A mesh and the polytopes made of it.
#pragma once

#include "mesh/agglomeration.hpp"
#include "polytopic/mesh.hpp"

namespace galerna::solver {

struct PolytopicMesh {
  mesh::Mesh mesh;
  mesh::Agglomeration agglomeration;
  polytopic::Mesh polytopes;
};

}  // namespace galerna::solver
