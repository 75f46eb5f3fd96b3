// What takes a moment: the order of the method, and conservation by element.
#include <gtest/gtest.h>

#include <cmath>

#include "algebra/direct.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"
#include "polytopic/stored.hpp"

namespace galerna::tests {
namespace {

std::vector<double> solution_of(polytopic::Discretization& discretization) {
  discretization.compute_penalties();
  discretization.assemble();
  return algebra::DirectSolver(discretization.matrix()).solve(discretization.right_hand_side());
}

TEST(QuickOrder, IsOneMoreThanTheDegree) {
  const auto device = device::open_device("cpu");
  std::vector<double> errors;
  for (const char* name : {"square1", "square2"}) {
    const StoredPolygons polygons(name);
    polytopic::Discretization discretization(*device, polygons.polytopes, poisson(2, polygons.mesh, "certified", 2),
                                             polygons.degrees(2));
    errors.push_back(std::sqrt(discretization.errors(solution_of(discretization)).l2));
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 2.8);
}

TEST(QuickBalance, IsThatOfEveryPolytope) {
  const StoredPolygons polygons("square1");
  const auto device = device::open_device("cpu");
  polytopic::Discretization discretization(*device, polygons.polytopes, exchange(polygons.mesh, "boundary", 2),
                                           polygons.degrees(1));
  const std::vector<double> solution = solution_of(discretization);
  const polytopic::Balance balance = discretization.balance(solution);
  ASSERT_EQ(balance.defects.size(), 16U);
  for (std::size_t k = 0; k < balance.defects.size(); ++k) {
    EXPECT_GT(balance.sizes[k], 0.01) << k;
    EXPECT_LT(std::abs(balance.defects[k]), 1e-11 * balance.sizes[k]) << k;
  }
  EXPECT_LT(std::abs(balance.defect()), 1e-11);

  // Not a matter of course: another function is not in balance.
  std::vector<double> other = solution;
  other[7] += 1e-6;
  EXPECT_GT(discretization.balance(other).relative_defect(), 1e-9);
}

}  // namespace
}  // namespace galerna::tests
