// The kernels of Newton's method compile for GPUs, on machines that need not have one.
#include <gtest/gtest.h>

#include "compiles.hpp"
#include "steady/state_vectors.hpp"

namespace galerna::tests {
namespace {

TEST(Cuda, KernelsOfNewtonsMethodCompile) {
  if (const std::string absence = device::cuda_compiler_absence(); !absence.empty()) GTEST_SKIP() << absence;
  for (const char* architecture : {"sm_80", "sm_90"})
    expect_compiles(steady::program(device::Kind::cuda, 1), architecture);
}

}  // namespace
}  // namespace galerna::tests
