// The viscous warp tiles of straight and of curved tetrahedra on an emulated GPU with matrix units: whole programs,
// copies as late as they may come.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "dg/solids.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

std::vector<double> by_tiles(const mesh::Mesh& mesh, const dg::Spec& spec, const std::vector<double>& c) {
  Computation computation(mesh, spec, std::make_unique<EmulatedGpu>(true));
  for (const dg::ElementSet& set : computation->sets())
    EXPECT_STREQ(set.structure->name, set.order == 1 ? "viscous-warp-tiles" : "curved-viscous-warp-tiles");
  return computation.residual(c);
}

class ViscousWarpTilesOfOrder : public ::testing::TestWithParam<int> {};

/// Jumps everywhere, all boundary conditions, 162 elements: a part of the last block is padding, and warps take more
/// tiles than one.
TEST_P(ViscousWarpTilesOfOrder, ComputeWhatPlainLoopsCompute) {
  const ViscousProblem<3> problem(box_of(Shape::tetrahedron, 3, 0.06, false), GetParam(), 2.5);
  EXPECT_GT(largest(problem.expected), 1);
  EXPECT_LT(relative_difference(problem.expected, by_tiles(problem.mesh, problem.spec, problem.c)), 1e-11);
}

TEST_P(ViscousWarpTilesOfOrder, ComputeWhatPlainLoopsComputeOnCurvedElements) {
  const ViscousProblem<3> problem(curved_box(3, 2), GetParam(), 2.5);
  EXPECT_GT(largest(problem.expected), 1);
  EXPECT_LT(relative_difference(problem.expected, by_tiles(problem.mesh, problem.spec, problem.c)), 1e-11);
}

/// A mesh where straight elements meet curved ones.
TEST_P(ViscousWarpTilesOfOrder, ComputeWhatPlainLoopsComputeOnBoth) {
  const ViscousProblem<3> problem(half_curved_box(), GetParam(), 2.5);
  ASSERT_EQ(problem.mesh.blocks.size(), 2u);
  EXPECT_LT(relative_difference(problem.expected, by_tiles(problem.mesh, problem.spec, problem.c)), 1e-11);
}

TEST(ViscousWarpTiles, ComputeWhatTheAlgorithmComputes) {
  const ViscousProblem<3> problem(box_of(Shape::tetrahedron, 2, 0.06, false), 2, 2.5);
  const auto expected = Computation(problem.mesh, problem.spec).residual(problem.c);
  EXPECT_LT(relative_difference(expected, by_tiles(problem.mesh, problem.spec, problem.c)), 1e-12);
}

TEST_P(ViscousWarpTilesOfOrder, KeepIntegralsInAPeriodicBox) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 3, 0, true);
  const auto rhs = by_tiles(mesh, navier_stokes(GetParam(), 0, 3), random_flow(mesh, GetParam()));
  const auto modes = static_cast<std::size_t>(basis::mode_count(Shape::tetrahedron, GetParam()));
  EXPECT_GT(largest(rhs), 1);
  for (std::size_t v = 0; v < 5; ++v) {
    double sum = 0;  // equal elements
    for (std::size_t at = v * modes; at < rhs.size(); at += 5 * modes) sum += rhs[at];
    EXPECT_LT(std::abs(sum), 1e-12 * largest(rhs)) << v;
  }
}

TEST_P(ViscousWarpTilesOfOrder, LoseNothingInACurvedPeriodicBox) {
  const mesh::Mesh mesh = curved_box(3, 2, true);
  const auto rhs = by_tiles(mesh, navier_stokes(GetParam(), 0, 3), random_flow(mesh, GetParam()));
  EXPECT_GT(largest(rhs), 1);
  const auto totals = MetricReference<3>(mesh, GetParam(), nullptr).integrals(rhs);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(totals[v]), 1e-12 * largest(rhs)) << v;
}

TEST_P(ViscousWarpTilesOfOrder, LeaveAUniformFlowAsItIs) {
  const auto modes = static_cast<std::size_t>(basis::mode_count(Shape::tetrahedron, GetParam()));
  for (const mesh::Mesh& mesh : {box_of(Shape::tetrahedron, 3, 0.06, true), curved_box(3, 3, true)}) {
    std::vector<double> c(static_cast<std::size_t>(mesh.element_count()) * 5 * modes);
    const double flow[] = {1, 0.3, -0.4, 0.2, 2.2};
    for (std::size_t k = 0; k < c.size(); k += modes) c[k] = flow[k / modes % 5] / std::sqrt(6.0);
    EXPECT_LT(largest(by_tiles(mesh, navier_stokes(GetParam(), 0, 3), c)), 1e-12);
  }
}

/// Traces of a stage are those with which the next one begins.
TEST(ViscousWarpTiles, TakeOneStageAfterAnother) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 2, 0.06, true);
  const dg::Spec spec = navier_stokes(2, 0, 3);
  const auto c = random_flow(mesh, 2);
  const auto expected = Computation(mesh, spec).after_two_stages(c, 1e-3);
  EXPECT_GT(relative_difference(expected, c), 1e-3);
  Computation by_tiles(mesh, spec, std::make_unique<EmulatedGpu>(true));
  EXPECT_LT(relative_difference(expected, by_tiles.after_two_stages(c, 1e-3)), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(QuickOrders, ViscousWarpTilesOfOrder, ::testing::Values(2), CaseName{});
INSTANTIATE_TEST_SUITE_P(Orders, ViscousWarpTilesOfOrder, ::testing::Values(3, 4), CaseName{});

}  // namespace
}  // namespace galerna::tests
