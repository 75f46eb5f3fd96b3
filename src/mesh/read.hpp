/// \file
/// Reads a mesh file of any format that there is a reader of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// A format of mesh files.
struct Reader {
  std::string format;  ///< "Gmsh MSH 2.2 or 4.1"
  /// Whether a file whose first bytes are these is of the format.
  bool (*recognizes)(const std::string& beginning);
  /// \throws InputError with the place
  Mesh (*read)(const std::filesystem::path& file);
};

/// In the order in which they are asked. What none recognizes is left to the last one, which says what is wrong.
const std::vector<Reader>& readers();

/// \throws InputError where the file is none that a reader takes
Mesh read(const std::filesystem::path& file);

}  // namespace galerna::mesh
