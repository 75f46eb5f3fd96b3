#include "mesh/counts.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/refine.hpp"

namespace galerna::mesh {
namespace {

TEST(Counts, AreThoseOfRefinedMeshes) {
  const Mesh box = make_box({2, 2, 2});
  EXPECT_EQ(count_elements(refine(box, 2)), refined(count_elements(box), 2));
  const Mesh square = make_rectangle(3, 4, {0, 0}, {1, 1});
  EXPECT_EQ(count_elements(refine(square, 3)), refined(count_elements(square), 3));
  EXPECT_EQ(refined({{Shape::pyramid, 1}}, 1), (ElementCounts{{Shape::pyramid, 6}, {Shape::tetrahedron, 4}}));
}

/// Numbers of elements go on behind the ends of 32 bits.
TEST(Counts, OfMeshesThatNobodyMakes) {
  EXPECT_EQ(sum(refined({{Shape::triangle, 6600}}, 10)), 6600LL << 20);
  EXPECT_EQ(sum(refined({{Shape::hexahedron, 1728}}, 8)), 1728LL << 24);
  EXPECT_THROW(refined({{Shape::hexahedron, 1728}}, 20), std::overflow_error);
}

TEST(Counts, SayWhatAMeshTakes) {
  const MeshBytes triangles = bytes_of({{Shape::triangle, 7'372'800}});
  EXPECT_NEAR(static_cast<double>(triangles.peak), 1.02e9, 0.15 * 1.02e9);
  EXPECT_LT(triangles.held, triangles.peak);
}

}  // namespace
}  // namespace galerna::mesh
