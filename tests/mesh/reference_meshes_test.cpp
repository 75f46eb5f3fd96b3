/// Meshes of other projects, where they are at hand: each is read with the numbers of its inventory, or refused for the
/// reason told.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>

#include "base/error.hpp"
#include "mesh/files.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"

namespace galerna::mesh {
namespace {

struct Reference {
  std::string file;
  std::size_t nodes;
  std::map<Shape, Index> elements;  ///< of the highest dimension
  std::string refusal;              ///< part of the message of a mesh that is refused
};

void PrintTo(const Reference& reference, std::ostream* stream) {
  *stream << reference.file;
}

using enum Shape;

const std::vector<Reference>& references() {
  static const std::string order = "the highest supported is 6";
  // sphere.msh is a surface; half of the boundary triangles of cubeTet.msh cut their squares along the other diagonal
  // than the tetrahedra do.
  static const std::vector<Reference> table = {
      {"dune-grid/circle1storder.msh", 8, {{triangle, 6}}, ""},
      {"dune-grid/curved2d.msh", 248, {{triangle, 389}}, ""},
      {"dune-grid/pyramid1storder.msh", 53, {{tetrahedron, 156}}, ""},
      {"dune-grid/pyramid2ndorder.msh", 287, {{tetrahedron, 148}}, ""},
      {"dune-grid/sphere.msh", 319, {{triangle, 632}}, "outside the plane"},
      {"dune-grid/telescope1storder.msh", 69, {{tetrahedron, 179}}, ""},
      {"dune-grid/telescope2ndorder.msh", 368, {{tetrahedron, 179}}, ""},
      {"dune-grid/twotets.msh", 29, {{tetrahedron, 76}}, ""},
      {"dune-grid/unitcube.msh", 8, {{hexahedron, 1}}, ""},
      {"libparanumal/cubeHex.msh", 343, {{hexahedron, 216}}, ""},
      {"libparanumal/cubeTet.msh", 216, {{tetrahedron, 750}}, "is the side of no element"},
      {"libparanumal/squareQuad.msh", 121, {{quadrilateral, 100}}, ""},
      {"libparanumal/squareTri.msh", 121, {{triangle, 200}}, ""},
      {"meshio/insulated-2.2.msh", 67, {{triangle, 111}}, ""},
      {"meshio/insulated-4.1.msh", 67, {{triangle, 111}}, ""},
      {"mfem-data/piece.asc.v22.msh.xz", 3939, {{tetrahedron, 13179}}, ""},
      {"mfem-data/piece.asc.v40.msh.xz", 4096, {{tetrahedron, 13676}}, "save it as version 4.1"},
      {"mfem-data/piece.asc.v41.msh.xz", 4094, {{tetrahedron, 13370}}, ""},
      {"mfem-data/piece.bin.v22.msh.xz", 3939, {{tetrahedron, 13179}}, ""},
      {"mfem-data/unstructured_hex.v22.msh", 573, {{hexahedron, 400}}, ""},
      {"mfem-data/unstructured_quad.v22.msh", 140, {{quadrilateral, 119}}, ""},
      {"mfem/compass.msh", 13, {{triangle, 8}, {quadrilateral, 4}}, ""},
      {"mfem/nested_cubes.msh", 138, {{tetrahedron, 520}}, ""},
      {"mfem/periodic-cube.msh", 125, {{hexahedron, 64}}, ""},
      {"mfem/periodic-square.msh", 25, {{quadrilateral, 16}}, ""},
      {"mfem/square_in_square.msh", 13, {{triangle, 16}}, ""},
      {"nektar/v2.2_cube_hex.msh.xz", 1331, {{hexahedron, 8}}, ""},
      {"nektar/v2.2_cube_hex_lin.msh", 27, {{hexahedron, 8}}, ""},
      {"nektar/v2.2_cube_prism.msh", 125, {{prism, 16}}, ""},
      {"nektar/v2.2_cube_prism_lin.msh", 27, {{prism, 16}}, ""},
      {"nektar/v2.2_cube_tet.msh.xz", 2197, {{tetrahedron, 48}}, ""},
      {"nektar/v2.2_cube_tet_lin.msh", 64, {{tetrahedron, 162}}, ""},
      {"nektar/v2.2_peralign_rot_cyl.msh", 371, {{triangle, 650}}, ""},
      {"nektar/v2.2_square_quad.msh", 1089, {{triangle, 32}}, order},
      {"nektar/v2.2_square_quad_lin.msh", 25, {{quadrilateral, 16}}, ""},
      {"nektar/v2.2_square_tri_lin.msh", 25, {{triangle, 32}}, ""},
      {"nektar/v2.2_varopti_cube_sphere.msh.xz", 3682, {{tetrahedron, 276}}, ""},
      {"nektar/v4.1_cube_all.msh", 113, {{tetrahedron, 66}, {hexahedron, 10}, {prism, 36}, {pyramid, 69}}, ""},
      {"nektar/v4.1_cube_hex.msh.xz", 1331, {{hexahedron, 8}}, ""},
      {"nektar/v4.1_cube_hex_lin.msh", 27, {{hexahedron, 8}}, ""},
      {"nektar/v4.1_cube_prism.msh", 125, {{prism, 16}}, ""},
      {"nektar/v4.1_cube_prism_lin.msh", 27, {{prism, 16}}, ""},
      {"nektar/v4.1_cube_tet.msh.xz", 2197, {{tetrahedron, 48}}, ""},
      {"nektar/v4.1_cube_tet_lin.msh", 27, {{tetrahedron, 48}}, ""},
      {"nektar/v4.1_square_quad.msh", 1089, {{triangle, 32}}, order},
      {"nektar/v4.1_square_quad_lin.msh", 25, {{triangle, 32}}, ""},
      {"nektar/v4.1_square_tri.msh", 1089, {{triangle, 32}}, order},
      {"nektar/v4.1_square_tri_lin.msh", 25, {{triangle, 32}}, ""},
      {"philip/2d_quad_grid0.msh", 289, {{quadrilateral, 256}}, ""},
      {"philip/2d_quad_grid1.msh.xz", 1089, {{quadrilateral, 1024}}, ""},
      {"philip/2d_quad_grid2.msh.xz", 4225, {{quadrilateral, 4096}}, ""},
      {"philip/2d_tri_grid0.msh", 289, {{triangle, 512}}, ""},
      {"philip/2d_tri_grid1.msh.xz", 1089, {{triangle, 2048}}, ""},
      {"philip/2d_tri_grid2.msh.xz", 4225, {{triangle, 8192}}, ""},
      {"pyfr/couette-flow.msh", 55, {{triangle, 10}, {quadrilateral, 37}}, ""},
      {"pyfr/euler-vortex.msh", 441, {{quadrilateral, 400}}, ""},
  };
  return table;
}

std::filesystem::path folder() {
  return std::filesystem::path(GALERNA_SOURCE_DIR) / ".." / "shared" / "reference" / "meshes";
}

/// Content of the file; decompressed with the program xz where its name says so.
std::string content_of(const std::filesystem::path& path) {
  if (path.extension() != ".xz") return content(path);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("xz -dc '" + path.string() + "' 2>/dev/null").c_str(), "r"),
                                                   pclose);
  std::string bytes;
  char buffer[65536];
  while (const std::size_t n = pipe ? std::fread(buffer, 1, sizeof(buffer), pipe.get()) : 0) bytes.append(buffer, n);
  return bytes;
}

class ReferenceMesh : public testing::TestWithParam<Reference> {};

TEST_P(ReferenceMesh, IsReadOrRefusedForTheRightReason) {
  const Reference& reference = GetParam();
  if (!std::filesystem::exists(folder() / reference.file)) GTEST_SKIP() << "the mesh is not here";
  const std::string bytes = content_of(folder() / reference.file);
  if (bytes.empty()) GTEST_SKIP() << "xz is needed to decompress the mesh";
  try {
    Mesh mesh = read_gmsh_text(bytes, reference.file);
    ASSERT_EQ(mesh.nodes.size(), reference.nodes);
    std::map<Shape, Index> elements;
    for (const ElementBlock& block : mesh.blocks) elements[block.shape] += block.size();
    EXPECT_EQ(elements, reference.elements);
    prepare(mesh);
    Index sides = 0;
    for (const ElementBlock& block : mesh.blocks) sides += block.size() * side_count(block.shape);
    EXPECT_EQ(2 * static_cast<Index>(mesh.faces.size()) - mesh.boundary_faces, sides);
    EXPECT_FALSE(describe(mesh).empty());
    EXPECT_EQ(reference.refusal, "") << "the mesh was accepted";
  } catch (const InputError& error) {
    ASSERT_NE(reference.refusal, "") << error.what();
    EXPECT_NE(std::string(error.what()).find(reference.refusal), std::string::npos) << error.what();
  }
}

std::string test_name(const testing::TestParamInfo<Reference>& info) {
  std::string name;
  for (const char c : info.param.file) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, ReferenceMesh, testing::ValuesIn(references()), test_name);

TEST(ReferenceMeshes, HalfOfTheTrianglesOfPhilipAreTurnedRound) {
  if (!std::filesystem::exists(folder() / "philip/2d_tri_grid0.msh")) GTEST_SKIP() << "the mesh is not here";
  Mesh mesh = read_gmsh(folder() / "philip/2d_tri_grid0.msh");
  prepare(mesh);
  EXPECT_EQ(mesh.turned, 256);
}

TEST(ReferenceMeshes, NamesOfThePyFrCouetteMesh) {
  if (!std::filesystem::exists(folder() / "pyfr/couette-flow.msh")) GTEST_SKIP() << "the mesh is not here";
  const Mesh mesh = read_gmsh(folder() / "pyfr/couette-flow.msh");
  std::map<std::string, std::size_t> sides;
  for (const Boundary& boundary : mesh.boundaries) sides[boundary.name] = boundary.sides.size();
  const std::map<std::string, std::size_t> expected = {
      {"periodic_0_l", 4}, {"periodic_0_r", 4}, {"bcwalllower", 8}, {"bcwallupper", 8}};
  EXPECT_EQ(sides, expected);
  EXPECT_EQ(mesh.region_names, std::vector<std::string>{"Fluid"});
}

}  // namespace
}  // namespace galerna::mesh
