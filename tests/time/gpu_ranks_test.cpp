// Ranks on GPUs, of one process each, have the bits of one GPU.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "dg/curved_meshes.hpp"
#include "dg/plan_sets.hpp"
#include "dg/slope_limiters.hpp"
#include "dg/solids.hpp"
#include "mesh/cut.hpp"
#include "parallel/process_team.hpp"
#include "time/rank_steps.hpp"

namespace galerna::tests {
namespace {

const Way few_steps{"ssprk33", {.cfl = 0.3}, 4};

bool differs(const Outcome& one, const Outcome& cut, const std::vector<mesh::Index>& whole) {
  bool differs = cut.control.time != one.control.time || cut.control.steps != one.control.steps ||
                 cut.control.change != one.control.change || cut.integrals != one.integrals ||
                 cut.coefficients.size() != whole.size();
  for (std::size_t e = 0; !differs && e < whole.size(); ++e)
    differs = cut.coefficients[e] != one.coefficients[static_cast<std::size_t>(whole[e])];
  return differs;
}

/// A rank that finds other bits than one GPU had ends its process with the code 1.
void expect_bits_of_one_gpu(const mesh::Mesh& mesh, const dg::Spec& spec, bool matrix_units, const Way& way = few_steps,
                            int ranks = 2) {
  EmulatedGpu gpu(matrix_units);
  const Outcome one = advance(gpu, mesh, spec, way, nullptr);
  ASSERT_GT(one.control.steps, 0);
  const auto plans = dg::plan_sets(mesh, spec, device::target_of(gpu, spec.precision));
  for (const mesh::CutMethod method : {mesh::CutMethod::hilbert, mesh::CutMethod::random}) {
    const std::vector<int> owners = mesh::cut(mesh, ranks, method);
    const int code = parallel::run_as_processes(ranks, [&](parallel::Team& team) {
      const mesh::OwnPart part = dg::make_rank_part(spec, mesh, owners, team.rank());
      EmulatedGpu own(matrix_units);
      const dg::Ranks of{team, part, plans};
      return differs(one, advance(own, part.mesh, spec, way, &of), part.whole) ? 1 : 0;
    });
    EXPECT_EQ(code, 0);
  }
}

/// Inner elements are computed while numbers cross the cut: before these come, and after.
void expect_bits_with_overlap(const mesh::Mesh& mesh, const dg::Spec& spec, bool matrix_units,
                              mesh::Index together = 1) {
  EmulatedGpu gpu(matrix_units);
  const Way way = {"ssprk33", {.cfl = 0.3}, 2};
  const Outcome one = advance(gpu, mesh, spec, way, nullptr);
  ASSERT_GT(one.control.steps, 0);
  const auto plans = dg::plan_sets(mesh, spec, device::target_of(gpu, spec.precision));
  const std::vector<int> owners = mesh::cut_all_blocks(mesh, 2);
  const auto part_of = [&](int rank) {
    return dg::make_rank_part(spec, mesh, owners, rank, mesh::OuterFirst{together, 128});
  };
  for (int rank = 0; rank < 2; ++rank) {
    const mesh::OwnPart part = part_of(rank);
    for (std::size_t b = 0; b < part.outer.size(); ++b) ASSERT_LT(part.outer[b], part.mesh.blocks[b].size());
  }
  for (const bool last_first : {false, true}) {
    const int code = parallel::run_as_processes(2, [&](parallel::Team& team) {
      const mesh::OwnPart part = part_of(team.rank());
      EmulatedGpu own(matrix_units, last_first);
      const dg::Ranks of{team, part, plans};
      return differs(one, advance(own, part.mesh, spec, way, &of), part.whole) ? 1 : 0;
    });
    EXPECT_EQ(code, 0) << (last_first ? "before" : "after");
  }
}

TEST(GpuOverlap, TrianglesThatReadNeighboursHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(20, 18);
  expect_bits_with_overlap(mesh, with_walls(bare_euler(1), mesh), false);
}

TEST(GpuOverlap, TilesOfTrianglesHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(34, 32);
  expect_bits_with_overlap(mesh, with_walls(bare_euler(3), mesh), true, 64);
}

TEST(GpuOverlap, ViscousMixturesHaveTheBitsOfOne) {
  const mesh::Mesh mesh = curved_mixture(30, 1);
  dg::Spec spec = viscous(1);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/no_slip_adiabatic.hpp", "NoSlipAdiabatic"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  expect_bits_with_overlap(mesh, spec, false);
}

TEST(GpuOverlap, ViscousTilesHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(20, 18);
  dg::Spec spec = viscous(3);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/no_slip_adiabatic.hpp", "NoSlipAdiabatic"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  expect_bits_with_overlap(mesh, spec, true);
}

TEST(GpuOverlap, SolidsHaveTheBitsOfOne) {
  expect_bits_with_overlap(box_of(Shape::tetrahedron, 5, 0.1, true), in_space(bare_euler(2)), true);
  expect_bits_with_overlap(box_of(Shape::hexahedron, 8, 0.1, true), in_space(bare_euler(1)), false);
}

TEST(GpuOverlap, ViscousSolidsHaveTheBitsOfOne) {
  expect_bits_with_overlap(box_of(Shape::tetrahedron, 5, 0.1, true), in_space(viscous(2)), true);
  expect_bits_with_overlap(box_of(Shape::hexahedron, 8, 0.1, true), in_space(viscous(1)), false);
}

TEST(GpuOverlap, FilteredFlowHasTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(20, 18);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.limiter = dg::LimiterSpec{.positivity = true, .entropy_filter = true};
  expect_bits_with_overlap(mesh, spec, false);
}

TEST(GpuOverlap, LimitedFlowHasTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(20, 18);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.limiter = dg::LimiterSpec{.slopes = hierarchical(), .positivity = true};
  expect_bits_with_overlap(mesh, spec, false);
}

TEST(GpuOverlap, ArtificialViscosityHasTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(20, 18);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.limiter = dg::LimiterSpec{.viscosity = true};
  expect_bits_with_overlap(mesh, spec, false);
}

/// What a rank says of a state in which elements are not physical.
std::vector<std::int64_t> named_elements(const mesh::Mesh& mesh, const dg::Spec& spec, const dg::Ranks& ranks,
                                         const std::vector<mesh::Index>& bad) {
  EmulatedGpu gpu;
  dg::Discretization space(gpu, ranks.part.mesh, spec,
                           std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()), {{1, 1}}, &ranks);
  const auto state = space.allocate_state();
  std::vector<double> modes = initial_state(space, &ranks.part.whole);
  for (std::size_t e = 0; e < ranks.part.whole.size(); ++e)
    if (std::find(bad.begin(), bad.end(), ranks.part.whole[e]) != bad.end()) modes[e * 12] = -1;
  space.write_state(*state, modes);
  kernels::Control control{};
  control.stop_time = 1e9;
  control.cfl = 0.3;
  control.step_limit = 9;
  control.bad_element = -1;
  space.write_control(control);
  space.monitor(*state);
  space.begin_step(true);
  return {space.first_inadmissible(*state), space.read_control().bad_element};
}

/// The first one of the part is outer, the first one of the whole mesh inner.
TEST(GpuOverlap, NamesTheElementThatIsFirstInTheWholeMesh) {
  const mesh::Mesh mesh = irregular_square(20, 18);
  const dg::Spec spec = with_walls(bare_euler(1), mesh);
  const EmulatedGpu gpu;
  const auto plans = dg::plan_sets(mesh, spec, device::target_of(gpu, spec.precision));
  const std::vector<int> owners = mesh::cut(mesh, 2);
  const auto part_of = [&](int rank) { return dg::make_rank_part(spec, mesh, owners, rank, mesh::OuterFirst{1, 128}); };
  const mesh::OwnPart first = part_of(0);
  const mesh::Index outer = first.whole[static_cast<std::size_t>(first.outer[0]) - 1],
                    inner = first.whole[static_cast<std::size_t>(first.outer[0])];
  ASSERT_LT(inner, outer);
  const int code = parallel::run_as_processes(2, [&](parallel::Team& team) {
    const mesh::OwnPart part = part_of(team.rank());
    const dg::Ranks ranks{team, part, plans};
    return named_elements(mesh, spec, ranks, {outer, inner}) == std::vector<std::int64_t>{inner, inner} ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST(QuickGpuRanks, TrianglesThatReadNeighboursHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  expect_bits_of_one_gpu(mesh, with_walls(bare_euler(1), mesh), false, few_steps, 3);
}

// More ranks than wait for one another's totals at the same time.
TEST(GpuRanks, FiveInSinglePrecisionHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.precision = device::Precision::single_precision;
  expect_bits_of_one_gpu(mesh, spec, false, few_steps, 5);
}

TEST(GpuRanks, TilesOfTrianglesHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  expect_bits_of_one_gpu(mesh, with_walls(bare_euler(3), mesh), true);
}

TEST(GpuRanks, ViscousMixturesHaveTheBitsOfOne) {
  const mesh::Mesh mesh = curved_mixture(8, 2);
  dg::Spec spec = viscous(1);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/no_slip_adiabatic.hpp", "NoSlipAdiabatic"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  expect_bits_of_one_gpu(mesh, spec, false);
}

TEST(GpuRanks, FilteredFlowHasTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.limiter = dg::LimiterSpec{.positivity = true, .entropy_filter = true};
  expect_bits_of_one_gpu(mesh, spec, false);
}

TEST(GpuRanks, LimitedFlowHasTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  for (const dg::SlopeLimiter& slopes : {barth_jespersen(), barth_jespersen(true), hierarchical()}) {
    dg::Spec spec = with_walls(bare_euler(slopes.detects ? 2 : 1), mesh);
    spec.limiter = dg::LimiterSpec{.slopes = slopes, .positivity = true};
    expect_bits_of_one_gpu(mesh, spec, false, few_steps, 3);
  }
}

TEST(GpuRanks, ArtificialViscosityHasTheBitsOfOne) {
  const mesh::Mesh mesh = curved_mixture(8, 2);
  dg::Spec spec = with_walls(bare_euler(1), mesh);
  spec.limiter = dg::LimiterSpec{.viscosity = true};
  expect_bits_of_one_gpu(mesh, spec, false, few_steps, 3);
}

TEST(GpuRanks, SteadyChangesAndErrorsOfStepsHaveTheBitsOfOne) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(1), mesh);
  Way way = few_steps;
  way.settings.steady = 1e-12;
  expect_bits_of_one_gpu(mesh, spec, false, way);
  spec.error_control = spec.candidate = true;
  way = {"ssprk43", {}, 4};
  way.settings.tolerance = 1e-4;
  expect_bits_of_one_gpu(mesh, spec, false, way);
}

}  // namespace
}  // namespace galerna::tests
