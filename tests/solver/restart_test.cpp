// What a restart goes on with: the same bits as a run without a break, in all files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string viscous_box(const std::string& time) {
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"navier-stokes\"\nmu = 0.01\nprandtl = 0.72\n"
      "[discretization]\norder = 1\n[initial]\ndensity = \"1 + 0.1*sin(pi*x)\"\nvelocity_x = 0\n"
      "velocity_y = \"0.1*cos(pi*x)\"\npressure = 1\n[output]\nsolution = false\n[output.monitor]\nsteps = 5\n"
      "[output.checkpoint]\nsteps = 10\n";
  for (const char* side : {"left", "right", "bottom"})
    text += std::string("[boundary.") + side + "]\ntype = \"no-slip-adiabatic\"\n";
  return text + "[boundary.top]\ntype = \"far-field\"\ndensity = 1\nvelocity_x = 0.3\nvelocity_y = 0\npressure = 1\n" +
         "[time]\n" + time;
}

/// A run in one piece and one that goes on from the tenth step leave the same files.
void expect_same_files(const std::string& text, const solver::RunOptions& options = {.device = "cpu"}) {
  Folder folder;
  write_square(folder, 4);
  const auto files = [&](const std::string& name) { return folder / ("out/" + name); };
  const Outcome whole = run(folder, text, {}, options);
  const std::string monitor = files::read_file(files("monitor.csv"));
  const files::Checkpoint end = files::read_checkpoint(files("checkpoint_final.h5"));
  solver::RunOptions again = options;
  again.restart = files("checkpoint_00000010.h5");
  const Outcome continued = run(folder, text, {}, again);
  EXPECT_EQ(files::read_file(files("monitor.csv")), monitor);
  const files::Checkpoint found = files::read_checkpoint(files("checkpoint_final.h5"));
  EXPECT_EQ(found.coefficients, end.coefficients);
  EXPECT_EQ(found.state, end.state);
  EXPECT_EQ(found.conservation_start, end.conservation_start);
  EXPECT_EQ(continued.report.limiter, whole.report.limiter);
  ASSERT_EQ(continued.report.levels.size(), whole.report.levels.size());
  for (std::size_t k = 0; k < whole.report.levels.size(); ++k) {
    EXPECT_EQ(continued.report.levels[k].order, whole.report.levels[k].order);
    EXPECT_EQ(continued.report.levels[k].steps, whole.report.levels[k].steps);
    EXPECT_EQ(continued.report.levels[k].change, whole.report.levels[k].change);
    EXPECT_EQ(continued.report.levels[k].rhs_evaluations, whole.report.levels[k].rhs_evaluations);
  }
}

TEST(Restart, LeavesTheFilesOfARunWithoutABreak) {
  for (const std::string& device : devices()) {
    expect_same_files(viscous_box("scheme = \"rk4\"\ncfl = 0.5\nmax_steps = 23\n"), {.device = device});
    expect_same_files(viscous_box("scheme = \"ssprk43\"\ntolerance = 1e-4\nmax_steps = 23\n"), {.device = device});
  }
}

TEST(Restart, GoesOnWithSumsOfLocalSteps) {
  expect_same_files(viscous_box("cfl = 0.5\nlocal = true\nsteady = 1e-13\nmax_steps = 23\n"));
}

TEST(Restart, GoesOnWithDegreesThatAreOver) {
  expect_same_files(viscous_box("cfl = 0.4\nsequence = [0]\nsequence_steps = 7\nsteady = 1e-13\nmax_steps = 23\n"));
}

TEST(Restart, GoesOnWithCountsOfTheLimiter) {
  std::string text = viscous_box("scheme = \"ssprk33\"\ncfl = 0.4\nmax_steps = 23\n");
  expect_same_files(text + "[shock]\nlimiter = \"barth-jespersen\"\n");
}

TEST(Restart, RefusesOtherPeriodicBoundaries) {
  Folder folder;
  write_square(folder, 4);
  run(folder, std::string(periodic_square) + density_wave + "[discretization]\norder = 1\n" +
                  "[time]\nscheme = \"ssprk33\"\ncfl = 0.4\nmax_steps = 10\n[output.checkpoint]\nsteps = 5\n");
  std::string text = std::string(density_wave) + "[mesh]\nfile = \"square.msh\"\n[discretization]\norder = 1\n" +
                     "[time]\nscheme = \"ssprk33\"\ncfl = 0.4\nmax_steps = 10\n";
  for (const char* side : {"left", "right", "bottom", "top"})
    text += fmt::format("[boundary.{}]\ntype = \"supersonic-outflow\"\n", side);
  try {
    run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_00000005.h5"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("a mesh with 0 boundary sides, the case's has 16; give the same mesh.file "
                        "and mesh.periodic"),
              std::string::npos)
        << error.what();
  }
}

/// A lower degree may undershoot where the state of the checkpoint does not. The limiter mends it as it does initial
/// states; without one the checkpoint is to blame, and not [initial].
TEST(Restart, MendsStatesOfAHigherDegree) {
  Folder folder;
  write_square(folder, 1);
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[time]\nscheme = \"ssprk33\"\n"
      "cfl = 1e-4\n[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\n"
      "pressure = \"x^4 + 0.001\"\n[output]\nsolution = false\n";
  for (const char* side : {"left", "right", "bottom", "top"})
    text += fmt::format("[boundary.{}]\ntype = \"slip-wall\"\n", side);
  run(folder, text, {"discretization.order=4", "time.max_steps=1"});
  const solver::RunOptions options{.device = "cpu", .restart = folder / "out/checkpoint_final.h5"};
  const std::vector<std::string> lower = {"discretization.order=1", "time.max_steps=2"};
  try {
    run(folder, text, lower, options);
    FAIL() << "nothing thrown";
  } catch (const InputError& error) {
    const std::string what = error.what();
    for (const char* part :
         {"checkpoint_final.h5", "the state of the checkpoint, of degree 4, is not physical at degree 1",
          "set discretization.order = 4", "give the case a section [shock]"})
      EXPECT_NE(what.find(part), std::string::npos) << what;
  }
  for (const char* shock : {"shock.method=filter", "shock.positivity=true"}) {
    std::vector<std::string> mended = lower;
    mended.emplace_back(shock);
    const Outcome outcome = run(folder, text, mended, options);
    EXPECT_EQ(outcome.report.time.steps, 2) << shock;
  }
}

/// As the user guide says of interrupted runs: no step more, and the report of the state of the checkpoint.
TEST(Restart, ReportsTheStateOfACheckpointWithoutAStep) {
  Folder folder;
  write_square(folder, 2);
  const std::string text = viscous_box("scheme = \"ssprk33\"\ncfl = 0.5\nmax_steps = 10\n");
  const Outcome whole = run(folder, text);
  const Outcome again = run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_final.h5"});
  EXPECT_EQ(again.report.time.steps, 10);
  ASSERT_EQ(again.report.forces.size(), whole.report.forces.size());
  ASSERT_FALSE(whole.report.forces.empty());
  for (std::size_t k = 0; k < whole.report.forces.size(); ++k)
    EXPECT_EQ(again.report.forces[k].force.total(), whole.report.forces[k].force.total());
}

}  // namespace
}  // namespace galerna::tests
