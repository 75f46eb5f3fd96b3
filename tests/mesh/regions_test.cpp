/// Elements in several physical groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "mesh/agglomeration.hpp"
#include "mesh/files.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/gmsh_writer.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"
#include "mesh/refine.hpp"

namespace galerna::mesh {
namespace {

/// Area of each region.
std::map<std::string, double> areas(const Mesh& mesh) {
  std::map<std::string, double> areas;
  Index element = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (const int regions : block.region) {
      for (const int region : mesh.regions(regions))
        areas[mesh.region_names[static_cast<std::size_t>(region)]] += measure(mesh, element);
      ++element;
    }
  return areas;
}

void expect_three_regions(const Mesh& mesh) {
  const auto found = areas(mesh);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found.at("both"), 2, 1e-12);
  EXPECT_NEAR(found.at("heated"), 1, 1e-12);
  EXPECT_NEAR(found.at("all"), 3, 1e-12);
}

class Regions : public testing::TestWithParam<const char*> {
 protected:
  Mesh read() const { return read_gmsh(data_file(std::string("regions-") + GetParam() + ".msh")); }
};

TEST_P(Regions, KeepAllTheirElements) {
  Mesh mesh = read();
  ASSERT_EQ(mesh.element_count(), 12);
  std::set<Index> sources(mesh.blocks[0].source.begin(), mesh.blocks[0].source.end());
  EXPECT_EQ(*sources.rbegin(), 11);
  EXPECT_EQ(std::set<std::int64_t>(mesh.numbers.begin(), mesh.numbers.end()).size(), 12U);
  expect_three_regions(mesh);
  expect_three_regions(refine(mesh, 1));
  prepare(mesh);
  expect_three_regions(mesh);
  EXPECT_NE(describe(mesh).find("'heated': 4 elements"), std::string::npos);
  // Polytopes do not reach across the border of any group.
  EXPECT_EQ(group_agglomeration(mesh).count, 3);
  std::ostringstream text;
  write_gmsh(mesh, text);
  expect_three_regions(read_gmsh_text(text.str(), "copy.msh"));
}

INSTANTIATE_TEST_SUITE_P(Formats, Regions, testing::Values("22", "22-binary", "41", "41-binary"),
                         [](const auto& format) {
                           std::string name = format.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace galerna::mesh
