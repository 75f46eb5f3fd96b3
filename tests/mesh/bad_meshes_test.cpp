/// Every mesh in tests/mesh/bad is refused, with a message that says what is wrong and where.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "base/error.hpp"
#include "folder.hpp"
#include "mesh/files.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/read.hpp"

namespace galerna::mesh {
namespace {

struct Bad {
  std::string file;
  std::string message;  ///< a part of the message
};

void PrintTo(const Bad& bad, std::ostream* stream) {
  *stream << bad.file;
}

const std::vector<Bad>& bad_meshes() {
  static const std::vector<Bad> table = {
      {"empty", "the file is empty"},
      {"not-a-mesh", "not-a-mesh.msh:1: error: this is not a Gmsh mesh"},
      {"format-1", "MSH format 1 is not supported: save it as version 4.1"},
      {"version-4.0",
       "version-4.0.msh:2: error: MSH format '4' is not supported (2.2 and 4.1 are): save it as version 4.1"},
      {"version-9", "MSH format '9.5' is not supported"},
      {"file-type", "file type 7: allowed are 0 (text) and 1 (binary)"},
      {"data-size", "data size 4: only 8 is supported"},
      {"byte-order", "the other byte order"},
      {"byte-order-damaged", "the mark of the byte order is 77, expected 1"},
      {"truncated-binary-4.1", "bytes left in the file can hold"},
      {"truncated-binary-2.2", "section $Elements announces 7 elements, more than the 20 bytes left"},
      {"truncated-text", "the file ends inside section $Elements"},
      {"huge-node-count", "huge-node-count.msh:5: error: section $Nodes announces 4000000000000 nodes"},
      {"huge-element-count", "section $Elements announces 9000000000000000000 elements"},
      {"huge-count-4.1", "section $Nodes announces 4611686018427387904 blocks of nodes"},
      {"negative-count", "the number of nodes is negative"},
      {"nan-coordinate", "nan-coordinate.msh:7: error: a coordinate is 'nan', which is not a finite number"},
      {"infinite-coordinate", "infinite-coordinate.msh:7: error: a coordinate is '1e999', which is out of range"},
      {"overflow-number",
       "overflow-number.msh:9: error: the number of a node is '99999999999999999999', which is out of range"},
      {"coordinate-is-a-word", "coordinate-is-a-word.msh:7: error: expected a coordinate, found 'zero'"},
      {"node-not-defined", "node-not-defined.msh:14: error: element 2 names node 99, which the file does not define"},
      {"duplicate-node", "duplicate-node.msh:9: error: node 2 is defined twice"},
      {"missing-end-nodes", "missing-end-nodes.msh:10: error: expected $EndNodes"},
      {"more-nodes-than-announced",
       "more-nodes-than-announced.msh:9: error: expected $EndNodes: the section holds more"},
      {"fewer-elements-than-announced", "15: error: expected the number of an element, found '$EndElements'"},
      {"no-nodes-section", "the file has no $Nodes section"},
      {"no-elements-section", "the file has no $Elements section"},
      {"no-elements", "the mesh has no elements"},
      {"elements-before-nodes", "$Elements stands before $Nodes"},
      {"one-dimensional", "no elements of two or three dimensions, only lines"},
      {"unknown-element-type", "unknown-element-type.msh:13: error: unknown element type 777: allowed are"},
      {"serendipity", "element type 16 (8-node quadrilateral) is a serendipity element"},
      {"order-7", "element type 43 (36-node triangle) is of geometry order 7, the highest supported is 6"},
      {"polygon", "element type 34 (polygon) is not supported"},
      {"non-planar",
       "non-planar.msh:13: error: element 1 of a two-dimensional mesh has node 3 at (1, 1, 0.25), outside the plane"},
      {"two-names", "two-names.msh:18: error: element 1, at (0, 0), is in the boundaries 'wall' and 'inlet'"},
      {"side-without-element",
       "side-without-element.msh:17: error: element 1 of boundary 'wall', at (1, 0), is the side of no element"},
      {"group-dimension", "a physical group has dimension 4: allowed are 0 to 3"},
      {"group-two-names", "physical group 1 of dimension 1 is named 'wall' and 'inlet'"},
      {"name-not-closed", "name-not-closed.msh:6: error: a name in quotation marks is not closed"},
      {"entity-dimension", "triangles stand in entity 1 of dimension 1"},
      {"blocks-do-not-add-up", "the section announces 4 nodes, its blocks hold 3"},
      {"parametric", "parametric coordinates are not supported"},
      {"partitioned", "the mesh is partitioned"},
      {"rotated-periodic", "only translations are supported"},
      {"folded",
       "triangle 1 at (0.5, -0.0666667) lies over triangle 2 at (0.833333, 0.266667): both are on the same side of the "
       "edge between them"},
      {"folded-alike",
       "triangle 1 at (0.333333, 0.333333) lies over triangle 2 at (0.4, 0.3): both are on the same side of the edge"},
      {"covered",
       "1 boundary element lies over others, at (0.248887, 0.262515) (triangle 3 and triangle 2). This part of the "
       "domain is meshed more than once"},
      {"large-numbers", "coordinates reach 1e+200: these numbers are too large, 1e+30 is the most"},
      {"zero-area", "triangle 3 at (1, 0) has a zero Jacobian (no area"},
      {"zero-volume", "tetrahedron 1 at (0.5, 0.5, 0) has a zero Jacobian (no volume"},
      {"twisted-quadrilateral", "quadrilateral 1 at (0.5, 0.5) has a Jacobian of both signs"},
      {"not-convex", "has a Jacobian of both signs: it is not convex"},
      {"repeated-node",
       "repeated-node.msh:13: error: element 1 (a quadrilateral) has node 2 twice: write it as a triangle"},
      {"non-manifold", "the edge at (0.5, 0.5) is shared by 3 elements"},
      {"non-manifold-3d", "the face at (0.333333, 0.333333, 0) is shared by 3 elements (at most two may meet there): "},
      {"flat-tetrahedron", "tetrahedron 2 at (0.3125, 0.3125, 0.375) has a zero Jacobian (no volume"},
      {"inverted-tetrahedron",
       "tetrahedron 2 at (0.3, 0.3, 0.125) lies over tetrahedron 1 at (0.25, 0.25, 0.25): both are on the same side of "
       "the face between them"},
      {"pyramid-order-7", "element type 122 (204-node pyramid) is of geometry order 7, the highest supported is 6"},
      {"duplicate-element",
       "triangle 2 at (0.333333, 0.666667) and triangle 3 at (0.333333, 0.666667) have the same corners"},
      {"hanging-node",
       "3 sides without a name lie upon one another, at (1, 0.75) (triangle 4 and quadrilateral 1), at (1, 0.25)"},
      {"hanging-node-3d",
       "3 sides without a name lie upon one another, at (0.166667, 0.333333, 0) (tetrahedron 2 and tetrahedron 1)"},
  };
  return table;
}

class BadMesh : public testing::TestWithParam<Bad> {};

TEST_P(BadMesh, IsRefusedWithItsPlace) {
  const std::string path = bad_file(GetParam().file);
  try {
    Mesh mesh = read_gmsh(path);
    prepare(mesh);
    FAIL() << "the mesh was accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(GetParam().message), std::string::npos) << what;
    EXPECT_NE(what.find(GetParam().file + ".msh"), std::string::npos) << what;
  }
}

std::string test_name(const testing::TestParamInfo<Bad>& info) {
  std::string name;
  for (const char c : info.param.file) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, BadMesh, testing::ValuesIn(bad_meshes()), test_name);

TEST(BadMeshes, AreAllInTheTable) {
  std::set<std::string> listed, present;
  for (const Bad& bad : bad_meshes()) listed.insert(bad.file);
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(GALERNA_TEST_DIR) / "bad"))
    present.insert(entry.path().stem());
  EXPECT_EQ(listed, present);
}

TEST(ReadGmsh, RefusesMissingFilesAndFolders) {
  EXPECT_THROW(read_gmsh(data_file("no-such-file.msh")), InputError);
  EXPECT_THROW(read_gmsh(data_file("")), InputError);
}

TEST(ReadGmsh, DoesNotWaitForAPipe) {
  const tests::Folder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.msh").c_str(), 0600), 0);
  EXPECT_THROW(read(folder / "pipe.msh"), InputError);
}

TEST(ReadGmsh, SaysWhichSectionHasNoEnd) {
  const std::string mesh = content(data_file("plane-order1-41.msh"));
  for (const char* text :
       {"$Comments\nnever ends\n", "$Comments\nsee $EndComments\n", "$Comments\n$EndCommentsHere\n"}) {
    try {
      read_gmsh_text(mesh + text, "open.msh");
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("the file ends inside section $Comments: it is truncated"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(ReadGmsh, NamesCompression) {
  try {
    read_gmsh_text("\x1F\x8B\x08 and so on", "wing.msh.gz");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("wing.msh.gz:1: error: the file is compressed with gzip"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace galerna::mesh
