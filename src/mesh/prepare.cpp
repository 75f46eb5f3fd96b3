#include "mesh/prepare.hpp"

#include "mesh/boundaries.hpp"
#include "mesh/checks.hpp"
#include "mesh/faces.hpp"
#include "mesh/geometry.hpp"
#include "mesh/overlaps.hpp"
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
  check_curved_faces(mesh);
  report_problems(
      mesh, describe_overlaps(mesh, find_overlaps(mesh), options.plates ? *options.plates : boundary_names(mesh)));
}

}  // namespace galerna::mesh
