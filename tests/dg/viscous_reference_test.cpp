// The kernels of the Navier–Stokes equations against plain loops: solutions with jumps on all elements, all boundary
// conditions, other weights η of the liftings on faces than the default.
#include <gtest/gtest.h>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/viscous_problem.hpp"
#include "mesh/box.hpp"

namespace galerna::tests {
namespace {

mesh::Mesh parallelograms() {
  mesh::Mesh mesh = mesh::make_rectangle(4, 3, {0, 0}, {1, 0.7}, mesh::CellStyle::quadrilaterals);
  mesh::transform(mesh, [](const mesh::Point& p) { return mesh::Point{p[0] + 0.3 * p[1], p[1] - 0.1 * p[0], 0}; });
  mesh::prepare(mesh);
  return mesh;
}

struct ReferenceCase {
  const char* name;
  mesh::Mesh (*mesh)();
  int degree;
  double penalty;  ///< 0: by default
};

template <int order>
mesh::Mesh mixture() {
  return curved_mixture(3, order);
}
mesh::Mesh triangles() {
  return irregular_square(4, 3);
}

/// Each kind of element at several degrees; every case compiles kernels for each kind in it.
const ReferenceCase quick_cases[] = {{"straight1", mixture<1>, 1, 2.5}};
const ReferenceCase reference_cases[] = {
    {"curved1", mixture<2>, 1, 0},   {"parallelograms2", parallelograms, 2, 3},
    {"curved2", mixture<3>, 2, 6},   {"straight3", mixture<1>, 3, 7},
    {"curved3", mixture<4>, 3, 0},   {"triangles4", triangles, 4, 0},
    {"curved4", mixture<2>, 4, 2.5}, {"curved6", mixture<2>, 6, 0},
};

class ViscousResidual : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(ViscousResidual, IsThatOfThePlainLoops) {
  const ViscousProblem<2> problem(GetParam().mesh(), GetParam().degree, GetParam().penalty);
  const auto found = Computation(problem.mesh, problem.spec).residual(problem.c);
  ASSERT_EQ(problem.expected.size(), found.size());
  EXPECT_GT(largest(problem.expected), 1);
  EXPECT_LT(relative_difference(problem.expected, found), 1e-11);
}

std::string name_of(const ::testing::TestParamInfo<ReferenceCase>& test) {
  return test.param.name;
}
INSTANTIATE_TEST_SUITE_P(QuickCases, ViscousResidual, ::testing::ValuesIn(quick_cases), name_of);
INSTANTIATE_TEST_SUITE_P(Cases, ViscousResidual, ::testing::ValuesIn(reference_cases), name_of);

}  // namespace
}  // namespace galerna::tests
