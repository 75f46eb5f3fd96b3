// The largest meshes whose sides 32-bit codes can name, by made-up counts.
#include "dg/code_range.hpp"

#include <gtest/gtest.h>

#include "dg/curved_meshes.hpp"
#include "dg/fixtures.hpp"

namespace galerna::tests {
namespace {

const SourcePlace mesh_place{"case.toml", 2, 1};

bool fits(const dg::CodeCounts& counts) {
  try {
    dg::require_codes(counts, mesh_place);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(QuickCodeRange, OfTrianglesWithKernelsOfTheirOwnEndsWithElementAndSide) {
  const std::int64_t most = std::int64_t{1} << 29;  // the last code is 2³¹ − 2
  EXPECT_TRUE(fits({{{3, most}}, {1000}, false}));
  EXPECT_FALSE(fits({{{3, most + 1}}, {1000}, false}));
}

TEST(QuickCodeRange, OfGeneralKernelsEndsWithTwiceTheSlot) {
  const std::int64_t slots = std::int64_t{1} << 30;
  EXPECT_TRUE(fits({{{4, slots / 4 - 128}}, {512}, true}));
  EXPECT_FALSE(fits({{{4, slots / 4 - 128}}, {513}, true})) << "ghosts have slots, too";
  EXPECT_TRUE(fits({{{3, 357'900'000}}, {}, true}));
  EXPECT_FALSE(fits({{{3, 357'920'000}}, {}, true}));
  EXPECT_FALSE(fits({{{3, 200'000'000}, {4, 150'000'000}}, {}, true})) << "slots are counted through all sets";
}

TEST(QuickCodeRange, SaysHowManyThereAreAndHowManyFit) {
  try {
    dg::require_codes({{{3, 400'000'000}}, {}, true}, mesh_place);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("case.toml:2:1: error: the mesh has 400000000 elements; up to about 357 million"))
        << text;
    EXPECT_NE(text.find("mesh.refine"), std::string::npos) << text;
  }
}

TEST(QuickCodeRange, CountsWhatAMeshHas) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  const dg::CodeCounts counts = dg::code_counts(mesh, bare_euler());
  ASSERT_EQ(counts.sets.size(), 2u);
  EXPECT_EQ(counts.sets[0].sides + counts.sets[1].sides, 7);
  EXPECT_EQ(counts.sets[0].elements + counts.sets[1].elements, mesh.element_count());
  ASSERT_EQ(counts.boundary_faces.size(), 1u);
  EXPECT_EQ(counts.boundary_faces[0], 20);
  EXPECT_TRUE(counts.general);
  EXPECT_FALSE(dg::code_counts(irregular_square(), bare_euler()).general);
}

}  // namespace
}  // namespace galerna::tests
