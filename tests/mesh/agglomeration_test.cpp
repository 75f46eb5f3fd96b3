#include "mesh/agglomeration.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "base/error.hpp"
#include "folder.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

Mesh rectangle(Index nx, Index ny) {
  Mesh mesh = make_rectangle(nx, ny);
  prepare(mesh);
  return mesh;
}

std::vector<Index> file_order(const Mesh& mesh, const Agglomeration& agglomeration) {
  std::vector<Index> result(agglomeration.polytope.size());
  std::size_t e = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (const Index source : block.source) result[static_cast<std::size_t>(source)] = agglomeration.polytope[e++];
  return result;
}

TEST(ReadAgglomeration, TakesTheOrderOfTheFile) {
  const Mesh mesh = rectangle(3, 1);  // six triangles, two to a cell
  const Agglomeration read = read_agglomeration_text("0\n0\n2\r\n2\n\n  1\t1\n", "x.agg", mesh);
  EXPECT_EQ(read.count, 3);
  EXPECT_EQ(file_order(mesh, read), (std::vector<Index>{0, 0, 2, 2, 1, 1}));
}

TEST(ReadAgglomeration, ReadsWhatWasWritten) {
  const Mesh mesh = rectangle(4, 4);
  Agglomeration rows;
  rows.count = 4;
  for (const Index source : mesh.blocks[0].source) rows.polytope.push_back(source / 8);
  const tests::Folder folder;
  std::ofstream(folder / "rows.agg") << agglomeration_text(rows, mesh);
  const Agglomeration read = read_agglomeration(folder / "rows.agg", mesh);
  EXPECT_EQ(read.polytope, rows.polytope);
  EXPECT_EQ(read.count, 4);
}

std::string message_of(const std::string& text) {
  const Mesh mesh = rectangle(3, 1);
  try {
    read_agglomeration_text(text, "x.agg", mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReadAgglomeration, RefusesWhatIsWrongWithItsPlace) {
  EXPECT_EQ(message_of("0\n0\n1\n1\n2\n"),
            "x.agg: error: the file is too short: it has 5 numbers, the mesh 6 elements");
  EXPECT_EQ(message_of(""), "x.agg: error: the file is too short: it has 0 numbers, the mesh 6 elements");
  EXPECT_EQ(message_of("0\n0\n1\n1\n2\n2\n\n2"),
            "x.agg:8: error: the file is too long: the mesh has 6 elements, each one number");
  EXPECT_EQ(message_of("0\n0\n1\n1\n3\n3\n"),
            "x.agg: error: no element is in polytope 2, the largest is 3: polytopes are numbered from 0 without gaps");
  EXPECT_EQ(message_of("0\n0\n1\n-1\n2\n2\n"), "x.agg:4: error: polytope -1: 6 elements have polytopes 0 to 5 at most");
  EXPECT_EQ(message_of("0\n6\n"), "x.agg:2: error: polytope 6: 6 elements have polytopes 0 to 5 at most");
  EXPECT_EQ(message_of("0\n99999999999999999999\n"),
            "x.agg:2: error: polytope 99999999999999999999: 6 elements have polytopes 0 to 5 at most");
  EXPECT_EQ(message_of("0\n0\n1.5\n"), "x.agg:3: error: expected the number of a polytope, found '1.5'");
  EXPECT_EQ(message_of("0\n0\ntwo\n"), "x.agg:3: error: expected the number of a polytope, found 'two'");
}

TEST(ReadAgglomeration, NamesThePlaceOfAPolytopeInTwoPieces) {
  const std::string message = message_of("0\n0\n1\n1\n0\n0\n");
  EXPECT_NE(message.find("error: polytope 0 is in two pieces: from triangle "), std::string::npos) << message;
  EXPECT_NE(message.find("no way through common sides of its elements leads to triangle "), std::string::npos);
}

TEST(ReadAgglomeration, DoesNotJoinPiecesThroughPeriodicSides) {
  Mesh mesh = make_rectangle(3, 1);
  prepare(mesh, {{{"left", "right", {1, 0, 0}, {}}}});
  EXPECT_THROW(read_agglomeration_text("0 0 1 1 0 0", "x.agg", mesh), InputError);
}

TEST(ReadAgglomeration, RefusesMissingFilesAndFolders) {
  const Mesh mesh = rectangle(1, 1);
  const tests::Folder folder;
  EXPECT_THROW(read_agglomeration(folder / "none.agg", mesh), InputError);
  EXPECT_THROW(read_agglomeration(folder.path(), mesh), InputError);
}

TEST(GroupAgglomeration, MakesPiecesOfGroupsAndLeavesTheRest) {
  Mesh mesh = make_rectangle(4, 1);
  mesh.region_names = {"stone", "water"};
  mesh.blocks[0].region = {0, 0, 1, 1, 0, 0, -1, -1};  // stone in two pieces
  prepare(mesh);
  const Agglomeration groups = group_agglomeration(mesh);
  EXPECT_EQ(groups.count, 5);
  const std::vector<Index> p = file_order(mesh, groups);
  EXPECT_EQ(p[0], p[1]);
  EXPECT_EQ(p[2], p[3]);
  EXPECT_EQ(p[4], p[5]);
  EXPECT_EQ(std::set<Index>(p.begin(), p.end()).size(), 5u);
}

TEST(ElementAgglomeration, MakesEveryElementAPolytope) {
  const Agglomeration elements = element_agglomeration(rectangle(2, 1));
  EXPECT_EQ(elements.count, 4);
  EXPECT_EQ(elements.polytope, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(Parents, FollowFromElements) {
  EXPECT_EQ(parents({{0, 0, 1, 2, 3, 3}, 4}, {{0, 0, 1, 1, 0, 0}, 2}), (std::vector<Index>{0, 1, 1, 0}));
}

}  // namespace
}  // namespace galerna::mesh
