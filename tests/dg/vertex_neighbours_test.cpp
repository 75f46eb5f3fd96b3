#include "dg/geometry/vertex_neighbours.hpp"

#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace galerna::tests {
namespace {

/// Slots of a prepared rectangle, which both functions must agree upon.
int slots(mesh::Mesh mesh, bool with_boundary) {
  mesh::prepare(mesh, {});
  const int alone = dg::vertex_slots(mesh, with_boundary);
  EXPECT_EQ(alone, dg::make_vertex_neighbours(mesh, with_boundary).slots);
  return alone;
}

TEST(QuickVertexNeighbours, CountBoundaryFacesOnlyWhereTheyAreAskedFor) {
  const mesh::Mesh cell = mesh::make_rectangle(1, 1);
  EXPECT_EQ(slots(cell, false), 2);
  EXPECT_EQ(slots(cell, true), 4);
  const mesh::Mesh grid = mesh::make_rectangle(3, 3);
  EXPECT_EQ(slots(grid, false), 6);
  EXPECT_EQ(slots(grid, true), 6);
}

}  // namespace
}  // namespace galerna::tests
