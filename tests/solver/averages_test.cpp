// Time means of the flow and of forces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string wave_case(const std::string& time, const std::string& more) {
  return std::string(periodic_square) + density_wave +
         "[discretization]\norder = 3\nriemann = \"hllc\"\n[time]\nend = 0.5\n" + time + more;
}

struct Means {
  files::Report report;
  std::vector<double> state, mean;
};

Means run_to_mean(const Folder& folder, const std::string& text, const std::vector<std::string>& set = {},
                  const solver::RunOptions& options = {.device = "cpu"}) {
  Silent silent;
  solver::Simulation simulation(settings(folder, text, set), options, silent);
  Means result{simulation.run(), simulation.flow().solution().coefficients(), {}};
  if (const auto mean = simulation.flow().mean()) result.mean = mean->coefficients();
  return result;
}

/// Density of every element from [element][variable][mode] of degree 3.
std::vector<double> density(const std::vector<double>& coefficients) {
  std::vector<double> result;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    if (i / 10 % 4 == 0) result.push_back(coefficients[i]);
  return result;
}

/// Whatever chooses the steps; where error control rejects some of them, too.
TEST(Averages, AreThoseOfATravellingWave) {
  Folder folder;
  write_square(folder, 8);
  // (1/T) ∫ of the wave from 0.2 to 0.5.
  const std::string exact =
      "1 + 0.2/0.3*0.5*((cos(2*pi*(x + y) - 1.5*pi) - cos(2*pi*(x + y) - 0.6*pi))/(3*pi)"
      " + (cos(2*pi*(x - y) - 0.5*pi) - cos(2*pi*(x - y) - 0.2*pi))/pi)";
  const Means expected =
      run_to_mean(folder, wave_case("step = 1e-12\n", ""), {"initial.density=\"" + exact + "\"", "time.max_steps=1"});
  for (const std::string& device : devices())
    for (const char* time : {"cfl = 0.5\n", "step = 0.003\n", "scheme = \"ssprk43\"\ntolerance = 1e-4\n"}) {
      const Means found =
          run_to_mean(folder, wave_case(time, "[output.averages]\nstart = 0.2\n"), {}, {.device = device});
      EXPECT_EQ(found.report.averages->start, 0.2);
      EXPECT_NEAR(found.report.averages->duration, 0.3, 1e-14);
      EXPECT_LT(relative_difference(density(expected.state), density(found.mean)), 5e-4) << device << ": " << time;
    }
}

/// Mass does not change, nor does its mean: the weights of all states add up to the duration, rejected steps or not.
TEST(Averages, OfConstantsAreTheConstants) {
  Folder folder;
  write_square(folder, 5);
  for (const char* time : {"cfl = 0.5\n", "scheme = \"ssprk43\"\ntolerance = 1e-3\n"}) {
    Silent silent;
    solver::Simulation simulation(
        settings(folder, wave_case(time, "[output.averages]\n[output.monitor]\ninterval = 0.07\n")), {.device = "cpu"},
        silent);
    const files::Report report = simulation.run();
    EXPECT_EQ(report.time.rejected > 0, std::string(time).find("tolerance") != std::string::npos);
    const solver::FlowState& flow = simulation.flow();
    const auto now = flow.integrals();
    const std::vector<double> mean = flow.mean()->coefficients();
    flow.write(flow.stepper().state(), mean, flow.degree());
    const auto of_mean = flow.integrals();
    for (std::size_t v = 0; v < now.size(); ++v) EXPECT_NEAR(now[v], of_mean[v], 1e-12);
  }
}

/// Stopped before the means begin, and after.
TEST(Averages, ContinueBitForBit) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_square(folder, 6);
    for (const char* time : {"cfl = 0.5\n", "scheme = \"ssprk43\"\ntolerance = 1e-5\n"}) {
      const std::string text = wave_case(time, "[output.averages]\nstart = 0.02\n");
      const Means whole = run_to_mean(folder, text, {}, {.device = device});
      for (const int steps : {2, 25}) {
        const auto half = folder / "half.h5";
        const Means stopped =
            run_to_mean(folder, text, {"time.max_steps=" + std::to_string(steps)}, {.device = device});
        EXPECT_EQ(stopped.mean.empty(), steps == 2);
        std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
        const Means continued = run_to_mean(folder, text, {}, {.device = device, .restart = half});
        EXPECT_EQ(continued.state, whole.state);
        EXPECT_EQ(continued.mean, whole.mean) << device << ": " << time << steps;
        EXPECT_EQ(continued.report.averages->start, 0.02);
      }
    }
  }
}

TEST(Averages, AreNoneBeforeTheirStart) {
  Folder folder;
  write_square(folder, 4);
  const Means result = run_to_mean(folder, wave_case("cfl = 0.5\nmax_steps = 3\n", "[output.averages]\nstart = 0.4\n"));
  EXPECT_FALSE(result.report.averages);
  EXPECT_TRUE(result.mean.empty());
}

TEST(Averages, PlanTheirMemoryAndAreWritten) {
  Folder folder;
  write_square(folder, 5);
  for (const std::string& device : devices()) {
    Silent silent;
    solver::Simulation simulation(settings(folder, wave_case("cfl = 0.5\n", "[output.averages]\n"), {"time.end=0.1"}),
                                  {.device = device}, silent);
    EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used());
    simulation.run();
    EXPECT_TRUE(std::filesystem::exists(folder / "out/average.vtu"));
  }
}

/// A gas whose pressure swings between two walls pushes the right one with p ds, up and down about a mean.
TEST(Averages, OfForcesAreThoseOfTheSamples) {
  Folder folder;
  write_square(folder, 5);
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n[time]\ncfl = 0.5\n"
      "end = 1\n[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = \"1 + 0.1*cos(pi*x)\"\n"
      "[output]\nsolution = false\n[output.averages]\nstart = 0.25\n[output.monitor]\ninterval = 0.05\n"
      "[output.forces]\ndensity = 1\nvelocity = 1\nlength = 2\npressure = 1\n";
  for (const char* side : {"left", "right", "bottom", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"slip-wall\"\n";
  const Means result = run_to_mean(folder, text);
  std::ifstream file(folder / "out/monitor.csv");
  std::string line, name;
  std::getline(file, line);
  std::istringstream names(line);
  int column = 0;
  while (std::getline(names, name, ',') && name != "force_right_x") ++column;
  std::vector<double> forces;
  while (std::getline(file, line)) {
    std::istringstream row(line);
    std::vector<double> values;
    for (std::string value; std::getline(row, value, ',');) values.push_back(std::stod(value));
    if (values[1] > 0.24) forces.push_back(values[static_cast<std::size_t>(column)]);
  }
  ASSERT_EQ(forces.size(), 16u);
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const double weight = (i == 0 || i + 1 == forces.size() ? 0.5 : 1) / 15;
    mean += weight * forces[i];
    square += weight * forces[i] * forces[i];
  }
  const auto& all = result.report.averages->coefficients;
  ASSERT_EQ(all.size(), 5u);
  const auto right = std::find_if(all.begin(), all.end(), [](const auto& c) { return c.boundary == "right"; });
  EXPECT_NEAR(right->drag.mean, mean, 1e-8);  // ½ρU²L = 1
  EXPECT_NEAR(right->drag.rms, std::sqrt(square - mean * mean), 1e-7);
  EXPECT_GT(right->drag.rms, 0.01);
}

TEST(Averages, OnTheGpuAgreeWithTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  write_square(folder, 8);
  const std::string text = wave_case("cfl = 0.5\n", "[output.averages]\nstart = 0.2\n");
  const Means cpu = run_to_mean(folder, text), gpu = run_to_mean(folder, text, {}, {.device = "cuda"});
  EXPECT_LT(relative_difference(cpu.mean, gpu.mean), 1e-12);
}

}  // namespace
}  // namespace galerna::tests
