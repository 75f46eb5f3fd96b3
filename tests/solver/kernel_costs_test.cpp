#include "solver/kernel_costs.hpp"

#include <gtest/gtest.h>

#include "dg/fixtures.hpp"

namespace galerna::tests {
namespace {

using device::Kind;

// By hand from kernels/: tests/kernels/operations_test.cpp.
constexpr double primitive = 10, flux = 13, llf = 85, normal = 8, gradients = 4;

std::map<std::string, solver::KernelCost> costs(const dg::Spec& spec, const std::string& scheme,
                                                const solver::CostSettings& settings) {
  kernels::OperationCounts operations;
  operations.primitive = operations.pressure = operations.admissible = primitive;
  operations.flux = flux;
  operations.riemann = llf;
  operations.wave_speed = 20;
  operations.difference = 4;  // of conservative variables
  return solver::kernel_costs(spec, dg::make_operators(spec.shape, spec.degree), time::find_scheme(scheme), operations,
                              settings);
}

TEST(KernelCosts, OperationsOfPhysicsAreCountedByTheCompiler) {
  dg::Spec spec = bare_euler(1);
  spec.limiter = dg::LimiterSpec{};
  const kernels::OperationCounts counts = solver::count_operations(spec);
  EXPECT_EQ(counts.primitive, primitive);
  EXPECT_EQ(counts.flux, flux);
  EXPECT_EQ(counts.riemann, llf);
  EXPECT_EQ(counts.wave_speed, 20);
  EXPECT_EQ(counts.difference, 4);
}

TEST(KernelCosts, OfDegree0OnAGpu) {
  const auto cost = costs(bare_euler(0), "euler", {.kind = Kind::cuda, .lanes = 32}).at("residual_1_1");
  // 4 numbers read and 4 written; 4 of geometry; 3 neighbours
  EXPECT_EQ(cost.bytes, 8 * (4 + 4 + 4) + 4 * 3);
  // One point a side: 4 values on either side and 4 integrals, each one multiplication and addition; flux; its scale
  EXPECT_EQ(cost.flops, gradients + 3 * (normal + (3 * 4 * 2 + llf + 1 + 4)) + 4 * (1 + 2));
}

TEST(KernelCosts, OfDegree1OnAGpu) {
  const auto all = costs(bare_euler(1), "rk2-heun", {.kind = Kind::cuda, .lanes = 32});
  const double state = 12 * 8, evaluation = 12 * 2;
  // Three points in the element (degree 2), two on a side (degree 3)
  const double sides = 3 * (normal + 2 * (3 * evaluation + llf + 1 + 4));
  const double volume = 3 * (evaluation + primitive + 2 * (flux + evaluation));
  EXPECT_EQ(all.at("residual_1_1").bytes, 2 * state + 32 + 12);
  EXPECT_EQ(all.at("residual_1_1").flops, gradients + sides + volume + 12 * 3);
  EXPECT_EQ(all.at("residual_2_1").bytes, 3 * state + 32 + 12);
  EXPECT_EQ(all.at("residual_2_1").flops, gradients + sides + volume + 12 * 5);
  EXPECT_EQ(all.at("monitor").bytes, state + 8 + 8.0 / 32);
  EXPECT_EQ(all.at("monitor").flops, 3 * (evaluation + 10 + 20) + 2);
  EXPECT_FALSE(all.contains("traces"));
  EXPECT_FALSE(all.contains("limit"));
}

TEST(KernelCosts, OnTheCpuTracesPassThroughMemory) {
  const auto all = costs(bare_euler(1), "euler", {.kind = Kind::host, .lanes = 8});
  const double state = 12 * 8, traces = 3 * 2 * 4 * 8;
  EXPECT_EQ(all.at("traces").bytes, state + traces);
  EXPECT_EQ(all.at("traces").flops, 3 * 2 * 24);
  EXPECT_EQ(all.at("residual_1_1").bytes, 2 * state + traces + 32 + 12);
}

TEST(KernelCosts, StagesOfOneKernelAreAveraged) {
  // Midpoint: R(u) from u, then R(u_1) added to u.
  const auto all = costs(bare_euler(1), "rk2-midpoint", {.kind = Kind::cuda, .lanes = 32});
  EXPECT_EQ(all.at("residual_1_1").bytes, (2 + 3) / 2.0 * 96 + 32 + 12);
}

TEST(KernelCosts, OfTheLimiterGrowWithWhatItChanges) {
  dg::Spec spec = bare_euler(1);
  spec.limiter = dg::LimiterSpec{};
  spec.limiter->slopes = dg::LimiterSpec::Slopes::barth_jespersen;
  const auto none = costs(spec, "euler", {.kind = Kind::cuda, .lanes = 32}).at("limit");
  const auto half = costs(spec, "euler", {.kind = Kind::cuda, .lanes = 32, .limited_share = 0.5}).at("limit");
  EXPECT_EQ(none.bytes, 96 + 12);
  EXPECT_EQ(half.bytes, none.bytes + 0.5 * 64);
  // Means; noise, slopes scaled; 3 neighbours' means and differences; 6 points with 4 variables; 4 factors
  EXPECT_EQ(none.flops, 4 + 1 + 2 * 4 + 3 * (4 + 4) + 6 * 4 * 4 + 4 * 6);
}

}  // namespace
}  // namespace galerna::tests
