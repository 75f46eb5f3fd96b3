// Runs that become steady at low degrees first.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "dg/curved_meshes.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// Layers of different density across a supersonic stream through `boundaries`, which are not there at the start.
std::string layers(const std::vector<std::string>& boundaries, int order, const std::string& time) {
  const std::string stream =
      "density = \"1 + 0.2*sin(3*(y - 0.25*x))\"\nvelocity_x = 2\nvelocity_y = 0.5\npressure = 1\n";
  std::string text = "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = " +
                     std::to_string(order) + "\nriemann = \"hllc\"\n[time]\nscheme = \"ssprk33\"\ncfl = 0.6\n" + time +
                     "[initial]\ndensity = 1\nvelocity_x = 2\nvelocity_y = 0.4\npressure = 1\n[exact]\n" + stream +
                     "[output]\nsolution = false\n";
  for (const std::string& boundary : boundaries) text += "[boundary." + boundary + "]\ntype = \"dirichlet\"\n" + stream;
  return text;
}

std::string on_square(int order, const std::string& time) {
  return layers({"left", "right", "bottom", "top"}, order, time);
}

void write_mixture(const Folder& folder) {
  mesh::Mesh mesh = curved_mixture(6, 2, 0.1);
  for (mesh::Boundary& boundary : mesh.boundaries) boundary.name = "rim";
  mesh::write_gmsh(mesh, folder / "square.msh");
}

std::vector<int> orders(const files::Report& report) {
  std::vector<int> result;
  for (const auto& level : report.levels) result.push_back(level.order);
  return result;
}

void expect_same_steady_state(const Folder& folder, const std::string& text, const solver::RunOptions& options) {
  const Outcome direct = run(folder, text, {}, options);
  const Outcome sequence = run(folder, text, {"time.sequence=[0, 1]", "time.sequence_steady=1e-4"}, options);
  EXPECT_EQ(direct.report.status, "steady");
  EXPECT_EQ(sequence.report.status, "steady");
  EXPECT_TRUE(direct.report.levels.empty());
  EXPECT_EQ(orders(sequence.report), (std::vector<int>{0, 1}));
  EXPECT_EQ(sequence.report.order, 2);
  for (const auto& level : sequence.report.levels) EXPECT_LE(level.change, 1e-4);
  EXPECT_LT(relative_difference(direct.coefficients, sequence.coefficients), 1e-8);
  // What is embedded is the same function: nothing is lost on the way up.
  for (const auto& c : sequence.report.conservation)
    EXPECT_LT(std::abs(c.defect), 1e-11 * (1 + std::abs(c.boundary_flux))) << c.variable;
}

/// The next degree begins when its own residual is ten times as large, long before the flow is steady at this one.
TEST(Sequence, GoesOnByItselfWhenTheNextDegreeIsDue) {
  Folder folder;
  write_square(folder, 8);
  const std::string text = on_square(3, "local = true\nsteady_residual = 1e-10\n");
  const Outcome direct = run(folder, text);
  const Outcome automatic = run(folder, text, {"time.sequence=automatic"});
  EXPECT_EQ(automatic.report.status, "steady");
  EXPECT_EQ(orders(automatic.report), (std::vector<int>{1, 2}));
  EXPECT_LT(relative_difference(direct.coefficients, automatic.coefficients), 1e-8);
  const Outcome steady = run(folder, text, {"time.sequence=[1, 2]"});
  for (std::size_t level = 0; level < 2; ++level) {
    EXPECT_EQ(automatic.report.levels[level].steps % 200, 0);
    EXPECT_LE(automatic.report.levels[level].steps, steady.report.levels[level].steps);
  }
  EXPECT_LT(automatic.report.time.rhs_evaluations, steady.report.time.rhs_evaluations);
  // At degree 1 there is none below.
  EXPECT_TRUE(run(folder, text, {"discretization.order=1", "time.sequence=automatic"}).report.levels.empty());
}

TEST(Sequence, ReachesTheSteadyStateOfTheLastDegree) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_square(folder, 8);
    expect_same_steady_state(folder, on_square(2, "steady = 1e-11\n"), {.device = device});
  }
}

TEST(Sequence, ReachesTheSteadyStateOfTheLastDegreeOnCurvedMixtures) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_mixture(folder);
    expect_same_steady_state(folder, layers({"rim"}, 2, "steady = 1e-11\n"), {.device = device});
  }
}

/// Stopped at every degree, at its last step too.
TEST(Sequence, ContinuesFromACheckpointBitForBit) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = on_square(2, "steady = 1e-11\nmax_steps = 40\nsequence = [0, 1]\nsequence_steps = 15\n");
  const Outcome whole = run(folder, text);
  for (int stop : {7, 15, 22, 30, 35}) {
    run(folder, text, {"time.max_steps=" + std::to_string(stop)});
    const auto half = folder / "half.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
    const Outcome continued = run(folder, text, {}, {.device = "cpu", .restart = half});
    EXPECT_EQ(continued.coefficients, whole.coefficients) << stop;
    EXPECT_EQ(continued.report.time.rhs_evaluations, whole.report.time.rhs_evaluations);
    EXPECT_EQ(continued.report.conservation[0].boundary_flux, whole.report.conservation[0].boundary_flux);
  }
}

TEST(Sequence, GoesOnAfterItsMostSteps) {
  Folder folder;
  write_square(folder, 6);
  const std::string monitor = "[output.monitor]\nsteps = 5\n";
  const Outcome result =
      run(folder, on_square(3, "steady = 1e-11\nmax_steps = 60\nsequence = [0, 2]\nsequence_steps = 20\n") + monitor);
  EXPECT_EQ(result.report.status, "step limit");
  EXPECT_EQ(orders(result.report), (std::vector<int>{0, 2}));
  for (const auto& level : result.report.levels) EXPECT_EQ(level.steps, 20);
  std::ifstream rows(folder / "out/monitor.csv");
  int count = 0;
  for (std::string row; std::getline(rows, row);) ++count;
  EXPECT_EQ(count, 1 + 60 / 5 + 1);  // names, and a row every five steps from step 0 on
}

TEST(Sequence, BeginsBelowALimiterAndPlansItsMemory) {
  Folder folder;
  write_square(folder, 6);
  Silent silent;
  solver::Simulation simulation(
      settings(folder, on_square(1, "steady = 1e-11\nmax_steps = 30\nsequence = [0]\nsequence_steps = 10\n") +
                           "[shock]\nlimiter = \"barth-jespersen\"\n"),
      {.device = "cpu"}, silent);
  EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used());
  const files::Report report = simulation.run();
  EXPECT_EQ(orders(report), (std::vector<int>{0}));
  EXPECT_EQ(report.time.steps, 30);
  EXPECT_GT(report.limiter.at("slopes"), 0);
  EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used());
}

TEST(Sequence, TakesLocalStepsToo) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = on_square(2, "steady = 1e-11\n");
  const Outcome direct = run(folder, text);
  const Outcome both = run(folder, text, {"time.sequence=[0, 1]", "time.sequence_steady=1e-4", "time.local=true"});
  EXPECT_EQ(both.report.status, "steady");
  EXPECT_LT(relative_difference(direct.coefficients, both.coefficients), 1e-8);
  EXPECT_LT(both.report.time.steps, direct.report.time.steps);
}

}  // namespace
}  // namespace galerna::tests
