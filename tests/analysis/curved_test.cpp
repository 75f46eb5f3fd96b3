/// Analysis on meshes of curved triangles and quadrilaterals, and of all curved solids, side by side, with fields that
/// are polynomials there.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/element_map.hpp"
#include "analysis/probes.hpp"
#include "analysis/sampling.hpp"
#include "analysis/source_order.hpp"
#include "curved_solution.hpp"
#include "dg/curved_solids.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using tests::bent;
using tests::CurvedMixture;
using tests::quadratic;

TEST_F(CurvedMixture, HasModesOfEachShape) {
  ASSERT_EQ(mesh_.blocks.size(), 2u);
  EXPECT_EQ(piece_of(solution_, 0).coefficients.size(), static_cast<std::size_t>(mesh_.blocks[0].size()) * 25);
  EXPECT_EQ(piece_of(solution_, 1).coefficients.size(), static_cast<std::size_t>(mesh_.blocks[1].size()) * 15);
  Solution cut = solution_;
  cut.pieces[1].coefficients.pop_back();
  EXPECT_THROW(piece_of(cut, 1), std::invalid_argument);
}

TEST_F(CurvedMixture, ProbesFindTheValueAnywhere) {
  const PointLocator locator(mesh_);
  for (int i = 0; i <= 60; ++i)
    for (int j = 0; j <= 60; ++j) {
      const mesh::Point place = {i / 60.0, j / 60.0, 0};
      const auto found = locator.find(place);
      ASSERT_TRUE(found.has_value()) << place[0] << " " << place[1];
      EXPECT_NEAR(evaluate(solution_, *found)[0], quadratic(place[0], place[1], 0), 1e-10);
    }
  EXPECT_FALSE(locator.find({1.001, 0.5, 0}).has_value());
}

TEST_F(CurvedMixture, BoxesHoldTheElements) {
  for (std::size_t b = 0; b < 2; ++b) {
    const mesh::ElementBlock& block = mesh_.blocks[b];
    const auto points = basis::lagrange_nodes(block.shape, 7);
    const BlockSampler sampler(solution_, static_cast<int>(b), points);
    std::vector<mesh::Point> places;
    for (mesh::Index e = 0; e < block.size(); ++e) {
      sampler.places(e, places);
      const ElementMap map(mesh_, block, e);
      const auto box = map.box();
      for (std::size_t q = 0; q < points.size(); ++q) {
        EXPECT_TRUE(box.contains(places[q]));
        const auto reference = map.to_reference(places[q]);
        ASSERT_TRUE(reference.has_value());
        EXPECT_NEAR((*reference)[0], points[q][0], 1e-11);
        EXPECT_NEAR((*reference)[1], points[q][1], 1e-11);
      }
    }
  }
}

TEST(CurvedElements, OfGeometryOrder5And6AreProbed) {
  const auto linear = [](double x, double y, double) { return 1 + 2 * x - y; };
  for (const int order : {5, 6}) {
    const mesh::Mesh mesh = tests::curved_mixture(4, order, 0.1, bent);
    const Solution solution = tests::project(mesh, order, linear);  // a polynomial of that degree on every element
    const PointLocator locator(mesh);
    for (int i = 0; i <= 20; ++i)
      for (int j = 0; j <= 20; ++j) {
        const auto found = locator.find({i / 20.0, j / 20.0, 0});
        ASSERT_TRUE(found.has_value()) << i << " " << j;
        EXPECT_NEAR(evaluate(solution, *found)[0], linear(i / 20.0, j / 20.0, 0), 1e-10);
      }
  }
}

TEST_F(CurvedMixture, CoefficientsGoToTheOrderOfTheFileAndBack) {
  const auto counts = coefficients_per_element(mesh_, 4, 1);
  EXPECT_EQ(counts, (std::vector<int>{25, 15}));
  const std::vector<double> all = solution_.coefficients();
  const auto in_file = to_source_order(mesh_, all, counts);
  EXPECT_EQ(from_source_order(mesh_, in_file, counts), all);
  // Up and down again is the identity, and what is added is zero.
  Solution higher = solution_;
  higher.degree = 5;
  higher.set_coefficients(project_degree(all, mesh_, 1, 4, 5));
  const LocatedPoint point = PointLocator(mesh_).locate({0.31, 0.47, 0}, "p");
  EXPECT_NEAR(evaluate(higher, point)[0], quadratic(0.31, 0.47, 0), 1e-11);
  const auto back = project_degree(higher.coefficients(), mesh_, 1, 5, 4);
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], all[i], 1e-12);
}

/// Of points spread over each element, among them its corners and the apex of pyramids.
TEST(CurvedSolids, PlacesAreFoundInTheirElements) {
  for (const int order : {1, 2, 3, 4}) {
    const mesh::Mesh mesh = tests::curved_box_of_all_solids(2, order);
    const Solution solution = tests::project(mesh, 0, [](double, double, double) { return 1; });
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      const mesh::ElementBlock& block = mesh.blocks[b];
      const auto points = basis::lagrange_nodes(block.shape, 5);
      const BlockSampler sampler(solution, static_cast<int>(b), points);
      std::vector<mesh::Point> places;
      for (mesh::Index e = 0; e < block.size(); ++e) {
        sampler.places(e, places);
        const ElementMap map(mesh, block, e);
        const auto box = map.box();
        for (std::size_t q = 0; q < points.size(); ++q) {
          EXPECT_TRUE(box.contains(places[q])) << name(block.shape) << " of order " << order;
          const auto reference = map.to_reference(places[q]);
          ASSERT_TRUE(reference.has_value()) << name(block.shape) << " of order " << order << ", point " << q;
          for (std::size_t d = 0; d < 3; ++d)
            EXPECT_NEAR((*reference)[d], points[q][d], 1e-10) << name(block.shape) << " of order " << order;
        }
      }
    }
  }
}

/// A probe finds one value at every place in the box.
TEST(CurvedSolids, AreProbed) {
  const auto plane = [](double x, double y, double z) { return 1 + 2 * x - y + 0.5 * z; };
  for (const int order : {2, 3, 4}) {
    const mesh::Mesh mesh = tests::curved_box_of_all_solids(3, order, true);
    const Solution solution = tests::project(mesh, order, plane);  // in the space of degree N of every element
    const PointLocator locator(mesh);
    for (int i = 0; i < 400; ++i) {
      const mesh::Point x = {0.1 + 0.8 * std::fmod(0.618 * i, 1), 0.1 + 0.8 * std::fmod(0.755 * i, 1),
                             0.1 + 0.8 * std::fmod(0.57 * i, 1)};
      const auto found = locator.find(x);
      ASSERT_TRUE(found.has_value()) << x[0] << " " << x[1] << " " << x[2];
      EXPECT_NEAR(evaluate(solution, *found)[0], plane(x[0], x[1], x[2]), 1e-10);
    }
  }
}

}  // namespace
}  // namespace galerna::analysis
