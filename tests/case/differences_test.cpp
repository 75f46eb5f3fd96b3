#include "case/differences.hpp"

#include <gtest/gtest.h>

namespace galerna::case_file {
namespace {

TEST(Differences, AreThoseThatTheFlowKnows) {
  const std::string before =
      "title = \"one\"\n[equations]\ntype = \"navier-stokes\"\ngamma = 1.4\nmu = 1\n[discretization]\norder = 1\n"
      "riemann = \"llf\"\n[boundary.wall]\ntype = \"slip-wall\"\n[time]\nend = 1\n[output]\ndirectory = \"a\"\n";
  const std::string now =
      "title = \"two\"\n[equations]\ntype = \"navier-stokes\"\ngamma = 1.40\nmu = 1.0\n[discretization]\norder = 3\n"
      "riemann = \"roe\"\n[boundary.wall]\ntype = \"no-slip-isothermal\"\ntemperature = \"1 + x\"\n[time]\nend = 2\n";
  const std::vector<Difference> found = differences(before, now);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].key, "boundary.wall.temperature");
  EXPECT_EQ(found[0].before, "");
  EXPECT_EQ(found[1].key, "boundary.wall.type");
  EXPECT_EQ(found[2].key, "discretization.riemann");
  EXPECT_NE(found[2].now.find("roe"), std::string::npos);
  EXPECT_TRUE(differences(before, before).empty());
  EXPECT_EQ(differences("[constants]\nu = 0.4\n", "[constants]\nu = 0.5\n").at(0).before, "0.4");
  EXPECT_TRUE(differences("no TOML", now).empty());
}

TEST(Differences, OfMeshesAreThoseOfTheirKeys) {
  const std::vector<Difference> found =
      mesh_differences("[mesh]\nfile = \"a.msh\"\nrefine = 1\n", "[mesh]\nfile = \"b.msh\"\n[equations]\ngamma = 2\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "mesh.refine");
  EXPECT_EQ(found[0].before, "1");
  EXPECT_EQ(found[0].now, "0");
}

/// Checkpoints of versions that did not write the default.
TEST(Differences, KnowDefaults) {
  const std::string written = "[discretization]\norder = 1\nriemann = \"llf\"\n", not_written = "[discretization]\n";
  EXPECT_TRUE(differences(not_written, written).empty());
  EXPECT_TRUE(differences(written, not_written).empty());
}

}  // namespace
}  // namespace galerna::case_file
