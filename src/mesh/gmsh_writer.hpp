/// \file
/// Writes meshes as Gmsh's MSH format 4.1, text.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// What stands in the file next to the mesh. Readers of meshes pass over it.
struct GmshNotes {
  std::string comment;                             ///< lines for people, none of which begins with "$"
  std::string name;                                ///< of the numbers, as Gmsh shows them
  std::vector<std::pair<Index, double>> at_nodes;  ///< a number at some nodes of the mesh
};

/// Writes nodes (with all digits), elements in the order of the file that the mesh came from, regions and boundaries as
/// named physical groups, and periodic nodes. Reading the file gives the same mesh again. A prepared mesh is written
/// with positively oriented elements. Commands write the text through files::write_file(), which leaves no half of a
/// file. \throws SystemError where the file cannot be written
void write_gmsh(const Mesh& mesh, const std::filesystem::path& path, const GmshNotes& notes = {});

void write_gmsh(const Mesh& mesh, std::ostream& stream, const GmshNotes& notes = {});

}  // namespace galerna::mesh
