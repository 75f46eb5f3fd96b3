#include "case/mesh_file.hpp"

#include <fmt/format.h>

namespace galerna::case_file {

namespace fs = std::filesystem;

void check_mesh_file(Section& s, const std::filesystem::path& file) {
  std::error_code error;
  if (fs::is_regular_file(file, error)) return;
  if (fs::is_directory(file, error)) return s.report("file", fmt::format("{} is a directory", file.string()));
  std::string hint;
  const fs::path geometry = fs::path(file).replace_extension(".geo");
  if (fs::exists(geometry, error)) {
    hint = fmt::format("; make it with: gmsh -2 {} -o {} (-3 in 3D)", geometry.string(), file.string());
  } else {
    std::vector<std::string> names;
    for (const auto& entry :
         fs::directory_iterator(file.parent_path().empty() ? fs::path(".") : file.parent_path(), error))
      if (entry.path().extension() == ".msh") names.push_back(entry.path().filename().string());
    const std::string near = nearest_name(file.filename().string(), names);
    if (!near.empty()) hint = fmt::format("; did you mean {}?", near);
  }
  s.report("file", fmt::format("mesh file {} does not exist{}", file.string(), hint));
}

void read_mesh_file(Section& s, const fs::path& folder, MeshSettings& mesh) {
  s.require("file");
  mesh.place = s.place("file");
  if (const auto file = s.text("file"); file && file->empty()) {
    s.report("file", "mesh.file is empty: name the Gmsh mesh (.msh)");
  } else if (file) {
    mesh.file = folder / *file;
    check_mesh_file(s, mesh.file);
  }
  mesh.refine = static_cast<int>(s.integer("refine").value_or(0));
}

}  // namespace galerna::case_file
