// Lines of elements through boundary layers.
#include "steady/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dg/computation.hpp"
#include "mesh/generate.hpp"

namespace galerna::tests {
namespace {

/// 6 × 5 elements, each 10 times as long as thick.
mesh::Mesh layer(mesh::CellStyle style) {
  mesh::Mesh mesh = mesh::make_rectangle(6, 5, {0, 0}, {12, 1}, style);
  mesh::prepare(mesh, {});
  return mesh;
}

std::size_t elements_of(const steady::Lines& lines) {
  return std::accumulate(lines.begin(), lines.end(), std::size_t{0},
                         [](std::size_t sum, const auto& line) { return sum + line.size(); });
}

TEST(Lines, GoAcrossTheThinDirection) {
  const mesh::Mesh mesh = layer(mesh::CellStyle::quadrilaterals);
  const steady::Lines lines = steady::lines_of(mesh);
  ASSERT_EQ(lines.size(), 6u);
  for (const auto& line : lines) EXPECT_EQ(line.size(), 5u);
  EXPECT_EQ(elements_of(lines), static_cast<std::size_t>(mesh.element_count()));
}

TEST(Lines, OfTrianglesGoThroughBothHalvesOfAnElement) {
  const mesh::Mesh mesh = layer(mesh::CellStyle::triangles);
  const steady::Lines lines = steady::lines_of(mesh);
  EXPECT_EQ(elements_of(lines), static_cast<std::size_t>(mesh.element_count()));
  EXPECT_LE(lines.size(), 12u);
}

TEST(Lines, AreElementsWhereNothingIsStretched) {
  const mesh::Mesh mesh = irregular_square();
  EXPECT_EQ(steady::lines_of(mesh).size(), static_cast<std::size_t>(mesh.element_count()));
}

}  // namespace
}  // namespace galerna::tests
