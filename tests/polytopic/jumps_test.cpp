// Coefficients that jump between polytopes.
#include <gtest/gtest.h>

#include <cmath>

#include "algebra/direct.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

/// a = 1 left of x = 1/2 and 100 right of it, which is a·u' = 1 with a solution of two straight pieces.
TEST(Jumps, AreSeenFromTheOwnSide) {
  mesh::Mesh mesh = mesh::make_rectangle(8, 8);
  mesh::prepare(mesh);
  for (const char* penalty : {"certified", "simplex"}) {
    polytopic::Spec spec = poisson(2, mesh, penalty, 10);
    const polytopic::FunctionText diffusion = function("return select(x < V(0.5), V(1), V(100));");
    spec.diffusion = {diffusion, constant(0), diffusion};
    spec.source = constant(0);
    spec.exact = function("return select(x < V(0.5), x, V(0.5) + (x - V(0.5)) / V(100));");
    spec.exact_gradient = {function("return select(x < V(0.5), V(1), V(0.01));"), constant(0)};
    for (polytopic::Spec::Boundary& boundary : spec.boundaries) boundary.data = spec.exact;
    const polytopic::Mesh triangles = polytopic::make_mesh(mesh, mesh::element_agglomeration(mesh));
    const auto device = device::open_device("cpu");
    polytopic::Discretization discretization(*device, triangles, spec,
                                             std::vector<int>(static_cast<std::size_t>(triangles.polytopes), 1));
    discretization.compute_penalties();
    discretization.assemble();
    const std::vector<double> solution =
        algebra::DirectSolver(discretization.matrix()).solve(discretization.right_hand_side());
    const polytopic::SquaredErrors errors = discretization.errors(solution);
    EXPECT_LT(std::sqrt(errors.dg), 1e-10) << penalty;
    for (const polytopic::Extremes& extremes : discretization.extremes())
      EXPECT_EQ(extremes.least_diffusion, extremes.largest_diffusion) << penalty;
  }
}

}  // namespace
}  // namespace galerna::tests
