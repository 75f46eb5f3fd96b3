#include "mesh/prepare.hpp"

#include "mesh/checks.hpp"
#include "mesh/faces.hpp"
#include "mesh/geometry.hpp"
#include "mesh/periodic.hpp"
#include "mesh/permute.hpp"

namespace galerna::mesh {

void prepare(Mesh& mesh, const PrepareOptions& options) {
  const double tolerance = options.tolerance * extent(mesh);
  orient_elements(mesh);
  check_duplicates(mesh);
  if (mesh.dimension == 3) separate_straight_tetrahedra(mesh);
  join_periodic(mesh, options.periodic, tolerance);
  sort_simplices(mesh);
  renumber_elements(mesh);
  build_faces(mesh, tolerance);
}

}  // namespace galerna::mesh
