// The warp tiles of curved tetrahedra, prisms and pyramids, by themselves and beside others, on an emulated GPU with
// matrix units: whole programs, copies as late as they may come.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "dg/solids.hpp"

namespace galerna::tests {
namespace {

using Reference = MetricReference<3>;
using State3 = Reference::State;

constexpr State3 stream = {{1.1, 0.5, -0.3, 0.2, 2.4}};
const Reference::Beyond in_stream = [](int, const State3&, const mesh::Point&, const Reference::Vector&) {
  return stream;
};

State3 disturbed(const mesh::Point& x) {
  State3 u = stream;
  for (int v = 0; v < 5; ++v) u[v] += 0.05 * std::sin(3 * x[0] + v) * std::cos(2 * x[1] - x[2] + v);
  return u;
}

dg::Spec euler_on(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = bare_euler_in_space(degree);
  surround(spec, mesh, stream);
  return spec;
}

class CurvedWarpTilesOfOrder : public ::testing::TestWithParam<int> {
 protected:
  std::vector<double> by_tiles(const mesh::Mesh& mesh, const std::vector<double>& c) const {
    Computation computation(mesh, euler_on(mesh, GetParam()), std::make_unique<EmulatedGpu>(true));
    for (const dg::ElementSet& set : computation->sets())
      EXPECT_STREQ(set.structure->name, set.order == 1 ? "warp-tiles" : "curved-warp-tiles");
    return computation.residual(c);
  }
};

/// 162 elements: a part of the last block is padding, and warps take more tiles than one.
TEST_P(CurvedWarpTilesOfOrder, ComputeWhatPlainLoopsCompute) {
  const mesh::Mesh mesh = curved_box(3, 3);
  const Reference reference(mesh, GetParam(), in_stream);
  const std::vector<double> c = reference.project(disturbed);
  EXPECT_LT(relative_difference(reference(c), by_tiles(mesh, c)), 1e-12);
}

TEST_P(CurvedWarpTilesOfOrder, MeetStraightOnes) {
  const mesh::Mesh mesh = half_curved_box();
  ASSERT_EQ(mesh.blocks.size(), 2u);
  const Reference reference(mesh, GetParam(), in_stream);
  const std::vector<double> c = reference.project(disturbed);
  EXPECT_LT(relative_difference(reference(c), by_tiles(mesh, c)), 1e-12);
}

TEST_P(CurvedWarpTilesOfOrder, LoseNothingInAPeriodicBox) {
  const mesh::Mesh mesh = curved_box(3, 2, true);
  const Reference reference(mesh, GetParam(), nullptr);
  const std::vector<double> change = by_tiles(mesh, reference.project(disturbed));
  const State3 total = reference.integrals(change);
  EXPECT_GT(largest(change), 0.1);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(total[v]), 1e-13 * largest(change)) << v;
}

/// Straight elements and curved ones, of which each in turn has the smallest step.
TEST_P(CurvedWarpTilesOfOrder, FindTheLargestStableStep) {
  if (GetParam() == 3) GTEST_SKIP() << "modes stay in registers as at order 2";
  if (GetParam() > 4) GTEST_SKIP() << "modes lie where they do at order 4";
  const mesh::Mesh mesh = half_curved_box();
  const dg::Spec spec = euler_on(mesh, GetParam());
  Computation computation(mesh, spec, std::make_unique<EmulatedGpu>(true)), on_cpu(mesh, spec);
  std::vector<double> c = Reference(mesh, GetParam(), in_stream).project(disturbed);
  const auto numbers = c.size() / static_cast<std::size_t>(mesh.element_count());
  std::vector<double> found;
  for (const std::size_t element : {std::size_t{3}, static_cast<std::size_t>(mesh.element_count()) - 2}) {
    std::vector<double> fast = c;
    fast[element * numbers + numbers - 1] += 0.02;  // energy's last mode
    fast[element * numbers + 4 * numbers / 5] *= 2;
    found.push_back(computation.stable_step(fast));
    EXPECT_NEAR(found.back(), on_cpu.stable_step(fast), 1e-13 * found.back());
    fast[element * numbers] = -1;
    EXPECT_EQ(computation.monitored(fast).bad_element, element);
  }
  EXPECT_GT(std::abs(found[0] - found[1]), 1e-3 * found[0]);
}

/// Straight ones by warp tiles, curved ones by `element`.
TEST_P(CurvedWarpTilesOfOrder, LeaveOnlyStraightOnesInSinglePrecision) {
  if (GetParam() > 2) GTEST_SKIP() << "warp_tile_test.cpp has them, without compiling the row element";
  const mesh::Mesh mesh = half_curved_box();
  dg::Spec spec = euler_on(mesh, GetParam());
  const Reference reference(mesh, GetParam(), in_stream);
  const std::vector<double> c = reference.project(disturbed);
  const double step = Computation(mesh, spec).stable_step(c);
  spec.precision = device::Precision::single_precision;
  Computation computation(mesh, spec, std::make_unique<EmulatedGpu>(true));
  EXPECT_STREQ(computation->sets()[0].structure->name, "warp-tiles");
  EXPECT_STREQ(computation->sets()[1].structure->name, "element");
  EXPECT_LT(relative_difference(reference(c), computation.residual(c)), 1e-4);
  EXPECT_NEAR(computation.stable_step(c), step, 1e-5 * step);
}

INSTANTIATE_TEST_SUITE_P(QuickOrders, CurvedWarpTilesOfOrder, ::testing::Values(2), CaseName{});
INSTANTIATE_TEST_SUITE_P(Orders, CurvedWarpTilesOfOrder, ::testing::Values(3, 4, 5), CaseName{});

/// Traces of a stage are those with which the next one begins, of both sets.
TEST(CurvedWarpTiles, TakeOneStageAfterAnother) {
  const mesh::Mesh mesh = half_curved_box();
  const dg::Spec spec = euler_on(mesh, 2);
  const auto c = Reference(mesh, 2, in_stream).project(disturbed);
  const auto expected = Computation(mesh, spec).after_two_stages(c, 1e-3);
  EXPECT_GT(relative_difference(expected, c), 1e-3);
  Computation by_tiles(mesh, spec, std::make_unique<EmulatedGpu>(true));
  EXPECT_LT(relative_difference(expected, by_tiles.after_two_stages(c, 1e-3)), 1e-13);
}

/// Prisms and pyramids, whose sides are of two kinds and turned.
class WarpTilesOfSolids : public ::testing::TestWithParam<std::tuple<Shape, int>> {
 protected:
  const Shape shape_ = std::get<0>(GetParam());
  const int degree_ = std::get<1>(GetParam());

  std::vector<double> by_tiles(const mesh::Mesh& mesh, const std::vector<double>& c) const {
    Computation computation(mesh, euler_on(mesh, degree_), std::make_unique<EmulatedGpu>(true));
    EXPECT_STREQ(computation->sets()[0].structure->name, "curved-warp-tiles");
    return computation.residual(c);
  }
};

TEST_P(WarpTilesOfSolids, ComputeWhatPlainLoopsCompute) {
  const mesh::Mesh mesh = curved_box(3, 3, false, 0.06, shape_);
  const Reference reference(mesh, degree_, in_stream);
  const std::vector<double> c = reference.project(disturbed);
  EXPECT_LT(relative_difference(reference(c), by_tiles(mesh, c)), 1e-12);
}

/// Prisms of it are affine.
TEST_P(WarpTilesOfSolids, TakeStraightOnesToo) {
  const mesh::Mesh mesh = box_of(shape_, 2, 0, true);
  const Reference reference(mesh, degree_, nullptr);
  const std::vector<double> c = reference.project(disturbed), change = by_tiles(mesh, c);
  EXPECT_LT(relative_difference(reference(c), change), 1e-12);
  const State3 total = reference.integrals(change);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(total[v]), 1e-13 * largest(change)) << v;
}

INSTANTIATE_TEST_SUITE_P(QuickShapes, WarpTilesOfSolids, ::testing::Values(std::tuple{Shape::prism, 2}), CaseName{});
INSTANTIATE_TEST_SUITE_P(Shapes, WarpTilesOfSolids,
                         ::testing::Values(std::tuple{Shape::pyramid, 2}, std::tuple{Shape::prism, 3},
                                           std::tuple{Shape::pyramid, 3}, std::tuple{Shape::pyramid, 4}),
                         CaseName{});

/// Tetrahedra, hexahedra line by line, prisms and pyramids: their faces meet in all ways, and each stage leaves the
/// traces with which the next one begins.
TEST(CurvedWarpTiles, StandBesideAllOtherSolids) {
  const mesh::Mesh mesh = curved_box_of_all_solids(3, 2);
  const dg::Spec spec = euler_on(mesh, 2);
  const Reference reference(mesh, 2, in_stream);
  const auto c = reference.project(disturbed);
  Computation by_tiles(mesh, spec, std::make_unique<EmulatedGpu>(true)), on_cpu(mesh, spec);
  for (const dg::ElementSet& set : by_tiles->sets())
    EXPECT_STREQ(set.structure->name, set.operators.shape == Shape::hexahedron ? "lines" : "curved-warp-tiles");
  EXPECT_LT(relative_difference(reference(c), by_tiles.residual(c)), 1e-12);
  EXPECT_LT(relative_difference(on_cpu.after_two_stages(c, 1e-3), by_tiles.after_two_stages(c, 1e-3)), 1e-13);
  EXPECT_NEAR(by_tiles.stable_step(c), on_cpu.stable_step(c), 1e-13 * on_cpu.stable_step(c));
}

}  // namespace
}  // namespace galerna::tests
