// Derivatives of right-hand sides by differences: blocks, and which elements may be changed together.
#include "steady/jacobian.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dg/computation.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

using steady::Couplings;

mesh::Mesh small_rectangle() {
  mesh::Mesh mesh = mesh::make_rectangle(4, 3, {0, 0}, {1, 0.7}, mesh::CellStyle::random_triangles, 0.2);
  mesh::prepare(mesh, {});
  return mesh;
}

TEST(Jacobian, NeighboursDoNotShareAColour) {
  const Couplings neighbours = steady::neighbours(irregular_square());
  const std::vector<std::int32_t> near = steady::colours(neighbours, false), apart = steady::colours(neighbours, true);
  EXPECT_LE(*std::max_element(near.begin(), near.end()), 3);
  for (std::size_t e = 0; e < neighbours.size(); ++e) {
    std::vector<std::int32_t> around{apart[e]};
    for (const std::int32_t other : neighbours[e]) {
      EXPECT_NE(near[e], near[static_cast<std::size_t>(other)]);
      around.push_back(apart[static_cast<std::size_t>(other)]);
    }
    std::sort(around.begin(), around.end());
    EXPECT_EQ(std::adjacent_find(around.begin(), around.end()), around.end());
  }
}

/// All blocks of −dR/du of a viscous flow against central differences of the right-hand side, coefficient by
/// coefficient.
TEST(Jacobian, BlocksAreDerivativesOfTheRightHandSide) {
  const int degree = 1;
  const ViscousProblem<2> problem(small_rectangle(), degree, 0);
  Computation computation(problem.mesh, problem.spec);
  dg::Discretization& space = *computation;
  const std::vector<double> scales = {1, 0.5, 0.5, 2};
  steady::StateVectors vectors(space, scales);
  const Couplings couplings = steady::neighbours(problem.mesh);
  steady::Jacobian jacobian(space.device(), vectors, problem.mesh, couplings);
  computation.residual(problem.c);  // leaves the state on the device
  const auto base = space.allocate_state(), work = space.allocate_state(), rate = space.allocate_state();
  const auto evaluate = [&](device::Memory& at, device::Memory& to) {
    space.stage({&at, {&at}, {&to}, {{0}}, {1}, 0, 0, false});
  };
  evaluate(computation.state(), *base);
  jacobian.compute(computation.state(), *base, *work, *rate, [&] { evaluate(*work, *rate); });
  const std::vector<float> values = algebra::download<float>(space.device(), jacobian.values());
  const algebra::BlockPattern& pattern = jacobian.pattern();
  const int size = vectors.sizes().front(), modes = size / 4;
  double largest = 0, error = 0;
  const double step = 1e-5;
  for (std::size_t column = 0; column < problem.c.size(); column += 7) {
    const auto element = static_cast<std::int32_t>(column / static_cast<std::size_t>(size));
    const int j = static_cast<int>(column) % size;
    std::vector<double> less = problem.c, more = problem.c;
    const double change = step * scales[static_cast<std::size_t>(j / modes)];
    less[column] -= change;
    more[column] += change;
    const std::vector<double> before = computation.residual(less), after = computation.residual(more);
    for (std::size_t e = 0; e < couplings.size(); ++e) {
      const std::int64_t block = algebra::find_block(pattern, e, element);
      for (int r = 0; r < size; ++r) {
        const std::size_t row = e * static_cast<std::size_t>(size) + static_cast<std::size_t>(r);
        const double derivative =
            -(after[row] - before[row]) / (2 * step) / scales[static_cast<std::size_t>(r / modes)];
        largest = std::max(largest, std::abs(derivative));
        const double entry =
            block < 0
                ? 0
                : values[static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(block)] + r * size + j)];
        error = std::max(error, std::abs(entry - derivative));
      }
    }
  }
  EXPECT_GT(largest, 1);
  EXPECT_LT(error, 1e-5 * largest);
}

}  // namespace
}  // namespace galerna::tests
