#include "mesh/boundaries.hpp"

#include "base/error.hpp"

namespace galerna::mesh {

std::vector<std::string> boundary_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const Boundary& boundary : mesh.boundaries) names.push_back(boundary.name);
  return names;
}

const Boundary& find_boundary(const Mesh& mesh, const std::string& name) {
  for (const Boundary& boundary : mesh.boundaries)
    if (boundary.name == name) return boundary;
  throw InputError({mesh.file},
                   "has no boundary \"" + name + "\"; its boundaries are " + list_names(boundary_names(mesh)));
}

}  // namespace galerna::mesh
