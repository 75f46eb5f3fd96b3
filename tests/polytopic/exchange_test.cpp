// Boundaries where n·a∇u + h u is given.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "algebra/direct.hpp"
#include "case_names.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "numbers.hpp"
#include "polytopic/constants.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"
#include "polytopic/stored.hpp"

namespace galerna::tests {
namespace {

/// n × n squares of two triangles each.
mesh::Mesh square(int n) {
  mesh::Mesh mesh = mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.1);
  mesh::prepare(mesh);
  return mesh;
}

polytopic::Mesh polytopes_of(const mesh::Mesh& mesh, int simplices) {
  return polytopic::make_mesh(mesh, mesh::make_agglomeration(mesh, mesh.element_count() / simplices));
}

struct Solved {
  /// \param time at which formulas are taken
  Solved(polytopic::Mesh mesh, const polytopic::Spec& spec, int degree, double time = 0)
      : polytopes(std::move(mesh)),
        discretization(*device, polytopes, spec,
                       std::vector<int>(static_cast<std::size_t>(polytopes.polytopes), degree)) {
    discretization.set_time(time, time);
    discretization.compute_penalties();
    discretization.assemble();
    solution = algebra::DirectSolver(discretization.matrix()).solve(discretization.right_hand_side());
    error = std::sqrt(discretization.errors(solution).l2);
  }

  std::unique_ptr<device::Device> device = device::open_device("cpu");
  polytopic::Mesh polytopes;
  polytopic::Discretization discretization;
  std::vector<double> solution;
  double error;
};

class Exchange : public ::testing::TestWithParam<int> {};

TEST_P(Exchange, HasTheFullOrderInThePlane) {
  const int degree = GetParam();
  std::vector<double> errors;
  for (const char* name : {"square2", "square3"}) {
    const StoredPolygons polygons(name);
    errors.push_back(Solved(polygons.polytopes, exchange(polygons.mesh, "certified", 2), degree).error);
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), degree + 0.75) << errors[1];
}

TEST_P(Exchange, HasTheFullOrderInSpace) {
  const int degree = GetParam();
  std::vector<double> errors;
  const int coarse = degree == 1 ? 4 : 2;
  for (const int n : {coarse, 2 * coarse}) {
    mesh::Mesh mesh = mesh::make_box({n, n, n});
    mesh::prepare(mesh);
    errors.push_back(Solved(polytopes_of(mesh, 1), exchange_in_space(mesh, "certified", 2), degree).error);
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), degree + 0.75) << errors[1];
}

INSTANTIATE_TEST_SUITE_P(Degrees, Exchange, ::testing::Values(1, 2, 3), CaseName{});

/// −Δu = f with u = sin πx sin πy, and ∂_n u + h u = 0 on the right: u = 0 if h is large, to ∂_n u / h.
TEST(QuickExchange, TendsToGivenValues) {
  const mesh::Mesh mesh = square(6);
  polytopic::Spec spec = poisson(2, mesh, "certified", 2);
  const double given = Solved(polytopes_of(mesh, 2), spec, 4).error;
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
    if (mesh.boundaries[b].name == "right") spec.boundaries[b] = {false, {}, function("return t;")};
  const auto error_with = [&](double h) { return Solved(polytopes_of(mesh, 2), spec, 4, h).error; };
  const double hundred = error_with(100), thousand = error_with(1000);
  EXPECT_GT(thousand, 5 * given);
  EXPECT_NEAR(hundred / thousand, 10, 0.5);
  EXPECT_LT(error_with(1e8), 1.2 * given);
}

/// Where nothing diffuses, h u = g holds where the flow enters, and nothing is asked for where it leaves.
TEST(QuickExchange, GivesWhatEntersWithoutDiffusion) {
  const mesh::Mesh mesh = square(4);
  polytopic::Spec spec = with_penalty("certified", 2);
  spec.diffusion = {constant(0), constant(0), constant(0)};
  spec.velocity = {constant(1), constant(0)};
  spec.reaction = constant(1);
  spec.exact = function("return V(1) + x - y;");
  spec.exact_gradient = {constant(1), constant(-1)};
  spec.source = function("return V(2) + x - y;");
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
    spec.boundaries.push_back({false, function("return V(2) * (V(1) - y);"), constant(2)});
  Solved solved(polytopes_of(mesh, 2), spec, 1);
  EXPECT_LT(solved.error, 1e-13);
  const polytopic::Balance balance = solved.discretization.balance(solved.solution);
  EXPECT_LT(balance.relative_defect(), 1e-13);
}

/// All ways of CPUs to assemble.
TEST(QuickExchange, StandsInTheMatrixWhateverAssemblesIt) {
  const mesh::Mesh mesh = square(3);
  for (const auto& [penalty, first, others] : {std::tuple{"certified", "volume-first", std::vector{"points"}},
                                               {"boundary", "points", std::vector{"sorted-slots", "atomics"}}}) {
    polytopic::Spec spec = exchange(mesh, penalty, 2);
    spec.assembly = first;
    Solved one(polytopes_of(mesh, 3), spec, 2);
    for (const char* assembly : others) {
      spec.assembly = assembly;
      Solved other(polytopes_of(mesh, 3), spec, 2);
      EXPECT_LT(relative_difference(one.discretization.matrix().values, other.discretization.matrix().values), 1e-12)
          << assembly;
      EXPECT_LT(relative_difference(one.discretization.right_hand_side(), other.discretization.right_hand_side()),
                1e-12)
          << assembly;
    }
  }
}

TEST(QuickExchange, FixesTheConstant) {
  const mesh::Mesh mesh = square(2);
  polytopic::Spec spec = poisson(2, mesh, "certified", 2);
  for (polytopic::Spec::Boundary& boundary : spec.boundaries) boundary = {false, {}, {}};
  EXPECT_TRUE(polytopic::constants_are_free(spec));
  spec.boundaries[1].exchange = constant(1);
  EXPECT_FALSE(polytopic::constants_are_free(spec));
}

}  // namespace
}  // namespace galerna::tests
