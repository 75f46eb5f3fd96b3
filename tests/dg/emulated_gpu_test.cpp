// Kernels with the structure that they have on GPUs, run thread by thread on the CPU: a thread for each element, and
// the slices of the general kernels.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/general_reference.hpp"
#include "dg/reference.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

const State2 beyond = {{1, 0.5, -0.25, 2}};

State2 ghost(int, const State2&, const mesh::Point&, const Normal<2>&) {
  return beyond;
}

std::vector<double> on_emulated_gpu(const mesh::Mesh& mesh, const dg::Spec& spec, const std::vector<double>& c) {
  return Computation(mesh, spec, std::make_unique<EmulatedGpu>()).residual(c);
}

void expect_equal(const std::vector<double>& expected, const std::vector<double>& found) {
  ASSERT_EQ(expected.size(), found.size());
  EXPECT_GT(largest(expected), 0.1);
  EXPECT_LT(relative_difference(expected, found), 1e-12);
}

/// Degree 1 is unrolled, degree 3 has loops.
TEST(EmulatedGpu, OneThreadForEachTriangle) {
  const mesh::Mesh mesh = irregular_square(5, 4);
  for (int degree : {1, 3}) {
    dg::Spec spec = bare_euler(degree);
    surround(spec, mesh, beyond);
    const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, degree));
    expect_equal(ReferenceResidual(mesh, degree, ghost)(c), on_emulated_gpu(mesh, spec, c));
  }
}

/// What threads compute, the element algorithm computes, too.
TEST(EmulatedGpu, EveryRowThatFitsStraightTriangles) {
  const mesh::Mesh mesh = irregular_square(5, 4);
  dg::Spec spec = bare_euler(2);
  surround(spec, mesh, beyond);
  const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, 2));
  const dg::Operators operators = dg::make_operators(Shape::triangle, 2);
  const auto rows = dg::fitting_structures({operators}, spec, {device::Kind::cuda, device::cuda_lanes});
  ASSERT_EQ(rows.size(), 2u);
  for (const dg::Structure* row : rows) {
    spec.structure = row->name;
    expect_equal(ReferenceResidual(mesh, 2, ghost)(c), on_emulated_gpu(mesh, spec, c));
  }
}

/// Straight triangles keep their own kernels beside quadrilaterals, which read the traces that `edges` leaves.
TEST(EmulatedGpu, SlicesAndTriangles) {
  for (int order : {1, 2}) {
    const mesh::Mesh mesh = curved_mixture(3, order);
    dg::Spec spec = bare_euler(2);
    surround(spec, mesh, beyond);
    const GeneralReference reference(mesh, 2, ghost);
    const auto c = reference.project([](const mesh::Point& x) {
      return State2{{1 + 0.2 * std::sin(3 * x[0]), 0.3 * x[1], 0.1 * std::cos(x[0] * x[1]), 2 + 0.1 * x[0]}};
    });
    expect_equal(reference(c), on_emulated_gpu(mesh, spec, c));
  }
}

TEST(EmulatedGpu, SlicesWithViscosity) {
  const ViscousProblem<2> problem(curved_mixture(3, 2), 1, 2.5);
  expect_equal(problem.expected, on_emulated_gpu(problem.mesh, problem.spec, problem.c));
}

}  // namespace
}  // namespace galerna::tests
