#include "mesh/cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/index.hpp"
#include "mesh/generate.hpp"
#include "mesh/metis.hpp"
#include "mesh/parts.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

Mesh prepared(Mesh mesh) {
  prepare(mesh);
  return mesh;
}

/// Triangles on the left, quadrilaterals on the right, in two blocks.
Mesh two_blocks(Index n) {
  return prepared(
      beside(make_rectangle(n, n), make_rectangle(n, n, {1, 0}, {2, 1}, CellStyle::quadrilaterals), " again"));
}

std::vector<CutMethod> methods() {
  std::vector<CutMethod> result = {CutMethod::automatic, CutMethod::hilbert, CutMethod::random};
  if (has_metis()) result.push_back(CutMethod::metis);
  return result;
}

Index cut_sides(const Mesh& mesh, const std::vector<int>& ranks) {
  return std::count_if(mesh.faces.begin(), mesh.faces.end(), [&](const Face& face) {
    return face.right.element >= 0 && ranks[at(face.left.element)] != ranks[at(face.right.element)];
  });
}

void expect_all_used(const std::vector<int>& ranks, int parts) {
  for (int r = 0; r < parts; ++r) EXPECT_NE(std::find(ranks.begin(), ranks.end(), r), ranks.end()) << "rank " << r;
  EXPECT_GE(*std::min_element(ranks.begin(), ranks.end()), 0);
  EXPECT_LT(*std::max_element(ranks.begin(), ranks.end()), parts);
}

TEST(Cut, GivesEveryRankAboutTheSameWeight) {
  const Mesh mesh = two_blocks(60);
  for (const std::vector<double>& weights : {std::vector<double>{}, {1, 1.57}, {3e-9, 1e-9}})
    for (const CutMethod method : methods())
      for (const int parts : {2, 3, 7}) {
        const std::vector<int> ranks = cut(mesh, parts, method, weights);
        ASSERT_EQ(static_cast<Index>(ranks.size()), mesh.element_count());
        expect_all_used(ranks, parts);
        EXPECT_LE(imbalance(mesh, ranks, weights), 0.01) << parts << " parts, method " << static_cast<int>(method);
        EXPECT_EQ(ranks, cut(mesh, parts, method, weights)) << "the same each time";
      }
}

/// Elements that cost more are fewer on a rank.
TEST(Cut, CountsElementsByTheirWeight) {
  const Mesh mesh = two_blocks(20);
  const std::vector<int> ranks = cut(mesh, 2, CutMethod::hilbert, {1, 10});
  // 800 triangles and 400 quadrilaterals weigh 4800: one rank has quadrilaterals only.
  const auto first = std::count(ranks.begin(), ranks.end(), 0), second = std::count(ranks.begin(), ranks.end(), 1);
  EXPECT_EQ(std::min(first, second), 240);
  EXPECT_NEAR(imbalance(mesh, ranks), 960.0 / 600 - 1, 1e-12);
}

TEST(Cut, LeavesNoRankWithoutElements) {
  Mesh mesh = two_blocks(2);
  ASSERT_EQ(mesh.element_count(), 12);
  for (const CutMethod method : methods())
    for (int parts = 1; parts <= 12; ++parts)
      for (const std::vector<double>& weights : {std::vector<double>{}, {1, 1000}, {1000, 1}})
        expect_all_used(cut(mesh, parts, method, weights), parts);
}

/// Of a square, 7 pieces as compact as can be would cut some 300 sides.
TEST(Cut, CutsFewSides) {
  const Mesh mesh = prepared(make_rectangle(64, 64, {0, 0}, {1, 1}, CellStyle::random_triangles));
  const Index random = cut_sides(mesh, cut(mesh, 7, CutMethod::random));
  EXPECT_GT(random, 10000);
  EXPECT_LT(cut_sides(mesh, cut(mesh, 7, CutMethod::hilbert)), 500);
  EXPECT_LT(cut_sides(mesh, cut(mesh, 7, CutMethod::automatic)), 500);
  if (has_metis()) {
    EXPECT_LT(cut_sides(mesh, cut(mesh, 7, CutMethod::metis)), 400);
  }
}

TEST(Cut, RefusesWhatCannotBe) {
  const Mesh mesh = two_blocks(2);
  for (const CutMethod method : methods()) {
    EXPECT_THROW(cut(mesh, 0, method), std::invalid_argument);
    EXPECT_THROW(cut(mesh, 13, method), std::invalid_argument);
    EXPECT_THROW(cut(mesh, 2, method, {1}), std::invalid_argument);
    EXPECT_THROW(cut(mesh, 2, method, {1, 0}), std::invalid_argument);
    EXPECT_THROW(cut(mesh, 2, method, {1, std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
    EXPECT_THROW(cut(mesh, 2, method, {1, std::numeric_limits<double>::infinity()}), std::invalid_argument);
  }
}

TEST(Cut, SaysWhatToInstallForMetis) {
  if (has_metis()) GTEST_SKIP() << "built with METIS";
  try {
    cut(two_blocks(2), 2, CutMethod::metis);
    FAIL() << "METIS is not there";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("libmetis-dev"), std::string::npos);
  }
}

/// A long strip that is periodic along and across, so that two elements have two sides in common where it is two wide.
/// Cut in two, it has to be cut across in two places, and nowhere along.
TEST(Metis, SeesPeriodicNeighbours) {
  if (!has_metis()) GTEST_SKIP() << "built without METIS";
  for (const Index width : {1, 2, 4}) {
    Mesh mesh = make_rectangle(100, width, {0, 0}, {25, 1}, CellStyle::quadrilaterals);
    PrepareOptions options;
    options.periodic = {{"left", "right", {25, 0, 0}, {}}, {"bottom", "top", {0, 1, 0}, {}}};
    prepare(mesh, options);
    const auto ranks = cut_by_metis(mesh, 2, {1});
    ASSERT_TRUE(ranks);
    EXPECT_EQ(cut_sides(mesh, *ranks), 2 * width);
    EXPECT_LE(imbalance(mesh, *ranks), 0.01);
  }
}

TEST(Metis, LeavesAHandfulOfElementsToOthers) {
  const Mesh mesh = two_blocks(2);
  EXPECT_FALSE(cut_by_metis(mesh, 3, {1, 1}));
}

}  // namespace
}  // namespace galerna::mesh
