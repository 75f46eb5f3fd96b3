// Equations of users on all elements in the plane, with diffusion: the shipped case of advection and diffusion.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "case_names.hpp"
#include "compiles.hpp"
#include "solver/case_programs.hpp"
#include "solver/mixtures.hpp"
#include "solver/problem.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

const fs::path cases = fs::path(GALERNA_SOURCE_DIR) / "cases";

/// The shipped case, its header in the folder; square.msh is the test's.
std::string shipped(const Folder& folder) {
  fs::copy_file(cases / "advection-diffusion/advection_diffusion.hpp", folder / "advection_diffusion.hpp");
  return text_of(cases / "advection-diffusion/case.toml");
}

/// The same on a mixture, with a longer wave, given on the rim.
std::string on_mixture(const Folder& folder) {
  std::string text = shipped(folder);
  const std::size_t wave = text.find("wave = ");
  text.replace(wave, text.find('\n', wave) - wave, "wave = \"exp(-18*kappa*t)*sin(3*(x - t))*cos(3*y)\"");
  text.erase(text.find("[boundary.left]"));
  return text + "[boundary.rim]\ntype = \"dirichlet\"\nconcentration = \"wave\"\n";
}

std::string with_source(const Folder& folder) {
  return on_mixture(folder) + "[source]\nconcentration = \"-concentration*x + sin(t)\"\n";
}

std::string order_is(int p) {
  return "discretization.order=" + std::to_string(p);
}

class DiffusionDegree : public ::testing::TestWithParam<int> {};

TEST_P(DiffusionDegree, ConvergesOnCurvedMixtures) {
  const int p = GetParam();
  const auto error = [&](mesh::Index n) {
    Folder folder;
    write_mixture(folder, n, p < 3 ? 2 : 3);
    return run(folder, on_mixture(folder), {order_is(p), "time.end=0.1", "time.cfl=0.8"}).report.errors.at(0).l2;
  };
  const double coarse = error(p < 4 ? 8 : 5), fine = error(p < 4 ? 16 : 10), found = std::log2(coarse / fine);
  RecordProperty("order", std::to_string(found));
  EXPECT_GE(found, p + 0.8) << coarse << " " << fine;
}
INSTANTIATE_TEST_SUITE_P(UserEquations, DiffusionDegree, ::testing::Range(1, 5), CaseName{});

TEST(UserDiffusion, StopsAtInsulatedWalls) {
  const auto errors = [](int n) {
    Folder folder;
    write_square(folder, n, mesh::CellStyle::quadrilaterals, 0.1);
    const Outcome result = run(folder, shipped(folder), {order_is(2), "time.end=0.1", "time.cfl=0.8"});
    EXPECT_LT(std::abs(result.report.conservation.at(0).defect), 1e-12);
    return result.report.errors.at(0).l2;
  };
  EXPECT_GE(std::log2(errors(6) / errors(12)), 2.8);
}

TEST(UserDiffusion, LimitsTheStep) {
  Folder folder;
  write_square(folder, 2, mesh::CellStyle::quadrilaterals, 0);
  const std::string text = shipped(folder);
  const auto step = [&](const std::string& velocity, const std::string& diffusivity) {
    const Outcome result = run(folder, text,
                               {order_is(1), "time.max_steps=1", "equations.parameters.velocity_x=" + velocity,
                                "equations.parameters.diffusivity=" + diffusivity});
    return result.report.time.dt;
  };
  // 1 / dt is the sum of a part by the speed and one by the diffusivity.
  const double still = step("0", "0.01");
  EXPECT_NEAR(step("0", "0.02"), still / 2, 1e-12 * still);
  EXPECT_NEAR(1 / step("1", "0.01"), 1 / still + 3 / (0.5 * 0.5), 1e-9 / still);  // (2p + 1) |a| / (cfl h)
}

TEST(UserDiffusion, ContinuesWithSourcesFromACheckpointBitForBitAndPlansItsMemory) {
  Folder folder;
  write_mixture(folder, 5, 2);
  const std::string text = with_source(folder);
  const Outcome whole = run(folder, text, {order_is(2), "time.max_steps=20"});
  run(folder, text, {order_is(2), "time.max_steps=7", "output.directory=\"" + (folder / "half").string() + "\""});
  const solver::RunOptions restart = {.device = "cpu", .restart = folder / "half" / "checkpoint_final.h5"};
  EXPECT_EQ(whole.coefficients, run(folder, text, {order_is(2), "time.max_steps=20"}, restart).coefficients);
  Silent silent;
  solver::Simulation simulation(settings(folder, text, {order_is(2)}), {.device = "cpu"}, silent);
  EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used());
}

/// What a run says that is refused.
std::string refusal(const Folder& folder, const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    run(folder, text, set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "was accepted";
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "got: " << text;
}

TEST(UserDiffusion, WithoutItsFunctionsIsRefused) {
  const std::string header = text_of(cases / "advection-diffusion/advection_diffusion.hpp");
  const auto without = [&](const std::string& function) {
    Folder folder;
    write_mixture(folder, 2, 2);
    const std::string text = on_mixture(folder);
    std::string changed = header;
    changed.replace(changed.find(" " + function + "("), function.size() + 1, " other");
    std::ofstream(folder / "advection_diffusion.hpp") << changed;
    return refusal(folder, text);
  };
  expect_in(without("viscous_flux"), "AdvectionDiffusion needs viscous_flux(u, gradients, a)");
  expect_in(without("largest_diffusivity"), "AdvectionDiffusion needs largest_diffusivity(u)");
}

TEST(UserDiffusion, IsLimitedOnStraightTrianglesOnly) {
  Folder folder;
  write_square(folder, 2);
  const std::string shock = "[shock]\nlimiter = \"barth-jespersen\"\n", text = shipped(folder) + shock;
  EXPECT_EQ(run(folder, text, {order_is(1), "time.max_steps=3"}).report.status, "step limit");
  Folder curved;
  write_mixture(curved, 2, 2);
  expect_in(refusal(curved, on_mixture(curved) + shock, {order_is(1)}), "limits slopes on straight triangles only");
}

/// Water that comes to rest by friction: dv/dt = −v/2 in a uniform stream.
TEST(UserEquations, WithASourceRunOnCurvedMixtures) {
  Folder folder;
  write_mixture(folder, 4, 3);
  const std::string stream = "depth = 2\nmomentum_x = \"2*exp(-t/2)\"\nmomentum_y = \"-exp(-t/2)\"\n";
  const std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"user\"\nheader = \"" +
      (cases / "shallow-water/shallow_water.hpp").string() +
      "\"\nname = \"ShallowWater\"\nvariables = [\"depth\", \"momentum_x\", \"momentum_y\"]\n"
      "[equations.parameters]\ngravity = 9.81\n[discretization]\norder = 2\n[time]\nstep = 0.002\nend = 0.2\n"
      "[output]\nsolution = false\n[initial]\n" +
      stream + "[exact]\n" + stream + "[boundary.rim]\ntype = \"dirichlet\"\n" + stream +
      "[source]\nmomentum_x = \"-momentum_x/2\"\nmomentum_y = \"-momentum_y/2\"\n";
  for (const auto& error : run(folder, text).report.errors) EXPECT_LT(error.linf, 1e-8) << error.variable;
}

TEST(UserDiffusion, CompilesForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  Folder folder;
  write_mixture(folder, 3, 2);
  const std::string text = with_source(folder);
  for (const int p : {0, 1})  // the text is the same for all others
    for (const auto& program :
         solver::make_programs(settings(folder, text, {order_is(p)}), {device::Kind::cuda, device::cuda_lanes, true},
                               device::Precision::double_precision))
      tests::expect_compiles(program, "sm_90");
}

TEST(UserDiffusion, OnTheGpuAgreesWithTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  write_mixture(folder, 5, 2);
  const std::string text = with_source(folder);
  for (const int p : {1, 3}) {
    const std::vector<std::string> set = {order_is(p), "time.max_steps=20"};
    EXPECT_LT(relative_difference(run(folder, text, set).coefficients,
                                  run(folder, text, set, {.device = "cuda"}).coefficients),
              1e-11);
  }
}

}  // namespace
}  // namespace galerna::tests
