/// \file
/// Reads meshes in Gmsh's MSH formats 2.2 and 4.1, text and binary.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Reads an MSH file of all standard shapes with geometry orders 1 to 6 (complete elements).
///
/// The mesh has the dimension of its highest elements (2 or 3). Physical groups of that dimension become regions, those
/// of one dimension less boundaries; groups without a name are called by their number. Elements may be in several
/// groups: entities of several in 4.1, elements that are written once for each in 2.2. $Periodic becomes Mesh::image.
/// Faces are not built: see prepare(). \throws InputError for anything but a valid mesh, with the line (text) or byte
/// (binary); SystemError where the file cannot be
///         read.
Mesh read_gmsh(const std::filesystem::path& path);

/// The same from memory: `bytes` is the content of a file that messages call `name`.
Mesh read_gmsh_text(std::string_view bytes, const std::string& name);

}  // namespace galerna::mesh
