/// \file
/// What a file is, for messages to those who gave it where another kind of file belongs.
#pragma once

#include <filesystem>
#include <string>

namespace galerna {

enum class FileKind {
  unknown,
  case_file,
  gmsh_mesh,
  gmsh_geometry,
  cad,           ///< STEP, IGES, BREP
  foreign_mesh,  ///< of CGNS, SU2 and others
  checkpoint,
  agglomeration,
  vtk,
  json,
  table,
  picture
};

/// By its first bytes, or by its name where they do not tell or it is not there.
FileKind kind_of(const std::filesystem::path& file);

/// "a Gmsh geometry: make a mesh of it first, gmsh -2 box.geo -o box.msh (-3 in 3D)": the kind and what takes such
/// files; "" where the kind is not known.
std::string describe_kind(const std::filesystem::path& file);

/// The same of a file that its reader did not understand; "" also where it is, or seems to be, of the kind `expected`.
std::string other_kind(const std::filesystem::path& file, FileKind expected);

}  // namespace galerna
