#include "mesh/gmsh_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "base/file_kind.hpp"
#include "base/parallel.hpp"
#include "mesh/gmsh_raw.hpp"

namespace galerna::mesh {
namespace {

struct Format {
  int version;  ///< 2 or 4 (4.1)
  bool binary;
};

constexpr const char* remedy = "save it as version 4.1 (in Gmsh: File > Export, or gmsh -format msh41)";

void refuse_other_files(GmshCursor& cursor, std::string_view bytes) {
  if (bytes.starts_with("\xFD"
                        "7zXZ"))
    cursor.fail("the file is compressed with xz: decompress it first (xz -d)");
  if (bytes.starts_with("\x1F\x8B")) cursor.fail("the file is compressed with gzip: decompress it first (gzip -d)");
  if (cursor.at_end()) cursor.fail("the file is empty: expected a Gmsh mesh");
}

Format read_format(GmshCursor& cursor, const std::string& name) {
  const bool found = cursor.find_section("MeshFormat"), first_format = !found && cursor.find_section("NOD");
  cursor.word();
  if (first_format) cursor.fail(fmt::format("MSH format 1 is not supported: {}", remedy));
  if (!found) {
    const std::string other = other_kind(name, FileKind::gmsh_mesh);
    cursor.fail(other.empty() ? "this is not a Gmsh mesh: expected $MeshFormat (formats 2.2 and 4.1 are read)"
                              : "this is not a Gmsh mesh, but " + other);
  }
  cursor.set_section("MeshFormat");
  const std::string version(cursor.word());
  Format format{};
  if (version == "4.1")
    format.version = 4;
  else if (version == "2" || version == "2.0" || version == "2.1" || version == "2.2")
    format.version = 2;
  else
    cursor.fail(fmt::format("MSH format '{}' is not supported (2.2 and 4.1 are): {}", version.substr(0, 20), remedy));
  const int type = cursor.integer<int>("the file type");
  if (type != 0 && type != 1) cursor.fail(fmt::format("file type {}: allowed are 0 (text) and 1 (binary)", type));
  format.binary = type == 1;
  const int size = cursor.integer<int>("the data size");
  if (size != 8 && format.binary) cursor.fail(fmt::format("data size {}: only 8 is supported; {}", size, remedy));
  if (format.binary) {
    cursor.end_line();
    cursor.set_binary(true);
    const int mark = cursor.integer<int>("the mark of the byte order");
    if (mark == 0x01000000)
      cursor.fail("the binary file has the other byte order: save it on this kind of machine, or as text");
    if (mark != 1) cursor.fail(fmt::format("the mark of the byte order is {}, expected 1: the file is damaged", mark));
    cursor.set_binary(false);
  }
  if (cursor.word() != "$EndMeshFormat") cursor.fail("expected $EndMeshFormat");
  cursor.set_section({});
  return format;
}

}  // namespace

Mesh read_gmsh_text(std::string_view bytes, const std::string& name) {
  GmshCursor cursor(bytes, name);
  refuse_other_files(cursor, bytes);
  const Format format = read_format(cursor, name);
  RawMesh raw;
  read_gmsh_sections(cursor, format.version, format.binary, raw);
  cursor.set_section("Elements");  // what is wrong from here on is said of the elements
  cursor.set_binary(format.binary);
  return assemble_gmsh(cursor, raw, name);
}

Mesh read_gmsh(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    const std::filesystem::path geometry = std::filesystem::path(path).replace_extension(".geo");
    const bool has_geometry = geometry != path && std::filesystem::exists(geometry, code);
    throw InputError({name}, "the mesh file does not exist" +
                                 (has_geometry ? fmt::format("; there is {}, {}", geometry.filename().string(),
                                                             describe_kind(geometry))
                                               : ""));
  }
  if (!std::filesystem::is_regular_file(path, code)) throw InputError({name}, "the mesh is not a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (!file) throw InputError({name}, fmt::format("cannot open the mesh file: {}", std::strerror(errno)));
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  constexpr std::int64_t piece = 1 << 20;
  in_parallel(static_cast<std::int64_t>(size), piece, [&](std::int64_t begin, std::int64_t end) {
    for (ssize_t got = 0; begin < end; begin += got) {
      got = pread(fileno(file.get()), bytes.get() + begin, static_cast<std::size_t>(end - begin), begin);
      if (got <= 0) throw SystemError(fmt::format("{}: cannot read the whole file", name));
    }
  });
  return read_gmsh_text({bytes.get(), size}, name);
}

}  // namespace galerna::mesh
