#include "solver/bench/bench.hpp"

#include <gtest/gtest.h>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// Steps after the flow is steady do nothing: they would be measured as fast ones.
TEST(Bench, MeasuresStepsOfASteadyFlow) {
  Folder folder;
  write_square(folder, 4);
  const std::string text =
      std::string(periodic_square) + density_wave + "[discretization]\norder = 1\n[time]\ncfl = 0.5\nsteady = 1e6\n";
  Silent silent;
  solver::Simulation simulation(settings(folder, text), {.device = "cpu", .writes = false}, silent);
  solver::BenchSettings short_one;
  short_one.measure_ceilings = false;
  short_one.seconds = 1e-3;
  short_one.repetitions = 1;
  const auto before = simulation.flow().control().steps;
  const solver::BenchResult result = solver::bench(simulation, short_one);
  EXPECT_EQ(simulation.flow().control().status, static_cast<int>(kernels::RunStatus::running));
  EXPECT_GE(simulation.flow().control().steps, before + 16 + 11) << "11 of them kernel by kernel";
  EXPECT_FALSE(result.kernels.empty());
}

}  // namespace
}  // namespace galerna::tests
