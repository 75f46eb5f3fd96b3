/// \file
/// Writes meshes as Gmsh's MSH format 4.1, text.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Writes nodes (with all digits), elements in the order of the file that the mesh came from, regions and boundaries as
/// named physical groups, and periodic nodes. Reading the file gives the same mesh again. A prepared mesh is written
/// with positively oriented elements. The file appears under its name only when it is complete. \throws SystemError
/// where the file cannot be written
void write_gmsh(const Mesh& mesh, const std::filesystem::path& path);

void write_gmsh(const Mesh& mesh, std::ostream& stream);

}  // namespace galerna::mesh
