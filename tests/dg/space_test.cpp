// Straight tetrahedra: the kernels of any elements, held against plain loops, also with the structure that they have on
// GPUs.
#include "compiles.hpp"
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/mesh_programs.hpp"
#include "dg/solids.hpp"
#include "dg/space_reference.hpp"

namespace galerna::tests {
namespace {

mesh::Mesh box(bool periodic) {
  return box_of(Shape::tetrahedron, {3, 2, 3}, {1, 0.8, 1.1}, 0.1, periodic);
}

constexpr State3 stream = {{1, 0.3, -0.4, 0.2, 2.2}};

dg::Spec surrounded(const mesh::Mesh& mesh, int degree) {
  dg::Spec spec = bare_euler_in_space(degree);
  surround(spec, mesh, stream);
  return spec;
}

/// The stream, and beside it `disturbance` in all modes.
std::vector<double> modes_of(const mesh::Mesh& mesh, int degree, double disturbance) {
  Random random;
  const int modes = basis::mode_count(Shape::tetrahedron, degree);
  std::vector<double> c;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (int v = 0; v < 5; ++v)
      for (int j = 0; j < modes; ++j)
        c.push_back((j == 0 ? stream[v] / std::sqrt(6.0) : 0) + random.uniform(-disturbance, disturbance) / (j + 1));
  return c;
}

class InSpace : public testing::TestWithParam<int> {
 protected:
  void expect_reference(std::unique_ptr<device::Device> device) const {
    const int p = GetParam();
    const mesh::Mesh mesh = box(false);
    const std::vector<double> c = modes_of(mesh, p, 0.02);
    Computation computation(mesh, surrounded(mesh, p), std::move(device));
    const std::vector<double> found = computation.residual(c);
    const std::vector<double> expected = SpaceReference(mesh, p).residual(c, stream);
    EXPECT_LT(relative_difference(expected, found), 1e-12);
  }
};

TEST_P(InSpace, ResidualIsThatOfThePlainLoops) {
  expect_reference(device::open_device("cpu"));
}

TEST_P(InSpace, ResidualOnTheGpuIsThatOfThePlainLoops) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_reference(device::open_device("cuda"));
}

/// Up to degree 1 an element is a thread's, above five threads of eight share one.
TEST_P(InSpace, ResidualOnAnEmulatedGpuIsThatOfThePlainLoops) {
  if (GetParam() > 2) GTEST_SKIP() << "compilers take minutes for the code of higher degrees, which is the same";
  expect_reference(std::make_unique<EmulatedGpu>());
}

TEST_P(InSpace, UniformFlowStays) {
  const int p = GetParam();
  const mesh::Mesh mesh = box(false);
  Computation computation(mesh, surrounded(mesh, p));
  EXPECT_LT(largest(computation.residual(modes_of(mesh, p, 0))), 2e-12);
}

TEST_P(InSpace, NothingIsLostInAPeriodicBox) {
  const int p = GetParam();
  const mesh::Mesh mesh = box(true);
  Computation computation(mesh, bare_euler_in_space(p));
  const std::vector<double> found = computation.residual(modes_of(mesh, p, 0.02));
  const SpaceReference reference(mesh, p);
  for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(reference.integral(found, v)), 1e-13 * largest(found)) << v;
}

INSTANTIATE_TEST_SUITE_P(QuickDegrees, InSpace, testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, InSpace, testing::Values(0, 2, 3, 4), CaseName{});

TEST(InSpaceForGpus, Compiles) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  const mesh::Mesh mesh = box(true);
  const auto expect_compiles = [&](int degree, bool matrix_units) {
    const device::Target target{device::Kind::cuda, device::cuda_lanes, matrix_units};
    for (const auto& program : dg::make_programs(mesh, bare_euler_in_space(degree), target, {{1, 1}, {3, 2}}))
      tests::expect_compiles(program, "sm_90");
  };
  expect_compiles(2, false);
  for (int degree : {2, 3, 4}) expect_compiles(degree, true);
}

}  // namespace
}  // namespace galerna::tests
