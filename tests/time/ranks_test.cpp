// Steps on a mesh that is cut among ranks have the bits of one rank's.
#include "dg/run/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "dg/discretization.hpp"
#include "dg/fixtures.hpp"
#include "dg/plan_sets.hpp"
#include "dg/solids.hpp"
#include "mesh/cut.hpp"
#include "parallel/alone.hpp"
#include "parallel/thread_team.hpp"
#include "time/stepper.hpp"

namespace galerna::tests {
namespace {

using mesh::CutMethod;

struct Way {
  std::string scheme = "ssprk33";
  time::StepSettings settings = {.cfl = 0.3};
  long steps = 16;
};

/// What a run leaves, in the order of the whole mesh: [element] its coefficients.
struct Outcome {
  std::vector<std::vector<double>> coefficients;
  std::vector<double> integrals;
  kernels::Control control{};
};

/// Coefficients of the elements of a mesh, one element behind the other.
std::vector<std::vector<double>> by_element(const std::vector<double>& all, const dg::Discretization& of) {
  std::vector<std::vector<double>> result;
  const double* from = all.data();
  for (const dg::ElementSet& set : of.sets())
    for (std::int64_t e = 0; e < set.blocks.items; ++e) {
      const auto count = set.operators.modes * of.spec().variable_count();
      result.emplace_back(from, from + count);
      from += count;
    }
  return result;
}

/// A smooth flow plus what differs in each element of the whole mesh.
std::vector<double> initial_state(const dg::Discretization& of, const std::vector<mesh::Index>* whole) {
  const int variables = of.spec().variable_count();
  std::vector<double> mean = {1, 0.3, -0.4, 2.2};
  if (variables == 5) mean.insert(mean.begin() + 3, 0.2);
  std::vector<double> state;
  std::size_t element = 0;
  for (const dg::ElementSet& set : of.sets()) {
    const double constant = set.operators.volume_basis(0, 0);
    for (std::int64_t e = 0; e < set.blocks.items; ++e, ++element) {
      const auto number = static_cast<double>(whole ? (*whole)[element] : static_cast<mesh::Index>(element));
      for (int v = 0; v < variables; ++v)
        for (int j = 0; j < set.operators.modes; ++j) {
          const double varies = std::sin(1.3 * number + 2.1 * v + 0.7 * j) / constant;
          state.push_back(j == 0 ? mean[static_cast<std::size_t>(v)] / constant + 0.05 * varies
                                 : 0.02 * varies / (j + 1));
        }
    }
  }
  return state;
}

/// \param ranks null for one rank that has all
Outcome advance(const mesh::Mesh& mesh, const dg::Spec& spec, const Way& way, const dg::Ranks* ranks) {
  const time::Scheme& scheme = time::find_scheme(way.scheme);
  const auto device = device::open_device("cpu");
  dg::Discretization space(*device, mesh, spec, std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()),
                           time::stage_shapes(scheme), ranks);
  time::Stepper stepper(space, scheme, way.settings);
  space.write_state(stepper.state(), initial_state(space, ranks ? &ranks->part.whole : nullptr));
  stepper.limit_initial();
  stepper.start(0, 0);
  stepper.set_stop(1e9, way.steps);
  stepper.keep();
  Outcome outcome;
  outcome.control = stepper.advance(way.steps);
  outcome.integrals = space.integrals(stepper.state());
  outcome.coefficients = by_element(space.read_state(stepper.state()), space);
  return outcome;
}

void expect_the_same(const Outcome& one, const Outcome& cut, const std::vector<mesh::Index>& whole) {
  EXPECT_EQ(cut.control.time, one.control.time);
  EXPECT_EQ(cut.control.dt, one.control.dt);
  EXPECT_EQ(cut.control.steps, one.control.steps);
  EXPECT_EQ(cut.control.change, one.control.change);
  EXPECT_EQ(cut.control.error, one.control.error);
  EXPECT_EQ(cut.control.bad_element, one.control.bad_element);
  EXPECT_EQ(cut.integrals, one.integrals);
  ASSERT_EQ(cut.coefficients.size(), whole.size());
  for (std::size_t e = 0; e < whole.size(); ++e)
    ASSERT_EQ(cut.coefficients[e], one.coefficients[static_cast<std::size_t>(whole[e])]) << "element " << whole[e];
}

/// On so many ranks, cut in each way.
void expect_bits_of_one_rank(const mesh::Mesh& mesh, const dg::Spec& spec, const Way& way = {},
                             const std::vector<int>& sizes = {2, 3}) {
  const Outcome one = advance(mesh, spec, way, nullptr);
  ASSERT_GT(one.control.steps, 0);
  const auto device = device::open_device("cpu");
  const auto plans = dg::plan_sets(mesh, spec, dg::target_of(*device, spec.precision));
  for (const int size : sizes)
    for (const CutMethod method : {CutMethod::hilbert, CutMethod::random}) {
      const std::vector<int> owners = mesh::cut(mesh, size, method);
      std::vector<mesh::OwnPart> parts;
      for (int rank = 0; rank < size; ++rank)
        parts.push_back(own_part(mesh::make_part(mesh, owners, rank, mesh::GhostLayer::sides)));
      std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
      parallel::run_as_threads(size, [&](parallel::Team& team) {
        const auto rank = static_cast<std::size_t>(team.rank());
        const dg::Ranks ranks{team, parts[rank], plans};
        outcomes[rank] = advance(parts[rank].mesh, spec, way, &ranks);
      });
      for (std::size_t rank = 0; rank < parts.size(); ++rank) expect_the_same(one, outcomes[rank], parts[rank].whole);
    }
}

dg::Spec with_walls(dg::Spec spec, const mesh::Mesh& mesh) {
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/slip_wall.hpp", "SlipWall"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  return spec;
}

dg::Spec viscous(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
  spec.parameters = {{"gamma", 1.4},
                     {"prandtl", 0.72},
                     {"mu", 0.01},
                     {"sutherland", 0},
                     {"reference_temperature", 1},
                     {"sutherland_temperature", 0.4}};
  spec.viscous = true;
  return spec;
}

/// Box of one shape, straight or curved.
dg::Spec in_space(dg::Spec spec) {
  spec.shape = Shape::tetrahedron;
  spec.variables = {"density", "momentum_x", "momentum_y", "momentum_z", "energy"};
  return spec;
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

TEST(QuickRanks, NameTheSameElementWhereTheStateIsNotPhysical) {
  const mesh::Mesh mesh = irregular_square(9, 8);
  const dg::Spec spec = with_walls(bare_euler(1), mesh);
  const auto device = device::open_device("cpu");
  const auto plans = dg::plan_sets(mesh, spec, dg::target_of(*device, spec.precision));
  const std::vector<int> owners = mesh::cut(mesh, 3, CutMethod::random);
  const mesh::Index bad = 77;
  parallel::run_as_threads(3, [&](parallel::Team& team) {
    const mesh::OwnPart part = own_part(mesh::make_part(mesh, owners, team.rank(), mesh::GhostLayer::sides));
    const dg::Ranks ranks{team, part, plans};
    const auto own = device::open_device("cpu");
    dg::Discretization space(*own, part.mesh, spec, std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()),
                             {{1, 1}}, &ranks);
    const auto state = space.allocate_state();
    std::vector<double> modes = initial_state(space, &part.whole);
    for (std::size_t e = 0; e < part.whole.size(); ++e)
      if (part.whole[e] == bad || part.whole[e] == bad + 20) modes[e * 12] = -1;
    space.write_state(*state, modes);
    EXPECT_EQ(space.first_inadmissible(*state), bad);
  });
}

TEST(QuickRanks, AreRefusedWithLimitersThatLookAtNeighbours) {
  const mesh::Mesh mesh = irregular_square(5, 4);
  dg::Spec spec = with_walls(bare_euler(1), mesh);
  spec.limiter = dg::LimiterSpec{.entropy_filter = true};
  parallel::Alone team;
  const mesh::OwnPart part =
      own_part(mesh::make_part(mesh, mesh::cut(mesh, 2, CutMethod::hilbert), 0, mesh::GhostLayer::sides));
  const auto device = device::open_device("cpu");
  const dg::Ranks ranks{team, part, dg::plan_sets(mesh, spec, dg::target_of(*device, spec.precision))};
  EXPECT_THROW(dg::Discretization(*device, part.mesh, spec,
                                  std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()), {{1, 1}}, &ranks),
               InputError);
}

}  // namespace
}  // namespace galerna::tests
