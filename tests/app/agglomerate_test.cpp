// Polytopes on the command line: `galerna agglomerate` and what `galerna info` says of them.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

class QuickAgglomerate : public ::testing::Test {
 protected:
  QuickAgglomerate() { write_square(folder, 6); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  Folder folder;
};

TEST_F(QuickAgglomerate, WritesWhatInfoReads) {
  const Execution made = galerna("agglomerate " + path("square.msh") + " --polytopes 6 -o " + path("square.agg"));
  EXPECT_EQ(made.code, 0) << made.output;
  expect_contains(made.output, "polytopes         6 of ");
  const Execution info = galerna("info " + path("square.msh") + " --agglomeration " + path("square.agg"));
  EXPECT_EQ(info.code, 0) << info.output;
  expect_contains(info.output, "72 triangles of order 1");
  expect_contains(info.output, made.output);
}

TEST_F(QuickAgglomerate, TakesElementsAPolytopeOrGroups) {
  expect_contains(galerna("agglomerate " + path("square.msh") + " --simplices 1 -o " + path("a.agg")).output,
                  "polytopes         72 of 1 to 1 elements");
  const Execution groups = galerna("agglomerate " + path("square.msh") + " --groups -o " + path("a.agg"));
  EXPECT_EQ(groups.code, 0) << groups.output;
}

TEST_F(QuickAgglomerate, WritesWholeFiles) {
  const std::string words = "agglomerate " + path("square.msh") + " --groups";
  expect_written_whole(words, folder / "a.agg", 0);
  const Execution missing = galerna(words + " -o " + path("no/a.agg"));
  EXPECT_EQ(missing.code, 4);
  expect_contains(missing.output, "no/a.agg: No such file or directory");
}

TEST_F(QuickAgglomerate, WritesOverNothingThatItReads) {
  const std::string before = text_of(folder / "square.msh");
  std::filesystem::create_symlink(folder / "square.msh", folder / "link.msh");
  for (const char* name : {"square.msh", "link.msh"}) {
    const Execution refused = galerna("agglomerate " + path("square.msh") + " --groups -o " + path(name));
    EXPECT_EQ(refused.code, 2);
    expect_contains(refused.output, "--output: error: " + path(name) + " is what is read, and would be lost");
  }
  EXPECT_EQ(text_of(folder / "square.msh"), before);
}

TEST_F(QuickAgglomerate, RefusesWrongWordsAndFiles) {
  EXPECT_EQ(galerna("agglomerate " + path("square.msh") + " -o " + path("a.agg")).code, 2);
  EXPECT_EQ(galerna("agglomerate " + path("square.msh") + " --simplices 0 -o " + path("a.agg")).code, 2);
  const Execution none = galerna("agglomerate " + path("square.msh") + " --simplices 0 -o " + path("a.agg"));
  expect_contains(none.output, "must be a positive integer, not 0");
  const Execution many = galerna("agglomerate " + path("square.msh") + " --polytopes 1000 -o " + path("a.agg"));
  EXPECT_EQ(many.code, 2);
  expect_contains(many.output, "--polytopes: error: 1000 polytopes, but the mesh has 72 elements");
  EXPECT_EQ(galerna("agglomerate " + path("square.msh") + " --groups --simplices 3 -o " + path("a.agg")).code, 2);
  EXPECT_EQ(galerna("agglomerate " + path("square.msh") + " --groups -o " + path("no/folder/a.agg")).code, 4);
  std::ofstream(folder / "short.agg") << "0\n0\n";
  const Execution info = galerna("info " + path("square.msh") + " --agglomeration " + path("short.agg"));
  EXPECT_EQ(info.code, 2);
  expect_contains(info.output, "short.agg: error: the file is too short: it has 2 numbers, the mesh 72 elements");
}

}  // namespace
}  // namespace galerna::tests
