#include "solver/polytopic/polytopic_plot.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "mesh/hash.hpp"
#include "mesh/split.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/polytopic/polytopic_outputs.hpp"
#include "solver/problem.hpp"

namespace galerna::solver {
namespace {

basis::BoxSpace space_of(const files::Checkpoint& checkpoint, int dimension) {
  return {dimension, true, checkpoint.state.at("space").front() != 0};
}

void require_whole(const case_file::Settings& settings, bool whole, const std::string& what) {
  if (!whole)
    throw InputError({settings.file.string()}, what + " are not those of the mesh: the checkpoint is damaged");
}

}  // namespace

bool is_polytopic(const files::Checkpoint& checkpoint) {
  return checkpoint.state.count("polytopes") > 0 && checkpoint.state.count("orders") > 0 &&
         checkpoint.state.count("space") > 0 && !checkpoint.state.at("space").empty();
}

std::vector<std::string> without_polytopic_files(const files::Checkpoint& checkpoint) {
  if (!is_polytopic(checkpoint)) return {};
  return {"mesh.agglomerate={}", "mesh.agglomerate=", "discretization.order_file=\"\"",
          "discretization.order_file=", "discretization.order=1"};
}

PolytopicMesh mesh_of(const files::Checkpoint& checkpoint, const case_file::Settings& settings) {
  PolytopicMesh result;
  result.mesh = make_mesh(settings);
  if (mesh::can_be_split(result.mesh)) result.mesh = mesh::split(result.mesh).mesh;
  if (mesh::hash(result.mesh) != checkpoint.mesh_hash)
    throw InputError({settings.file.string()}, result.mesh.file + " is not the mesh of this checkpoint");
  const std::vector<double>&polytopes = checkpoint.state.at("polytopes"), &orders = checkpoint.state.at("orders");
  require_whole(settings, polytopes.size() == at(result.mesh.element_count()), "polytopes");
  std::vector<bool> found(orders.size(), false);
  for (const double polytope : polytopes) {
    require_whole(settings, polytope >= 0 && polytope < static_cast<double>(orders.size()), "polytopes");
    result.agglomeration.polytope.push_back(static_cast<mesh::Index>(polytope));
    found[static_cast<std::size_t>(polytope)] = true;
  }
  require_whole(settings, std::all_of(found.begin(), found.end(), [](bool there) { return there; }), "polytopes");
  result.agglomeration.count = static_cast<mesh::Index>(orders.size());
  std::int64_t unknowns = 0;
  for (const double order : orders) {
    require_whole(settings, order >= 0 && order <= highest_polytopic_degree, "orders");
    unknowns += basis::box_mode_count(space_of(checkpoint, result.mesh.dimension), static_cast<int>(order));
  }
  require_whole(settings, at(unknowns) == checkpoint.coefficients.size(), "coefficients");
  result.polytopes = polytopic::make_mesh(result.mesh, result.agglomeration);
  return result;
}

analysis::Solution solution_of(const files::Checkpoint& checkpoint, const case_file::Settings& settings,
                               const PolytopicMesh& mesh) {
  const std::vector<double>& orders = checkpoint.state.at("orders");
  const std::vector<int> degrees(orders.begin(), orders.end());
  analysis::Solution solution = solution_on_simplices(mesh, space_of(checkpoint, mesh.polytopes.dimension), degrees,
                                                      checkpoint.coefficients, case_fields(settings), checkpoint.time);
  solution.step = static_cast<long>(checkpoint.step);
  return solution;
}

}  // namespace galerna::solver
