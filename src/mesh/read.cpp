#include "mesh/read.hpp"

#include <algorithm>
#include <fstream>

#include "mesh/gmsh_reader.hpp"

namespace galerna::mesh {
namespace {

/// Of a regular file; a pipe that nobody writes to would be waited for.
std::string beginning_of(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return "";
  std::string beginning(256, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(stream.gcount()));
  return beginning;
}

bool is_gmsh(const std::string& beginning) {
  return beginning.starts_with("$MeshFormat");
}

}  // namespace

const std::vector<Reader>& readers() {
  static const std::vector<Reader> table = {{"Gmsh MSH 2.2 or 4.1", is_gmsh, read_gmsh}};
  return table;
}

Mesh read(const std::filesystem::path& file) {
  const std::string beginning = beginning_of(file);
  const auto reader =
      std::find_if(readers().begin(), readers().end(), [&](const Reader& one) { return one.recognizes(beginning); });
  return (reader == readers().end() ? readers().back() : *reader).read(file);
}

}  // namespace galerna::mesh
