#include "base/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>

namespace galerna {
namespace {

namespace fs = std::filesystem;

std::string lower_extension(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// Of a regular file; pipes and devices are not touched.
std::string first_bytes(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  std::string text(512, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

FileKind by_name(const fs::path& file) {
  static const std::map<std::string, FileKind> kinds = {{".toml", FileKind::case_file},
                                                        {".msh", FileKind::gmsh_mesh},
                                                        {".geo", FileKind::gmsh_geometry},
                                                        {".geo_unrolled", FileKind::gmsh_geometry},
                                                        {".h5", FileKind::checkpoint},
                                                        {".agg", FileKind::agglomeration},
                                                        {".vtu", FileKind::vtk},
                                                        {".pvd", FileKind::vtk},
                                                        {".vtk", FileKind::vtk},
                                                        {".vtp", FileKind::vtk},
                                                        {".json", FileKind::json},
                                                        {".csv", FileKind::table},
                                                        {".png", FileKind::picture},
                                                        {".svg", FileKind::picture},
                                                        {".step", FileKind::cad},
                                                        {".stp", FileKind::cad},
                                                        {".brep", FileKind::cad},
                                                        {".iges", FileKind::cad},
                                                        {".igs", FileKind::cad},
                                                        {".cgns", FileKind::foreign_mesh},
                                                        {".su2", FileKind::foreign_mesh},
                                                        {".med", FileKind::foreign_mesh},
                                                        {".unv", FileKind::foreign_mesh},
                                                        {".bdf", FileKind::foreign_mesh},
                                                        {".inp", FileKind::foreign_mesh},
                                                        {".cas", FileKind::foreign_mesh},
                                                        {".stl", FileKind::foreign_mesh},
                                                        {".ugrid", FileKind::foreign_mesh},
                                                        {".neu", FileKind::foreign_mesh},
                                                        {".xdmf", FileKind::foreign_mesh},
                                                        {".pyfrm", FileKind::foreign_mesh},
                                                        {".exo", FileKind::foreign_mesh},
                                                        {".obj", FileKind::foreign_mesh}};
  const auto found = kinds.find(lower_extension(file));
  return found == kinds.end() ? FileKind::unknown : found->second;
}

}  // namespace

FileKind kind_of(const fs::path& file) {
  const std::string head = first_bytes(file);
  const FileKind named = by_name(file);
  const auto contains = [&](const char* text) { return head.find(text) != std::string::npos; };
  if (contains("$MeshFormat") || head.starts_with("$NOD")) return FileKind::gmsh_mesh;
  if (head.starts_with("galerna checkpoint")) return FileKind::checkpoint;
  if (contains("\x89HDF\r\n\x1a\n")) return named == FileKind::foreign_mesh ? named : FileKind::checkpoint;
  if (head.starts_with("(") && named == FileKind::gmsh_mesh) return FileKind::foreign_mesh;  // Fluent's .msh
  if (contains("ISO-10303-21;") || contains("CASCADE Topology")) return FileKind::cad;
  if (contains("<VTKFile") || head.starts_with("# vtk DataFile")) return FileKind::vtk;
  if (head.starts_with("\x89PNG")) return FileKind::picture;
  return named;
}

std::string describe_kind(const fs::path& file) {
  const std::string name = file.string(), mesh = fs::path(file).replace_extension(".msh").string();
  switch (kind_of(file)) {
    case FileKind::unknown:
      return "";
    case FileKind::case_file:
      return fmt::format("a case file: galerna run {0}, or galerna check {0}", name);
    case FileKind::gmsh_mesh:
      return fmt::format("a Gmsh mesh: galerna info {} describes it, and a case names it as mesh.file", name);
    case FileKind::gmsh_geometry:
      return fmt::format("a geometry: make a mesh of it first, gmsh -2 {} -o {} (-3 in 3D)", name, mesh);
    case FileKind::cad:
      return fmt::format(
          "CAD: make a mesh of it first, gmsh -3 {0} -o {1}; galerna info {0} lists its faces, and a case "
          "names it as mesh.cad.file",
          name, mesh);
    case FileKind::foreign_mesh:
      return fmt::format(
          "a mesh or geometry of another program: convert it to {} "
          "(docs/user-guide.md, Meshes of other programs)",
          mesh);
    case FileKind::checkpoint:
      return fmt::format("a checkpoint: galerna info and galerna plot take it, and galerna run CASE.toml --restart {}",
                         name);
    case FileKind::agglomeration:
      return fmt::format("an agglomeration: galerna info MESH.msh --agglomeration {}, or mesh.agglomeration of a case",
                         name);
    case FileKind::vtk:
      return fmt::format("a VTK file, for ParaView; galerna plot takes the checkpoints (.h5) of the same folder{}",
                         lower_extension(file) != ".vtk"
                             ? ""
                             : fmt::format(". To a mesh that Gmsh reads: gmsh {} -save -o {}", name, mesh));
    case FileKind::json:
      return "JSON, such as the report of a run, for people and scripts";
    case FileKind::table:
      return fmt::format("a table: galerna frequency {} COLUMN looks at one of its columns", name);
    case FileKind::picture:
      return "a picture";
  }
  return "";
}

std::string other_kind(const fs::path& file, FileKind expected) {
  return kind_of(file) == expected ? "" : describe_kind(file);
}

}  // namespace galerna
