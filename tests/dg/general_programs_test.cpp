// Compiles the general kernels for two generations of GPUs; NVRTC needs no GPU for that.
#include <gtest/gtest.h>

#include <filesystem>

#include "dg/curved_meshes.hpp"
#include "dg/fixtures.hpp"
#include "dg/general_program.hpp"

namespace galerna::tests {
namespace {

class GeneralCudaProgram : public ::testing::TestWithParam<const char*> {
 protected:
  void expect_compiles(const mesh::Mesh& mesh, dg::Spec spec, bool matrix_units = false) const {
    spec.always_general = mesh.blocks.size() == 1;
    spec.averages = true;
    spec.boundaries.assign(mesh.boundaries.size(), {{"kernels/boundary/slip_wall.hpp", "SlipWall"}, false, {}, {}});
    for (const auto& program : dg::make_programs(mesh, spec, {device::Kind::cuda, 32, matrix_units}, {{1, 1}, {3, 2}}))
      EXPECT_GT(std::filesystem::file_size(device::compile(program, GetParam())), 1000u) << program.title;
  }

  void SetUp() override {
    if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  }
};

TEST_P(GeneralCudaProgram, CompilesForCurvedMixtures) {
  const mesh::Mesh mesh = curved_mixture(3, 3);
  for (int degree : {0, 1, 2, 3, 5}) expect_compiles(mesh, bare_euler(degree));
}

TEST_P(GeneralCudaProgram, CompilesForStraightTriangles) {
  for (int degree : {1, 4}) expect_compiles(irregular_square(), bare_euler(degree));
}

/// Straight triangles read the states of their neighbours there.
TEST_P(GeneralCudaProgram, CompilesForStraightMixtures) {
  for (int degree : {0, 1, 2}) expect_compiles(curved_mixture(3, 1), bare_euler(degree));
  if (GetParam() == std::string("sm_90"))
    for (int degree : {3, 5}) expect_compiles(curved_mixture(3, 1), bare_euler(degree), true);
}

TEST_P(GeneralCudaProgram, CompilesForViscousTerms) {
  for (int degree : {0, 2, 4}) {
    dg::Spec spec = bare_euler(degree);
    spec.equations = {"kernels/physics/navier_stokes.hpp", "NavierStokes"};
    spec.parameters = {{"gamma", 1.4},
                       {"prandtl", 0.72},
                       {"mu", 0.01},
                       {"sutherland", 1.0},
                       {"reference_temperature", 1},
                       {"sutherland_temperature", 0.4}};
    spec.viscous = true;
    expect_compiles(curved_mixture(3, 2), spec);
    if (degree >= 4 && GetParam() == std::string("sm_90")) expect_compiles(irregular_square(), spec, true);
    if (degree != 2) continue;
    expect_compiles(irregular_square(), spec);
    spec.limiter = {dg::LimiterSpec::Slopes::hierarchical, "CharacteristicVariables", true, true};
    expect_compiles(irregular_square(), spec);
  }
}

/// More numbers than constant memory holds.
TEST_P(GeneralCudaProgram, CompilesForLargeTables) {
  expect_compiles(curved_mixture(3, 2), bare_euler(6));
}

TEST_P(GeneralCudaProgram, CompilesInSinglePrecision) {
  dg::Spec spec = bare_euler(3);
  spec.precision = device::Precision::single_precision;
  expect_compiles(curved_mixture(3, 2), spec);
}

INSTANTIATE_TEST_SUITE_P(Architectures, GeneralCudaProgram, ::testing::Values("sm_80", "sm_90"));

}  // namespace
}  // namespace galerna::tests
