// The Navier–Stokes equations in space against plain loops: solutions with jumps on straight and curved tetrahedra and
// on all solids side by side, all boundary conditions.
#include <gtest/gtest.h>

#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "dg/emulated_gpu.hpp"
#include "dg/solids.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

struct SpaceCase {
  const char* name;
  mesh::Mesh (*mesh)();
  int degree;
};

mesh::Mesh tetrahedra() {
  return box_of(Shape::tetrahedron, 2, 0.06, false);
}
mesh::Mesh curved_tetrahedra() {
  return curved_box(2, 2);
}
mesh::Mesh all_solids() {
  mesh::Mesh mesh = box_of_all_solids(3);
  mesh::prepare(mesh, {});
  return mesh;
}
mesh::Mesh curved_pyramids() {
  return curved_box(2, 2, false, 0.06, Shape::pyramid);
}
mesh::Mesh even_pyramids() {
  return box_of(Shape::pyramid, 2, 0, false);
}

const SpaceCase quick_cases[] = {{"tetrahedra1", tetrahedra, 1}};
/// Curved elements of order 2 have metric terms of degree 2, of pyramids 3: at p = 2 they are those of the map itself.
const SpaceCase reference_cases[] = {{"curved2", curved_tetrahedra, 2},
                                     {"mixture1", all_solids, 1},
                                     {"curvedPyramids2", curved_pyramids, 2},
                                     {"pyramids1", even_pyramids, 1}};

class ViscousInSpace : public ::testing::TestWithParam<SpaceCase> {
 protected:
  static void expect_reference(std::unique_ptr<device::Device> device) {
    const ViscousProblem<3> problem(GetParam().mesh(), GetParam().degree, 0);
    const auto found = Computation(problem.mesh, problem.spec, std::move(device)).residual(problem.c);
    ASSERT_EQ(problem.expected.size(), found.size());
    EXPECT_GT(largest(problem.expected), 1);
    EXPECT_LT(relative_difference(problem.expected, found), 1e-11);
  }
};

TEST_P(ViscousInSpace, IsThatOfThePlainLoops) {
  expect_reference(device::open_device("cpu"));
}

TEST_P(ViscousInSpace, IsThatOfThePlainLoopsOnTheGpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_reference(device::open_device("cuda"));
}

/// Operators so large that kernels go through points and modes in loops.
TEST(ViscousPrisms, AreThoseOfThePlainLoopsOnAnEmulatedGpu) {
  const ViscousProblem<3> problem(box_of(Shape::prism, 2, 0.06, false), 3, 0);
  const auto found = Computation(problem.mesh, problem.spec, std::make_unique<EmulatedGpu>()).residual(problem.c);
  EXPECT_GT(largest(problem.expected), 1);
  EXPECT_LT(relative_difference(problem.expected, found), 1e-11);
}

/// What the fluid loses goes through the boundary: momentum is the force on it.
TEST_P(ViscousInSpace, ChangesByWhatFlowsThroughTheBoundary) {
  const ViscousProblem<3> problem(GetParam().mesh(), GetParam().degree, 0);
  Computation computation(problem.mesh, problem.spec);
  const auto change =
      MetricReference<3>(problem.mesh, GetParam().degree, nullptr).integrals(computation.residual(problem.c));
  const dg::BoundaryFlow flow = computation->boundary_flow(computation.state(), 0);
  const dg::BoundaryPoints& points = computation->boundary_points();
  Eigen::Matrix<double, 5, 1> out = Eigen::Matrix<double, 5, 1>::Zero();
  for (std::size_t f = 0; f < static_cast<std::size_t>(problem.mesh.boundary_faces); ++f) {
    const mesh::Side& side = problem.mesh.faces[f].left;
    const basis::Quadrature& rule =
        computation->set_of(side.element).operators.side_rules[static_cast<std::size_t>(side.side)];
    for (std::size_t q = 0; q < rule.points.size(); ++q) {
      const std::size_t at = points.first_point[f] + q;
      const double area = rule.weights[q] * Eigen::Map<const Eigen::Vector3d>(points.normals.data() + 3 * at).norm();
      out += area * (Eigen::Map<const Eigen::Matrix<double, 5, 1>>(flow.inviscid.data() + 5 * at) -
                     Eigen::Map<const Eigen::Matrix<double, 5, 1>>(flow.viscous.data() + 5 * at));
    }
  }
  for (int v = 0; v < 5; ++v) {
    EXPECT_GT(std::abs(out[v]), 1e-3) << v;
    EXPECT_NEAR(change[v], -out[v], 1e-12 * largest(problem.expected)) << v;
  }
}

TEST(QuickViscousInSpace, LosesNothingInAPeriodicBox) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 3, 0.06, true);
  const auto rhs = Computation(mesh, navier_stokes(1, 0, 3)).residual(random_flow(mesh, 1));
  const auto change = MetricReference<3>(mesh, 1, nullptr).integrals(rhs);
  EXPECT_GT(largest(rhs), 1);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(change[v]), 1e-14 * largest(rhs)) << v;
}

std::string name_of(const ::testing::TestParamInfo<SpaceCase>& test) {
  return test.param.name;
}
INSTANTIATE_TEST_SUITE_P(QuickCases, ViscousInSpace, ::testing::ValuesIn(quick_cases), name_of);
INSTANTIATE_TEST_SUITE_P(Cases, ViscousInSpace, ::testing::ValuesIn(reference_cases), name_of);

}  // namespace
}  // namespace galerna::tests
