/// \file
/// Boundaries and regions of a mesh by their names.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// In the order of Mesh::boundaries.
std::vector<std::string> boundary_names(const Mesh& mesh);

/// How many boundary sides no physical group names, where they are and what to do, for messages; "" where there are
/// none. Says, too, where one of their corners lies at the place of another node.
std::string describe_unnamed(const Mesh& mesh);

/// The boundary of that name. \throws InputError when there is none
const Boundary& find_boundary(const Mesh& mesh, const std::string& name);

/// The number of the region of that name, of Mesh::region_names. \throws InputError when there is none
int find_region(const Mesh& mesh, const std::string& name);

}  // namespace galerna::mesh
