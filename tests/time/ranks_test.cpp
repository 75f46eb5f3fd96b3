// Steps on a mesh that is cut among ranks have the bits of one rank's.
#include "dg/run/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/plan_sets.hpp"
#include "dg/slope_limiters.hpp"
#include "dg/solids.hpp"
#include "mesh/cut.hpp"
#include "parallel/thread_team.hpp"
#include "time/rank_steps.hpp"

namespace galerna::tests {
namespace {

using mesh::CutMethod;

/// On so many ranks, cut in each way.
void expect_bits_of_one_rank(const mesh::Mesh& mesh, const dg::Spec& spec, const Way& way = {},
                             const std::vector<int>& sizes = {2, 3}) {
  const auto device = device::open_device("cpu");
  const Outcome one = advance(*device, mesh, spec, way, nullptr);
  ASSERT_GT(one.control.steps, 0);
  const auto plans = dg::plan_sets(mesh, spec, device::target_of(*device, spec.precision));
  for (const int size : sizes)
    for (const CutMethod method : {CutMethod::hilbert, CutMethod::random}) {
      const std::vector<int> owners = mesh::cut(mesh, size, method);
      std::vector<mesh::OwnPart> parts;
      for (int rank = 0; rank < size; ++rank) parts.push_back(dg::make_rank_part(spec, mesh, owners, rank));
      std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
      parallel::run_as_threads(size, [&](parallel::Team& team) {
        const auto rank = static_cast<std::size_t>(team.rank());
        const dg::Ranks ranks{team, parts[rank], plans};
        outcomes[rank] = advance(*device::open_device("cpu"), parts[rank].mesh, spec, way, &ranks);
      });
      for (std::size_t rank = 0; rank < parts.size(); ++rank) expect_the_same(one, outcomes[rank], parts[rank].whole);
    }
}

TEST(QuickRanks, TrianglesHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  expect_bits_of_one_rank(mesh, with_walls(bare_euler(1), mesh), {}, {2, 4});
}

TEST(Ranks, TrianglesOfAllDegreesHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  for (const int degree : {0, 3}) {
    SCOPED_TRACE(degree);
    expect_bits_of_one_rank(mesh, with_walls(bare_euler(degree), mesh), {"rk4"});
  }
}

TEST(Ranks, CurvedMixturesHaveTheBitsOfOneRank) {
  for (const bool periodic : {false, true}) {
    const mesh::Mesh mesh = periodic ? periodic_mixture(8, 2) : curved_mixture(8, 2);
    expect_bits_of_one_rank(mesh, with_walls(bare_euler(2), mesh));
  }
}

TEST(Ranks, ViscousFlowHasTheBitsOfOneRank) {
  const mesh::Mesh triangles = irregular_square(9, 8), mixture = curved_mixture(8, 2);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/no_slip_adiabatic.hpp", "NoSlipAdiabatic"};
  for (const mesh::Mesh* mesh : {&triangles, &mixture}) {
    dg::Spec spec = viscous(2);
    spec.boundaries.assign(mesh->boundaries.size(), wall);
    expect_bits_of_one_rank(*mesh, spec);
  }
}

TEST(Ranks, SolidsHaveTheBitsOfOneRank) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid}) {
    SCOPED_TRACE(name(shape));
    const mesh::Mesh mesh = box_of(shape, 3, 0.1, true);
    expect_bits_of_one_rank(mesh, in_space(bare_euler(shape == Shape::tetrahedron ? 2 : 1)));
  }
}

TEST(Ranks, CurvedViscousSolidsHaveTheBitsOfOneRank) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    expect_bits_of_one_rank(curved_box(3, 2, true, 0.06, shape), in_space(viscous(1)));
}

TEST(Ranks, StepsByErrorHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(1), mesh);
  spec.error_control = spec.candidate = true;
  expect_bits_of_one_rank(mesh, spec, {"ssprk43", {.tolerance = 1e-4}});
}

TEST(Ranks, ChangesOfSteadyRunsHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(1), mesh);
  spec.local_steps = true;
  for (const bool by_residual : {false, true})
    expect_bits_of_one_rank(mesh, spec, {"ssprk33", {.cfl = 0.3, .steady = 1e-12, .steady_by_residual = by_residual}});
}

TEST(Ranks, PositivityAndSinglePrecisionHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.limiter = dg::LimiterSpec{.positivity = true};
  expect_bits_of_one_rank(mesh, spec);
  spec = with_walls(bare_euler(2), mesh);
  spec.precision = device::Precision::single_precision;
  expect_bits_of_one_rank(mesh, spec);
}

/// Shocks of the strength of the initial state: elements are filtered, also at cuts.
TEST(Ranks, FilteredFlowHasTheBitsOfOneRank) {
  const mesh::Mesh triangles = irregular_square(9, 8), mixture = curved_mixture(8, 2);
  for (const mesh::Mesh* mesh : {&triangles, &mixture}) {
    dg::Spec spec = with_walls(bare_euler(2), *mesh);
    spec.limiter = dg::LimiterSpec{.positivity = true, .entropy_filter = true};
    expect_bits_of_one_rank(*mesh, spec);
  }
  // Metric terms that differ from point to point: the mean is not the first mode alone.
  const mesh::Mesh solids = box_of(Shape::hexahedron, 3, 0.1, true);
  for (const bool filter : {true, false}) {
    dg::Spec spec = in_space(bare_euler(1));
    spec.limiter = dg::LimiterSpec{.positivity = true, .entropy_filter = filter};
    expect_bits_of_one_rank(solids, spec, {"ssprk33", {.cfl = filter ? 0.3 : 2}});
  }
}

TEST(Ranks, ArtificialViscosityHasTheBitsOfOneRank) {
  const mesh::Mesh triangles = irregular_square(9, 8), mixture = curved_mixture(8, 2),
                   periodic = periodic_mixture(8, 2);
  for (const mesh::Mesh* mesh : {&triangles, &mixture, &periodic}) {
    dg::Spec spec = with_walls(bare_euler(2), *mesh);
    spec.limiter = dg::LimiterSpec{.viscosity = true};
    spec.local_steps = mesh == &mixture;
    if (mesh == &periodic) spec.limiter->newton = true;
    expect_bits_of_one_rank(*mesh, spec);
  }
  dg::Spec spec = in_space(bare_euler(1));
  spec.limiter = dg::LimiterSpec{.viscosity = true};
  expect_bits_of_one_rank(box_of(Shape::tetrahedron, 3, 0.1, true), spec, {"ssprk33", {.fixed_step = 1e-3}});
}

TEST(Ranks, TakeStepsAgainTogether) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::Spec spec = with_walls(bare_euler(2), mesh);
  spec.limiter = dg::LimiterSpec{.positivity = true};
  const Way way{"ssprk33", {.cfl = 6}, 4};
  EXPECT_GT(advance(*device::open_device("cpu"), mesh, spec, way, nullptr).control.rejected, 0);
  expect_bits_of_one_rank(mesh, spec, way);
}

/// Calls body(space, part, team) on ranks that are threads.
template <class Body>
void on_ranks(int count, const mesh::Mesh& mesh, const dg::Spec& spec, const std::vector<int>& owners,
              const Body& body) {
  const auto device = device::open_device("cpu");
  const auto plans = dg::plan_sets(mesh, spec, device::target_of(*device, spec.precision));
  parallel::run_as_threads(count, [&](parallel::Team& team) {
    const mesh::OwnPart part = dg::make_rank_part(spec, mesh, owners, team.rank());
    const dg::Ranks ranks{team, part, plans};
    const auto own = device::open_device("cpu");
    dg::Discretization space(*own, part.mesh, spec, std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()),
                             {{1, 1}}, &ranks);
    body(space, part, team);
  });
}

TEST(QuickRanks, NameTheSameElementWhereTheStateIsNotPhysical) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  const dg::Spec spec = with_walls(bare_euler(1), mesh);
  const std::vector<int> owners = mesh::cut(mesh, 3, CutMethod::random);
  const mesh::Index bad = 77;
  on_ranks(3, mesh, spec, owners, [&](dg::Discretization& space, const mesh::OwnPart& part, parallel::Team&) {
    const auto state = space.allocate_state();
    std::vector<double> modes = initial_state(space, &part.whole);
    for (std::size_t e = 0; e < part.whole.size(); ++e)
      if (part.whole[e] == bad || part.whole[e] == bad + 20) modes[e * 12] = -1;
    space.write_state(*state, modes);
    EXPECT_EQ(space.first_inadmissible(*state), bad);
  });
}

TEST(QuickRanks, WithoutBoundaryFacesGiveTracesToOthers) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  const dg::Spec spec = with_walls(bare_euler(1), mesh);
  std::vector<int> owners(static_cast<std::size_t>(mesh.element_count()), 1);
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f)
    owners[static_cast<std::size_t>(mesh.faces[static_cast<std::size_t>(f)].left.element)] = 0;
  on_ranks(2, mesh, spec, owners, [&](dg::Discretization& space, const mesh::OwnPart& part, parallel::Team& team) {
    const auto state = space.allocate_state();
    space.write_state(*state, initial_state(space, &part.whole));
    EXPECT_EQ(space.boundary_flow(*state, 0).inside.empty(), team.rank() == 1);
  });
}

dg::Spec limited(dg::Spec spec, const dg::SlopeLimiter& slopes) {
  spec.limiter = dg::LimiterSpec{.slopes = slopes, .positivity = true};
  return spec;
}

/// Slopes of the initial state are steep everywhere, also at cuts.
TEST(QuickRanks, LimitedTrianglesHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  expect_bits_of_one_rank(mesh, limited(with_walls(bare_euler(1), mesh), barth_jespersen()), {}, {2, 4});
}

TEST(Ranks, LimitersAroundVerticesHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  expect_bits_of_one_rank(mesh, limited(with_walls(bare_euler(1), mesh), barth_jespersen(true)));
  for (const int degree : {1, 2, 3}) {
    SCOPED_TRACE(degree);
    dg::Spec spec = limited(with_walls(bare_euler(degree), mesh), hierarchical());
    spec.limiter->variables = degree == 1 ? "ConservativeVariables" : "CharacteristicVariables";
    spec.local_steps = degree == 2;
    if (degree == 3) spec.precision = device::Precision::single_precision;
    expect_bits_of_one_rank(mesh, spec);
  }
}

/// What flows meet at walls bounds slopes, also those around a vertex of a wall that is another rank's.
TEST(Ranks, LimitersAtWallsHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/no_slip_adiabatic.hpp", "NoSlipAdiabatic"};
  for (const dg::SlopeLimiter& slopes : {barth_jespersen(), barth_jespersen(true), hierarchical()}) {
    dg::Spec spec = limited(viscous(slopes.detects ? 2 : 1), slopes);
    spec.boundaries.assign(mesh.boundaries.size(), wall);
    expect_bits_of_one_rank(mesh, spec);
  }
}

TEST(Ranks, LimitersInSpaceHaveTheBitsOfOneRank) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 3, 0.1, true);
  for (const dg::SlopeLimiter& slopes : {barth_jespersen(), barth_jespersen(true), hierarchical()})
    expect_bits_of_one_rank(mesh, limited(in_space(bare_euler(slopes.detects ? 2 : 1)), slopes));
}

}  // namespace
}  // namespace galerna::tests
