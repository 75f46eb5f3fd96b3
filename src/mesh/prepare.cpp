#include "mesh/prepare.hpp"

#include <optional>

#include "base/phases.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/checks.hpp"
#include "mesh/covers.hpp"
#include "mesh/faces.hpp"
#include "mesh/geometry.hpp"
#include "mesh/overlaps.hpp"
#include "mesh/periodic.hpp"
#include "mesh/permute.hpp"

namespace galerna::mesh {

std::vector<Overlap> prepare(Mesh& mesh, const PrepareOptions& options) {
  const double tolerance = options.tolerance * extent(mesh);
  std::optional<Phase> phase;
  phase.emplace("checking elements");
  const std::vector<char> turned = orient_elements(mesh);
  check_duplicates(mesh);
  if (mesh.dimension == 3) separate_straight_tetrahedra(mesh);
  phase.emplace("joining periodic sides");
  join_periodic(mesh, options.periodic, tolerance);
  phase.emplace("ordering elements");
  const std::vector<char> mirrored = sort_simplices(mesh);
  renumber_elements(mesh);
  phase.emplace("finding faces");
  build_faces(mesh, tolerance);
  phase.emplace("checking faces");
  check_folds(mesh, turned, mirrored);
  check_curved_faces(mesh);
  std::vector<Overlap> overlaps = find_overlaps(mesh);
  report_problems(mesh, describe_overlaps(mesh, overlaps, options.plates ? *options.plates : boundary_names(mesh)));
  if (const std::string text = describe_covers(mesh, find_covers(mesh, overlaps)); !text.empty())
    report_problems(mesh, {text});
  return overlaps;
}

}  // namespace galerna::mesh
