#include "solver/mesh_warnings.hpp"

#include "mesh/near_nodes.hpp"

namespace galerna::solver {

std::vector<files::Report::Warning> mesh_warnings(const mesh::Mesh& mesh) {
  const std::vector<mesh::NearNodes> near = mesh::find_near_nodes(mesh);
  if (near.empty()) return {};
  return {{"nodes-nearly-coincide",
           "mesh",
           mesh::describe_near_nodes(mesh, near),
           {{"pairs", static_cast<double>(near.size())}, {"distance", near.back().distance}}}};
}

}  // namespace galerna::solver
