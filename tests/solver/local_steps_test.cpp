// Steady states by local time steps.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/box.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A square of n × n cells that become thin, down to a tenth of the mean width, at the bottom and at the left.
void write_graded_square(const Folder& folder, int n, mesh::CellStyle style) {
  mesh::Mesh mesh = mesh::make_rectangle(n, n, {0, 0}, {1, 1}, style, 0.1);
  const auto grade = [](double s) { return 0.1 * s + 0.9 * s * s * s; };
  mesh::transform(mesh, [&](const mesh::Point& p) { return mesh::Point{grade(p[0]), grade(p[1]), 0}; });
  mesh::write_gmsh(mesh, folder / "square.msh");
}

/// Layers of different density in a supersonic stream between two walls, which are not there at the start.
std::string layers(int order, const std::string& time) {
  const std::string layers = "density = \"1 + 0.3*sin(3*y)\"\nvelocity_x = 2\nvelocity_y = 0\npressure = 1\n";
  return "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = " +
         std::to_string(order) + "\nriemann = \"hllc\"\n[time]\nscheme = \"ssprk33\"\n" + time +
         "[initial]\ndensity = 1\nvelocity_x = 1.5\nvelocity_y = \"0.1*sin(pi*y)\"\npressure = 1\n[exact]\n" + layers +
         "[output]\nsolution = false\n[boundary.left]\ntype = \"supersonic-inflow\"\n" + layers +
         "[boundary.right]\ntype = \"supersonic-outflow\"\n[boundary.bottom]\ntype = \"slip-wall\"\n"
         "[boundary.top]\ntype = \"slip-wall\"\n";
}

/// Air between a wall at rest and one that moves, open on both sides: in a closed box the steady state depends on the
/// mass in it, which local steps do not keep.
std::string couette(const std::string& time) {
  const std::string stream = "density = \"1/(1 + 0.2*y*(1 - y))\"\nvelocity_x = \"y\"\nvelocity_y = 0\npressure = 1\n";
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"navier-stokes\"\nmu = 0.1\n[discretization]\norder = 1\n"
      "[time]\nscheme = \"ssprk33\"\ncfl = 0.8\nsteady_norm = \"residual\"\n" +
      time + "[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n[output]\nsolution = false\n" +
      "[boundary.bottom]\ntype = \"no-slip-isothermal\"\ntemperature = 1\n"
      "[boundary.top]\ntype = \"moving-wall-isothermal\"\ntemperature = 1\nvelocity_x = 1\nvelocity_y = 0\n";
  for (const char* side : {"left", "right"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + stream;
  return text;
}

/// Both end in the same state, by local steps sooner by `factor`.
void expect_same_sooner(const Folder& folder, const std::string& text, double factor, double tolerance) {
  for (const std::string& device : devices()) {
    const Outcome global = run(folder, text, {}, {.device = device});
    const Outcome local = run(folder, text, {"time.local=true"}, {.device = device});
    EXPECT_EQ(global.report.status, "steady");
    EXPECT_EQ(local.report.status, "steady");
    EXPECT_TRUE(global.report.time.accurate);
    EXPECT_FALSE(local.report.time.accurate);
    EXPECT_EQ(global.report.conservation.size(), 4u);
    EXPECT_TRUE(local.report.conservation.empty());
    EXPECT_LT(relative_difference(global.coefficients, local.coefficients), tolerance) << device;
    EXPECT_LT(factor * static_cast<double>(local.report.time.steps), static_cast<double>(global.report.time.steps));
    ::testing::Test::RecordProperty("global_steps", static_cast<int>(global.report.time.steps));
    ::testing::Test::RecordProperty("local_steps", static_cast<int>(local.report.time.steps));
  }
}

TEST(LocalSteps, ReachTheSteadyStateOfGlobalStepsSooner) {
  for (const int order : {0, 1, 3}) {
    Folder folder;
    write_graded_square(folder, 8, mesh::CellStyle::random_triangles);
    expect_same_sooner(folder, layers(order, "cfl = 0.5\nsteady = 1e-11\n"), 3, 1e-8);
  }
}

TEST(LocalSteps, ReachTheSteadyStateOfViscousFlowOnQuadrilaterals) {
  Folder folder;
  mesh::Mesh mesh = mesh::make_rectangle(4, 6, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals);
  mesh::transform(mesh, [](const mesh::Point& p) { return mesh::Point{p[0], p[1] * (0.4 + 0.6 * p[1]), 0}; });
  mesh::write_gmsh(mesh, folder / "square.msh");
  expect_same_sooner(folder, couette("steady = 1e-8\n"), 1.5, 1e-7);
}

TEST(LocalSteps, ContinueBitForBit) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_graded_square(folder, 5, mesh::CellStyle::random_triangles);
    const std::string text = layers(2, "cfl = 0.8\nsteady = 1e-12\nlocal = true\nmax_steps = 40\n");
    const Outcome whole = run(folder, text, {}, {.device = device});
    run(folder, text, {"time.max_steps=13", "output.directory=\"" + (folder / "half").string() + "\""},
        {.device = device});
    const auto half = folder / "half" / "checkpoint_final.h5";
    EXPECT_EQ(whole.coefficients, run(folder, text, {}, {.device = device, .restart = half}).coefficients);
  }
}

/// From where time is accurate again, what leaves is accounted for.
TEST(LocalSteps, LeadToARunThatIsAccurateInTime) {
  Folder folder;
  write_graded_square(folder, 5, mesh::CellStyle::random_triangles);
  const std::string text = layers(1, "cfl = 0.5\nsteady = 1e-12\nmax_steps = 60\n");
  run(folder, text, {"time.local=true", "time.max_steps=30"});
  const auto half = folder / "half.h5";
  std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
  const Outcome result = run(folder, text, {}, {.device = "cpu", .restart = half});
  EXPECT_TRUE(result.report.time.accurate);
  for (const auto& c : result.report.conservation) {
    EXPECT_GT(std::abs(c.boundary_flux), 1e-9) << c.variable;
    EXPECT_LT(std::abs(c.defect), 1e-13) << c.variable;
  }
}

TEST(LocalSteps, PlanTheirMemory) {
  for (const bool viscous : {false, true}) {
    Folder folder;
    write_graded_square(folder, 5, mesh::CellStyle::random_triangles);
    for (const std::string& device : devices()) {
      Silent silent;
      const std::string text = viscous ? couette("steady = 1e-8\n") : layers(3, "cfl = 0.8\nsteady = 1e-9\n");
      solver::Simulation simulation(settings(folder, text, {"time.local=true"}), {.device = device}, silent);
      EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used()) << device;
    }
  }
}

/// A failing stage is found although the steps differ: repeated stages take the same steps.
TEST(LocalSteps, ThatFailSayWhere) {
  Folder folder;
  write_graded_square(folder, 6, mesh::CellStyle::random_triangles);
  const Outcome result = run(folder, layers(2, "cfl = 6\nsteady = 1e-9\nlocal = true\n"));
  ASSERT_EQ(result.report.status, "failed");
  ASSERT_TRUE(result.report.failure);
  EXPECT_GT(result.report.failure->stage, 0);
  EXPECT_NE(result.report.failure->step_set_by.find("local steps"), std::string::npos);
  EXPECT_NEAR(result.report.failure->dt, 6 * result.report.failure->local_step_limit, 1e-12);
}

TEST(LocalSteps, OnTheGpuAgreeWithTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  write_graded_square(folder, 8, mesh::CellStyle::random_triangles);
  for (const int order : {1, 3}) {
    const std::string text = layers(order, "cfl = 0.8\nsteady = 1e-12\nlocal = true\nmax_steps = 100\n");
    const Outcome cpu = run(folder, text), gpu = run(folder, text, {}, {.device = "cuda"});
    EXPECT_LT(relative_difference(cpu.coefficients, gpu.coefficients), 1e-12);
  }
}

}  // namespace
}  // namespace galerna::tests
