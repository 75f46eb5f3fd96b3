// The kernels compile for GPUs; NVRTC needs none for that.
#include <gtest/gtest.h>

#include <filesystem>

#include "compiles.hpp"
#include "device/program.hpp"
#include "polytopic/assembly_programs.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

class PolytopicCudaProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  }

  static void expect_compiles(const polytopic::Spec& spec, const std::set<int>& degrees, bool matrix_units = false) {
    const device::Target target{device::Kind::cuda, device::cuda_lanes, matrix_units};
    for (const auto& program :
         {polytopic::penalty_program(spec, degrees, target), polytopic::assembly_program(spec, degrees, target),
          polytopic::error_program(spec, degrees, target)})
      tests::expect_compiles(program, "sm_90");
  }

  static mesh::Mesh square() {
    mesh::Mesh mesh;
    mesh.dimension = 2;
    for (const char* name : {"bottom", "right"}) mesh.boundaries.push_back({name, {}});
    return mesh;
  }
};

TEST_F(PolytopicCudaProgram, CompilesInThePlane) {
  expect_compiles(advection(square(), "certified", 2), {1, 3, 5}, true);
}

TEST_F(PolytopicCudaProgram, CompilesExchangeAtTheBoundary) {
  expect_compiles(exchange(square(), "certified", 2), {1, 3}, true);
}

/// Without and with matrix units.
TEST_F(PolytopicCudaProgram, CompilesConstants) {
  expect_compiles(transport(square()), {0}, true);
  expect_compiles(transport(square()), {0, 3}, true);
  expect_compiles(transport(square()), {0}, false);
}

TEST_F(PolytopicCudaProgram, CompilesThePattern) {
  tests::expect_compiles(polytopic::pattern_program(device::Kind::cuda), "sm_90");
}

TEST_F(PolytopicCudaProgram, CompilesWhatIsScattered) {
  const device::Target target{device::Kind::cuda, device::cuda_lanes};
  EXPECT_NO_THROW(device::compile(polytopic::scattered_program(advection(square(), "capped", 10), {2}, target), "sm_90",
                                  {}, device::Effort::check));
}

TEST_F(PolytopicCudaProgram, CompilesInSpaceInSinglePrecision) {
  polytopic::Spec spec = poisson(3, square(), "capped", 10);
  spec.precision = device::Precision::single_precision;
  expect_compiles(spec, {2});
}

TEST_F(PolytopicCudaProgram, CompilesTheLargestBlocks) {
  expect_compiles(poisson(3, square(), "certified", 2), {5}, true);
}

TEST_F(PolytopicCudaProgram, CompilesForSlabs) {
  polytopic::Spec spec = poisson(2, square(), "certified", 2);
  spec.space.slab = true;
  spec.initial = spec.exact;
  expect_compiles(spec, {2});
}

}  // namespace
}  // namespace galerna::tests
