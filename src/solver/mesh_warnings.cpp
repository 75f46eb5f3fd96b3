#include "solver/mesh_warnings.hpp"

#include <fmt/format.h>

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

std::vector<files::Report::Warning> curving_warnings(const CurvingText& curving) {
  if (curving.held_back == 0) return {};
  return {{"wall-nodes-held-back",
           "mesh.curve",
           fmt::format("{} nodes of walls are held back from their true shape, where elements would fold: refine the "
                       "mesh there; galerna check lists them",
                       curving.held_back),
           {{"nodes", static_cast<double>(curving.held_back)}}}};
}

}  // namespace galerna::solver
