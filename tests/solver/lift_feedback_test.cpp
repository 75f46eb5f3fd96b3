#include "solver/run/lift_feedback.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A stream along the wall y = 0 of a square, with a bump of pressure in it.
std::string stream_along_wall(const std::string& bump, const std::string& far) {
  const std::string stream = "density = 1\nvelocity_x = 0.4\nvelocity_y = 0\npressure = ";
  std::string text = "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n" +
                     std::string("[time]\nscheme = \"ssprk33\"\ncfl = 0.5\nmax_steps = 100\n[initial]\n") + stream +
                     bump + "\n[output]\nsolution = false\n[boundary.bottom]\ntype = \"slip-wall\"\n";
  for (const char* side : {"left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"far-field\"\n" + stream + "1\n" + far;
  return text;
}

const char* waves = "\"1 + 0.2*exp(-50*((x - 0.5)^2 + (y - 0.3)^2))\"";

TEST(LiftFeedback, GoesHalfwayToTheForceOnTheWallsEveryThirtyTwoSteps) {
  Folder folder;
  write_square(folder, 4);
  // So far away that the vortex does not change the stream, whose pressure 1 acts on a wall of length 1.
  const std::string text = stream_along_wall("1", "lift_centre = [0.5, -1e7]\n");
  for (const std::string& device : devices())
    for (const int steps : {31, 32, 64, 100}) {
      Silent silent;
      solver::Simulation simulation(settings(folder, text, {"time.max_steps=" + std::to_string(steps)}),
                                    {.device = device}, silent);
      simulation.run();
      EXPECT_NEAR(simulation.flow().stepper().control().wall_force_x, 0, 1e-6) << steps;
      EXPECT_NEAR(simulation.flow().stepper().control().wall_force_y, std::pow(0.5, steps / 32) - 1, 1e-6) << steps;
    }
}

TEST(LiftFeedback, ChangesNothingWhereNobodyListens) {
  Folder folder;
  write_square(folder, 4);
  Silent silent;
  solver::Simulation simulation(settings(folder, stream_along_wall(waves, "")), {.device = "cpu"}, silent);
  simulation.run();
  EXPECT_EQ(simulation.flow().stepper().control().wall_force_y, 0);
}

/// What Newton's method calls steady is the flow of steps in time, with the vortex of its own lift.
TEST(LiftFeedback, IsThatOfTheSteadyStateInNewtonsMethod) {
  Folder folder;
  write_square(folder, 4);
  const std::string with = stream_along_wall(waves, "lift_centre = [0.5, -4]\n");
  const std::vector<std::string> steady = {"time.max_steps=", "time.steady_residual=1e-10"};
  std::vector<std::string> newton = steady, local = steady;
  newton.insert(newton.end(), {"time.scheme=newton", "time.cfl="});
  local.insert(local.end(), {"time.local=true"});
  const Outcome outcome = run(folder, with, newton), slow = run(folder, with, local);
  EXPECT_EQ(outcome.report.status, "steady");
  EXPECT_EQ(slow.report.status, "steady");
  EXPECT_LT(outcome.report.time.steps, 50);
  EXPECT_LT(relative_difference(outcome.coefficients, slow.coefficients), 1e-7);
  EXPECT_GT(relative_difference(outcome.coefficients, run(folder, stream_along_wall(waves, ""), newton).coefficients),
            1e-3);
}

TEST(LiftFeedback, GoesOnBitForBitAfterARestart) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = stream_along_wall(waves, "lift_centre = [0.5, -2]\n");
  const Outcome whole = run(folder, text);
  EXPECT_GT(relative_difference(whole.coefficients, run(folder, stream_along_wall(waves, "")).coefficients), 0.01);
  for (const char* steps : {"40", "64"}) {
    run(folder, text, {std::string("time.max_steps=") + steps});
    const auto half = folder / "half.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
    EXPECT_EQ(run(folder, text, {}, {.device = "cpu", .restart = half}).coefficients, whole.coefficients) << steps;
  }
  // However the run is cut into launches.
  EXPECT_EQ(run(folder, text, {"output.monitor.steps=7"}).coefficients, whole.coefficients);
}

/// The reduced steps fail, too, after more steps than there are between two refreshes: what is repeated has the force
/// of the kept state.
TEST(LiftFeedback, FailureInARecoveryIsRepeatedStageByStage) {
  Folder folder;
  write_square(folder, 6);
  const files::Report report = run(folder, stream_along_wall(waves, "lift_centre = [0.5, -2]\n"),
                                   {"time.max_steps=2000", "time.recover=1", "time.cfl=2.65"})
                                   .report;
  ASSERT_EQ(report.status, "failed");
  EXPECT_EQ(report.recoveries, 1);
  EXPECT_GT(report.time.steps, 32);
  EXPECT_GT(report.failure->stage, 0);
  EXPECT_EQ(report.failure->time, report.time.t);
}

}  // namespace
}  // namespace galerna::tests
