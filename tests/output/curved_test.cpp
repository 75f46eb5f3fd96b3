/// All writers on a mesh of curved triangles and quadrilaterals side by side, with a field that is a polynomial there.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "dg/curved_meshes.hpp"
#include "output/checkpoint.hpp"
#include "output/element_map.hpp"
#include "output/integrals.hpp"
#include "output/picture.hpp"
#include "output/probes.hpp"
#include "output/raster.hpp"
#include "output/sampling.hpp"
#include "output/vtu.hpp"
#include "solutions.hpp"
#include "vtu_file.hpp"

namespace galerna::output {
namespace {

using test::Folder;

/// Curved inside; the sides of the unit square stay where they are.
mesh::Point bent(double x, double y) {
  return {x + 0.08 * std::sin(M_PI * x) * std::sin(2 * M_PI * y),
          y + 0.07 * std::sin(2 * M_PI * x) * std::sin(M_PI * y), 0};
}

/// On elements of geometry order 2 a polynomial of degree 4 in the reference coordinates.
double quadratic(double x, double y, double) {
  return 1 + 2 * x - y + x * x - 3 * x * y + 0.5 * y * y;
}

class CurvedMixture : public ::testing::Test {
 protected:
  mesh::Mesh mesh_ = tests::curved_mixture(5, 2, 0.1, bent);
  Solution solution_ = test::project(mesh_, 4, quadratic);
};

TEST_F(CurvedMixture, HasModesOfEachShape) {
  ASSERT_EQ(mesh_.blocks.size(), 2u);
  const auto offsets = coefficient_offsets(solution_);
  EXPECT_EQ(offsets[1], static_cast<std::size_t>(mesh_.blocks[0].size()) * 25);
  EXPECT_EQ(offsets[2] - offsets[1], static_cast<std::size_t>(mesh_.blocks[1].size()) * 15);
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

TEST_F(CurvedMixture, IntegralsAndForcesAreExact) {
  EXPECT_NEAR(integrals(test::project(mesh_, 0, [](double, double, double) { return 1; }))[0], 1, 1e-13);
  EXPECT_NEAR(integrals(solution_)[0], 1 + 1 - 0.5 + 1.0 / 3 - 0.75 + 0.5 / 3, 1e-12);
  // ∮ p n ds = ∫ ∇p dx
  ASSERT_EQ(mesh_.boundaries.size(), 1u);
  const auto along = [](std::size_t d) {
    return FurtherField{"", true, true,
                        [d](double, double, double, double, const double* u) { return u[0] * u[3 + d]; }};
  };
  const auto force = boundary_integrals(solution_, "", {along(0), along(1)});
  EXPECT_NEAR(force[0], 2 + 1 - 1.5, 1e-12);
  EXPECT_NEAR(force[1], -1 - 1.5 + 0.5, 1e-12);
}

TEST_F(CurvedMixture, VtuHoldsCurvedLagrangeCells) {
  const Folder folder;
  for (const VtkCells cells : {VtkCells::lagrange, VtkCells::subdivided}) {
    VtuOptions options;
    options.precision = VtuOptions::Precision::double_precision;
    options.cells = cells;
    write_vtu(solution_, folder / "mixture.vtu", options);
    const test::VtuFile file(folder / "mixture.vtu");
    const auto points = file.numbers("Points"), density = file.numbers("density");
    ASSERT_EQ(density.size(), static_cast<std::size_t>(mesh_.blocks[0].size() * 25 + mesh_.blocks[1].size() * 15));
    for (std::size_t i = 0; i < density.size(); ++i)
      ASSERT_NEAR(density[i], quadratic(points[3 * i], points[3 * i + 1], 0), 1e-12);
    if (cells == VtkCells::subdivided) continue;
    std::map<int, mesh::Index> types;
    for (const std::uint8_t type : file.read<std::uint8_t>("types")) ++types[type];
    EXPECT_EQ(types[70], mesh_.blocks[0].size());
    EXPECT_EQ(types[69], mesh_.blocks[1].size());
  }
}

TEST(CurvedOutput, TakesElementsOfGeometryOrder5And6) {
  const auto linear = [](double x, double y, double) { return 1 + 2 * x - y; };
  for (const int order : {5, 6}) {
    const mesh::Mesh mesh = tests::curved_mixture(4, order, 0.1, bent);
    const Solution solution = test::project(mesh, order, linear);  // a polynomial of that degree on every element
    EXPECT_NEAR(integrals(solution)[0], 1.5, 1e-12);
    const PointLocator locator(mesh);
    for (int i = 0; i <= 20; ++i)
      for (int j = 0; j <= 20; ++j) {
        const auto found = locator.find({i / 20.0, j / 20.0, 0});
        ASSERT_TRUE(found.has_value()) << i << " " << j;
        EXPECT_NEAR(evaluate(solution, *found)[0], linear(i / 20.0, j / 20.0, 0), 1e-10);
      }
    const Folder folder;
    VtuOptions options;
    options.precision = VtuOptions::Precision::double_precision;
    write_vtu(solution, folder / "mixture.vtu", options);
    const test::VtuFile file(folder / "mixture.vtu");
    const auto points = file.numbers("Points"), density = file.numbers("density");
    ASSERT_EQ(density.size(), static_cast<std::size_t>(mesh.blocks[0].size() * (order + 1) * (order + 1) +
                                                       mesh.blocks[1].size() * (order + 1) * (order + 2) / 2));
    for (std::size_t i = 0; i < density.size(); ++i)
      ASSERT_NEAR(density[i], linear(points[3 * i], points[3 * i + 1], 0), 1e-11);
  }
}

TEST_F(CurvedMixture, PicturesShowIt) {
  const Raster raster = rasterize(solution_, 0, {0, 1, 0, 1}, 100, 100);
  for (int row = 0; row < 100; ++row)
    for (int column = 0; column < 100; ++column) {
      const auto at = static_cast<std::size_t>(row * 100 + column);
      ASSERT_TRUE(raster.covered[at]) << row << " " << column;
      EXPECT_NEAR(raster.values[at], quadratic((column + 0.5) / 100, 1 - (row + 0.5) / 100, 0), 0.02);
    }
  for (const Segment& s : isolines(solution_, 0, {1.2, 1.5}, {0, 1, 0, 1}, 0.02)) {
    const double value = quadratic(s.x0, s.y0, 0);
    EXPECT_LT(std::min(std::abs(value - 1.2), std::abs(value - 1.5)), 1e-2);
  }
  EXPECT_GT(isolines(solution_, 0, {1.2, 1.5}, {0, 1, 0, 1}, 0.02).size(), 50u);
  PictureOptions options;
  options.mesh_lines = true;
  options.width = 240;
  EXPECT_GT(render_picture(solution_, options, PictureFormat::png).size(), 1000u);
  EXPECT_GT(mesh_lines(mesh_, false, {0, 1, 0, 1}).size(), 12 * mesh_.faces.size() - 1);
}

TEST_F(CurvedMixture, CoefficientsGoToTheOrderOfTheFileAndBack) {
  const auto counts = coefficients_per_element(mesh_, 4, 1);
  EXPECT_EQ(counts, (std::vector<int>{25, 15}));
  const auto in_file = to_source_order(mesh_, solution_.coefficients, counts);
  EXPECT_EQ(from_source_order(mesh_, in_file, counts), solution_.coefficients);
  // Up and down again is the identity, and what is added is zero.
  Solution higher = solution_;
  higher.degree = 5;
  higher.coefficients = project_degree(solution_.coefficients, mesh_, 1, 4, 5);
  const LocatedPoint point = PointLocator(mesh_).locate({0.31, 0.47, 0}, "p");
  EXPECT_NEAR(evaluate(higher, point)[0], quadratic(0.31, 0.47, 0), 1e-11);
  const auto back = project_degree(higher.coefficients, mesh_, 1, 5, 4);
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], solution_.coefficients[i], 1e-12);
}

}  // namespace
}  // namespace galerna::output
