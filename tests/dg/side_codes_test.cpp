// The largest meshes whose sides 32-bit codes can name, by made-up counts.
#include "dg/sides/side_codes.hpp"

#include <gtest/gtest.h>

#include "dg/sides/code_counts.hpp"

#include <stdexcept>

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

TEST(QuickSideCodes, AreTakenApartAsTheyWerePutTogether) {
  for (int sides : {3, 4, 5, 6}) {
    const std::int32_t code = dg::element_code(1'000'003, sides - 1, sides);
    EXPECT_EQ(dg::coded_element(code, sides), 1'000'003);
    EXPECT_EQ(dg::coded_side(code, sides), sides - 1);
  }
  EXPECT_EQ(dg::slot_code(7, 1, Shape::line), 15);
  EXPECT_EQ(dg::slot_code(7, 5, Shape::triangle), 61);
}

TEST(QuickSideCodes, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(dg::element_code(std::int64_t{1} << 29, 0, 3), std::length_error);
  EXPECT_THROW(dg::element_code(std::int64_t{1} << 28, 0, 6), std::length_error) << "a side takes three bits";
  EXPECT_THROW(dg::element_code(0, 4, 3), std::length_error);
  EXPECT_THROW(dg::slot_code(std::int64_t{1} << 30, 0, Shape::line), std::length_error);
  EXPECT_THROW(dg::slot_code(0, 2, Shape::line), std::length_error) << "a line has two ways";
  EXPECT_THROW(dg::slot_code(std::int64_t{1} << 28, 0, Shape::quadrilateral), std::length_error);
}

TEST(QuickSideCodes, OfTrianglesWithKernelsOfTheirOwnEndsWithElementAndSide) {
  const std::int64_t most = std::int64_t{1} << 29;  // the last code is 2³¹ − 2
  EXPECT_TRUE(fits({{{Shape::triangle, most}}, {1000}, false}));
  EXPECT_FALSE(fits({{{Shape::triangle, most + 1}}, {1000}, false}));
}

TEST(QuickSideCodes, OfGeneralKernelsEndsWithTwiceTheSlot) {
  const std::int64_t slots = std::int64_t{1} << 30;
  EXPECT_TRUE(fits({{{Shape::quadrilateral, slots / 4 - 128}}, {512}, true}));
  EXPECT_FALSE(fits({{{Shape::quadrilateral, slots / 4 - 128}}, {513}, true})) << "ghosts have slots, too";
  EXPECT_TRUE(fits({{{Shape::triangle, 357'900'000}}, {}, true}));
  EXPECT_FALSE(fits({{{Shape::triangle, 357'920'000}}, {}, true}));
  EXPECT_FALSE(fits({{{Shape::triangle, 200'000'000}, {Shape::quadrilateral, 150'000'000}}, {}, true}))
      << "slots are counted through all sets";
}

TEST(QuickSideCodes, SaysHowManyThereAreAndHowManyFit) {
  try {
    dg::require_codes({{{Shape::triangle, 400'000'000}}, {}, true}, mesh_place);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("case.toml:2:1: error: the mesh has 400000000 elements; up to about 357 million"))
        << text;
    EXPECT_NE(text.find("mesh.refine"), std::string::npos) << text;
  }
}

TEST(QuickSideCodes, CountsWhatAMeshHas) {
  const mesh::Mesh mesh = curved_mixture(5, 1);
  const dg::CodeCounts counts = dg::code_counts(mesh, bare_euler());
  ASSERT_EQ(counts.sets.size(), 2u);
  EXPECT_EQ(side_count(counts.sets[0].shape) + side_count(counts.sets[1].shape), 7);
  EXPECT_EQ(counts.sets[0].elements + counts.sets[1].elements, mesh.element_count());
  ASSERT_EQ(counts.boundary_faces.size(), 1u);
  EXPECT_EQ(counts.boundary_faces[0], 20);
  EXPECT_TRUE(counts.turned);
  EXPECT_FALSE(dg::code_counts(irregular_square(), bare_euler()).turned);
}

}  // namespace
}  // namespace galerna::tests
