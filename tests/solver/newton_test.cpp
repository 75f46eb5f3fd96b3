// Steady states by Newton's method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A viscous stream over a wall whose temperature varies, between far fields.
std::string over_a_wall(const std::string& type, const std::string& time, int order = 2) {
  const std::string stream = "density = 1\nvelocity_x = 0.4\nvelocity_y = 0.05\npressure = 1\n";
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"" + type + "\"\n" +
      (type == "euler" ? "" : "mu = 0.02\nprandtl = 0.72\n") + "[discretization]\norder = " + std::to_string(order) +
      "\n[initial]\ndensity = \"1 + 0.1*sin(3*x + y)\"\nvelocity_x = 0.4\nvelocity_y = 0\npressure = \"1 + "
      "0.1*cos(4*x)\"\n[output]\nsolution = false\n[output.checkpoint]\nsteps = 4\n[boundary.bottom]\ntype = \"" +
      (type == "euler" ? "slip-wall" : "no-slip-adiabatic") + "\"\n";
  for (const char* side : {"left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"far-field\"\n" + stream;
  return text + "[time]\n" + time;
}

double largest_difference_of(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(QuickNewton, FindsTheSteadyStateOfStepsInTime) {
  for (const std::string type : {"euler", "navier-stokes"}) {
    Folder folder;
    write_square(folder, 4);
    const Outcome newton = run(folder, over_a_wall(type, "scheme = \"newton\"\nsteady_residual = 1e-11\n"));
    EXPECT_EQ(newton.report.status, "steady") << type;
    EXPECT_LE(newton.report.residual.at("relative"), 1e-11);
    EXPECT_LT(newton.report.time.rhs_evaluations, 2000);
    const Outcome explicit_run =
        run(folder, over_a_wall(type, "scheme = \"ssprk54\"\ncfl = 0.9\nlocal = true\nsteady_residual = 1e-11\n"));
    EXPECT_EQ(explicit_run.report.status, "steady") << type;
    EXPECT_LT(largest_difference_of(newton.coefficients, explicit_run.coefficients), 1e-8) << type;
    EXPECT_LT(10 * newton.report.time.rhs_evaluations, explicit_run.report.time.rhs_evaluations) << type;
  }
}

TEST(Newton, ReachesTheSameStateWithEveryPreconditioner) {
  Folder folder;
  write_square(folder, 4);
  const std::string time = "scheme = \"newton\"\nsteady_residual = 1e-11\n";
  std::vector<Outcome> outcomes;
  for (const char* name : {"blocks", "lines", "none"})
    outcomes.push_back(
        run(folder, over_a_wall("navier-stokes", time) + "[solver]\npreconditioner = \"" + name + "\"\n"));
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.report.status, "steady");
    EXPECT_LT(largest_difference_of(outcome.coefficients, outcomes.front().coefficients), 1e-8);
  }
}

TEST(Newton, RepeatsItselfBitByBit) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-9\n");
    const Outcome one = run(folder, text, {}, {.device = device});
    const Outcome other = run(folder, text, {}, {.device = device});
    EXPECT_EQ(one.coefficients, other.coefficients);
    EXPECT_EQ(one.report.time.rhs_evaluations, other.report.time.rhs_evaluations);
  }
}

TEST(Newton, GoesOnFromACheckpoint) {
  Folder folder;
  write_square(folder, 4);
  const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-11\n", 1);
  const Outcome whole = run(folder, text);
  const Outcome continued = run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_00000004.h5"});
  EXPECT_EQ(continued.report.status, "steady");
  EXPECT_LT(largest_difference_of(whole.coefficients, continued.coefficients), 1e-9);
}

/// Lower degrees meet loose criteria before they have done their share; neither that nor a restart counts for the last.
TEST(Newton, MeetsTheCriterionAtTheLastDegree) {
  for (const std::string limit : {"1e-2", "1e-6"}) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = " + limit + "\n", 2);
    for (const char* sequence : {"\"automatic\"", "\"none\"", "[0, 1]"}) {
      const files::Report report = run(folder, text, {std::string("time.sequence=") + sequence}).report;
      EXPECT_EQ(report.status, "steady") << sequence;
      EXPECT_LE(report.residual.at("relative"), std::stod(limit)) << sequence;
    }
    const auto lower = folder / "lower.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", lower);
    for (const char* sequence : {"\"automatic\"", "\"none\""}) {
      const files::Report report =
          run(folder, text, {"discretization.order=3", std::string("time.sequence=") + sequence},
              {.device = "cpu", .restart = lower})
              .report;
      EXPECT_EQ(report.status, "steady") << sequence;
      EXPECT_EQ(report.order, 3);
      EXPECT_LE(report.residual.at("relative"), std::stod(limit)) << sequence;
    }
  }
}

/// Steps in time of the checkpoint are none of Newton's method; its own count through restarts.
TEST(Newton, CountsItsOwnSteps) {
  Folder folder;
  write_square(folder, 4);
  run(folder, over_a_wall("euler", "scheme = \"ssprk54\"\ncfl = 0.5\nmax_steps = 40\n", 1));
  const std::string text =
      over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-11\n", 1) + "[solver]\nnewton_steps = 3\n";
  for (const auto& [most, steps] : {std::pair("3", 43), std::pair("5", 45)}) {
    const auto half = folder / "half.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
    Silent silent;
    solver::Simulation simulation(settings(folder, text, {std::string("solver.newton_steps=") + most}),
                                  {.device = "cpu", .restart = half}, silent);
    const files::Report report = simulation.run();
    EXPECT_EQ(report.status, "step limit");
    EXPECT_EQ(report.time.steps, steps);
    const auto said = [&](const std::string& text) {
      return std::any_of(silent.messages.begin(), silent.messages.end(),
                         [&](const std::string& message) { return message.find(text) != std::string::npos; });
    };
    EXPECT_TRUE(said("solver.newton_steps"));
    EXPECT_TRUE(said(fmt::format("relative residual {:.2e} of 1e-11", report.residual.at("relative"))));
  }
}

TEST(Newton, EndsWhereRoundingKeepsTheResidual) {
  Folder folder;
  write_square(folder, 4);
  const Outcome floor = run(folder, over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-300\n", 1));
  EXPECT_EQ(floor.report.status, "steady");
  EXPECT_EQ(floor.report.steady_by, "round-off floor");
}

/// Mass comes into a box with walls all round.
TEST(Newton, KeepsTheStateWhereThereIsNoSteadyOne) {
  Folder folder;
  write_square(folder, 4);
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[initial]\n"
      "density = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n[source]\ndensity = 1\n[output]\nsolution = false\n"
      "[time]\nscheme = \"newton\"\nsteady_residual = 1e-9\n";
  for (const char* side : {"bottom", "left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"slip-wall\"\n";
  const Outcome outcome = run(folder, text);
  EXPECT_EQ(outcome.report.status, "failed");
  ASSERT_TRUE(outcome.report.failure);
  EXPECT_NE(outcome.report.failure->what.find("no steady state"), std::string::npos);
  EXPECT_EQ(files::read_checkpoint(folder / "out/checkpoint_last_good.h5").step, outcome.report.time.steps);
}

TEST(Newton, RefusesSinglePrecision) {
  Folder folder;
  write_square(folder, 4);
  try {
    run(folder, over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-9\n"), {},
        {.device = "cpu", .precision = device::Precision::single_precision});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("needs --precision double"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace galerna::tests
