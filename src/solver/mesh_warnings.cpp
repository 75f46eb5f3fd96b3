#include "solver/mesh_warnings.hpp"

#include <fmt/format.h>

#include "mesh/geometry.hpp"
#include "mesh/near_nodes.hpp"

namespace galerna::solver {

std::vector<files::Report::Warning> mesh_warnings(const mesh::Mesh& mesh) {
  std::vector<files::Report::Warning> warnings;
  if (const std::vector<mesh::NearNodes> near = mesh::find_near_nodes(mesh); !near.empty())
    warnings.push_back({"nodes-nearly-coincide",
                        "mesh",
                        mesh::describe_near_nodes(mesh, near),
                        {{"pairs", static_cast<double>(near.size())}, {"distance", near.back().distance}}});
  for (const mesh::InnerSides& inner : mesh.inner_sides)
    warnings.push_back(
        {"sides-inside-the-domain",
         "mesh",
         fmt::format("{} side{} of the physical group \"{}\" {} inside the domain, between two elements, "
                     "the first at {}: no boundary condition holds there",
                     inner.count, inner.count == 1 ? "" : "s", inner.name, inner.count == 1 ? "lies" : "lie",
                     mesh::to_text(inner.corner, mesh.dimension)),
         {{"sides", static_cast<double>(inner.count)}}});
  return warnings;
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
