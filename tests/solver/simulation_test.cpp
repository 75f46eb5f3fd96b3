#include "solver/run/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "case_names.hpp"
#include "device/device.hpp"
#include "dg/curved_meshes.hpp"
#include "files/checkpoint.hpp"
#include "mesh/validity.hpp"
#include "solver/problem.hpp"
#include "solver/run/failure.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string wave_case(int order, const std::string& time) {
  return std::string(periodic_square) + density_wave + "[discretization]\norder = " + std::to_string(order) +
         "\n[time]\n" + time;
}

/// Of the density in a periodic box, whose content stays the same.
double density_error(const Folder& folder, int order, int refine) {
  const std::string cfl = order < 4 ? "0.5" : "0.15";  // keeps the error of fourth-order steps below that of the mesh
  const files::Report report = run(folder, wave_case(order, "scheme = \"ssprk54\"\ncfl = " + cfl + "\nend = 0.1\n"),
                                   {"mesh.refine=" + std::to_string(refine), "discretization.riemann=hllc"})
                                   .report;
  for (const auto& c : report.conservation) EXPECT_LT(std::abs(c.end - c.start), 1e-12 * std::abs(c.start));
  return report.errors.at(0).l2;
}

class OrderOfAccuracy : public ::testing::TestWithParam<int> {};

TEST_P(OrderOfAccuracy, OnIrregularTrianglesIsAtLeastTheDegreePlusOne) {
  const int p = GetParam();
  Folder folder;
  write_square(folder, 12);
  const double coarse = density_error(folder, p, 0), fine = density_error(folder, p, 1);
  EXPECT_GE(std::log2(coarse / fine), p + 0.8) << coarse << " " << fine;
}
INSTANTIATE_TEST_SUITE_P(QuickDegrees, OrderOfAccuracy, ::testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, OrderOfAccuracy, ::testing::Range(2, 5), CaseName{});

class EveryFlux : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryFlux, KeepsUniformFlowOnAnIrregularMesh) {
  Folder folder;
  write_square(folder, 8);
  const std::string state = "density = 1.2\nvelocity_x = 0.4\nvelocity_y = -0.3\npressure = 0.9\n";
  const Outcome result =
      run(folder,
          "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 4\nriemann = \"" +
              GetParam() + "\"\n[time]\ncfl = 0.8\nend = 0.3\n[initial]\n" + state + "[exact]\n" + state +
              "[boundary.left]\ntype = \"far-field\"\n" + state + "[boundary.right]\ntype = \"dirichlet\"\n" + state +
              "[boundary.top]\ntype = \"subsonic-inflow\"\ntotal_pressure = \"0.9*(1 + 0.2*0.25*1.2/(1.4*0.9))^3.5\"\n"
              "total_temperature = \"0.75*(1 + 0.2*0.25*1.2/(1.4*0.9))\"\ndirection_x = 4\ndirection_y = -3\n"
              "[boundary.bottom]\ntype = \"subsonic-outflow\"\npressure = 0.9\n[output]\nsolution = false\n");
  EXPECT_EQ(result.report.status, "done");
  for (const auto& error : result.report.errors) EXPECT_LT(error.linf, 1e-12) << error.variable;
}
INSTANTIATE_TEST_SUITE_P(Fluxes, EveryFlux, ::testing::Values("llf", "hllc", "roe"), CaseName{});

TEST(Simulation, ConservesMassMomentumAndEnergyInAPeriodicBox) {
  Folder folder;
  write_square(folder, 10);
  const Outcome result = run(folder, wave_case(3, "cfl = 0.8\nend = 0.3\n"));
  for (const auto& c : result.report.conservation)
    EXPECT_LT(std::abs(c.end - c.start), 1e-12 * std::abs(c.start)) << c.variable;
}

TEST(Simulation, AccountsForWhatLeavesThroughTheBoundary) {
  Folder folder;
  write_square(folder, 8);
  const std::string state = "density = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\npressure = 1\n";
  std::string text = std::string("[mesh]\nfile = \"square.msh\"\n") + density_wave +
                     "[discretization]\norder = 2\n[time]\ncfl = 0.8\nend = 0.2\n";
  for (const char* side : {"left", "right", "top", "bottom"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + state;
  for (const auto& c : run(folder, text).report.conservation)
    EXPECT_LT(std::abs(c.defect), 1e-12 * (1 + std::abs(c.start))) << c.variable;
}

TEST(Simulation, ReportsKineticEnergyAndDistanceFromAnEntropy) {
  Folder folder;
  write_square(folder, 4);
  // Of a uniform stream, p/ρ^γ being twice that of the reference.
  const std::string text = wave_case(2, "cfl = 0.8\nend = 0.01\n") + "[output.entropy]\ndensity = 1\npressure = 0.5\n";
  const files::Report report = run(folder, text, {"initial.density=1"}).report;
  EXPECT_NEAR(report.kinetic_energy.value(), 0.5 * 1.25, 1e-13);
  for (const char* norm : {"l1", "l2", "l1_normalized", "l2_normalized"})
    EXPECT_NEAR(report.entropy_error.at(norm), 1, 1e-12) << norm;
}

TEST(Simulation, RepeatsItselfBitForBit) {
  Folder folder;
  write_square(folder, 8);
  const std::string text = wave_case(3, "cfl = 0.8\nend = 0.1\n");
  EXPECT_EQ(run(folder, text).coefficients, run(folder, text).coefficients);
}

TEST(Simulation, AdvancedInPartsIsThatOfOneRun) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = wave_case(1, "cfl = 0.5\nend = 0.1\n") + "[output.monitor]\ninterval = 0.04\n";
  const Outcome whole = run(folder, text);
  Silent silent;
  solver::Simulation simulation(settings(folder, text), {.device = "cpu"}, silent);
  solver::Ending ending = simulation.begin();
  int stops = 0;
  for (; ending == solver::Ending::none; ++stops) ending = simulation.advance();
  EXPECT_EQ(ending, solver::Ending::done);
  EXPECT_GE(stops, 3) << "0.04, 0.08 and the end";
  EXPECT_EQ(simulation.flow().control().time, 0.1);
  const files::Report report = simulation.finish(ending);
  EXPECT_EQ(report.status, whole.report.status);
  EXPECT_EQ(simulation.flow().solution().coefficients(), whole.coefficients);
}

// With everything in it that a step leaves behind: boundary fluxes, counts of the limiter, the state before the step.
TEST(Simulation, IsUntouchedByAProfileOfItsKernels) {
  Folder folder;
  write_square(folder, 8);
  const std::string state = "density = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\npressure = 1\n";
  std::string text = std::string("[mesh]\nfile = \"square.msh\"\n") + density_wave +
                     "[discretization]\norder = 1\n[shock]\nlimiter = \"barth-jespersen\"\n[time]\n"
                     "scheme = \"ssprk33\"\ncfl = 0.3\nend = 1\nsteady = 1e-12\n";
  for (const char* side : {"left", "right", "top", "bottom"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + state;
  struct Trace {
    std::vector<double> coefficients, flux;
    std::array<double, 2> limited;
    time::ControllerState controller;
    bool operator==(const Trace&) const = default;
  };
  const auto run_with = [&](const std::string& device, bool profiled) {
    Silent silent;
    solver::Simulation simulation(settings(folder, text), {.device = device}, silent);
    time::Stepper& stepper = simulation.flow().stepper();
    dg::FlowOperator& d = simulation.flow().discretization();
    const auto trace = [&] {
      return Trace{d.states().read(stepper.state()), d.boundary_flux(), d.limiter_counts(),
                   time::Stepper::controller_state(stepper.control())};
    };
    stepper.set_stop(1, 1000);
    stepper.advance(16);
    const Trace before = trace();
    if (profiled) {
      const auto times = stepper.profile_step();
      EXPECT_EQ(times.at("limit").launches, 3);
      EXPECT_GT(times.at("residual_2_1").seconds, 0);
      EXPECT_EQ(trace(), before);
    }
    stepper.advance(16);
    return trace();
  };
  for (const std::string& device : devices()) EXPECT_EQ(run_with(device, true), run_with(device, false)) << device;
}

class Restart : public ::testing::TestWithParam<std::string> {};

TEST_P(Restart, ContinuesBitForBit) {
  Folder folder;
  write_square(folder, 8);
  const std::string text = wave_case(3, GetParam() + "end = 0.2\n") +
                           "[output.checkpoint]\ninterval = 0.1\n[output.integral.roughness]\n"
                           "formula = \"schlieren^2 + exp(x)*density*t\"\n";
  const Outcome whole = run(folder, text);
  const auto half = folder / "out/half.h5";
  run(folder, text, {"time.end=0.1"});
  std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
  const Outcome continued = run(folder, text, {}, {.device = "cpu", .restart = half});
  EXPECT_EQ(continued.coefficients, whole.coefficients);
  EXPECT_EQ(continued.report.time.steps, whole.report.time.steps);
  EXPECT_EQ(continued.report.integrals, whole.report.integrals);
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_EQ(continued.report.conservation[v].start, whole.report.conservation[v].start);
}
INSTANTIATE_TEST_SUITE_P(Steps, Restart,
                         ::testing::Values("cfl = 0.8\n", "step = 1e-3\n", "scheme = \"ssprk43\"\ntolerance = 1e-7\n"),
                         CaseName{});

TEST(Simulation, ContinuesFromAnotherDegree) {
  Folder folder;
  write_square(folder, 8);
  run(folder, wave_case(2, "cfl = 0.8\nend = 0.1\n"));
  const auto file = folder / "out/start.h5";
  std::filesystem::rename(folder / "out/checkpoint_final.h5", file);
  const Outcome result = run(folder, wave_case(4, "cfl = 0.8\nend = 0.2\n"), {}, {.device = "cpu", .restart = file});
  EXPECT_EQ(result.report.status, "done");
  EXPECT_LT(result.report.errors.at(0).l2, 1.5e-3);
}

TEST(Simulation, RefusesACheckpointOfAnotherMesh) {
  Folder folder;
  write_square(folder, 8);
  run(folder, wave_case(1, "cfl = 0.8\nend = 0.1\n"));
  const auto file = folder / "out/start.h5";
  std::filesystem::rename(folder / "out/checkpoint_final.h5", file);
  write_square(folder, 9);
  try {
    run(folder, wave_case(1, "cfl = 0.8\nend = 0.2\n"), {}, {.device = "cpu", .restart = file});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the checkpoint is of another mesh"), std::string::npos) << error.what();
  }
}

TEST(Simulation, ThatBlowsUpSaysWhereAndKeepsTheLastGoodState) {
  Folder folder;
  write_square(folder, 8);
  const Outcome result = run(folder, wave_case(3, "cfl = 10\nend = 10\n"));
  EXPECT_EQ(result.report.status, "failed");
  ASSERT_TRUE(result.report.failure.has_value());
  const files::Failure& failure = *result.report.failure;
  EXPECT_GE(failure.element, 0);
  EXPECT_GT(failure.where[0], 0);
  EXPECT_LT(failure.where[0], 1);
  EXPECT_NE(failure.what.find("in element"), std::string::npos);
  ASSERT_FALSE(failure.advice.empty());
  EXPECT_NE(failure.advice[0].find("time.cfl = 10"), std::string::npos) << failure.advice[0];
  const files::Checkpoint good = files::read_checkpoint(folder / "out/checkpoint_last_good.h5");
  EXPECT_LE(good.time, failure.time);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/failed.vtu"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/failed_neighbourhood.vtu"));
}

TEST(Simulation, ThatIsInterruptedLeavesACheckpointToContinueFrom) {
  Folder folder;
  write_square(folder, 8);
  const std::string text = wave_case(2, "cfl = 0.8\nend = 1\n");
  const Outcome whole = run(folder, text);
  const Outcome stopped = run(folder, text, {}, {.device = "cpu"}, 0);
  EXPECT_EQ(stopped.report.status, "interrupted");
  EXPECT_LT(stopped.report.time.t, 1);
  const Outcome continued =
      run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_interrupted.h5"});
  EXPECT_EQ(continued.coefficients, whole.coefficients);
}

TEST(Simulation, ThatIsInterruptedComputesNothingMore) {
  Folder folder;
  write_square(folder, 8);
  Silent silent(0);
  solver::Simulation simulation(settings(folder, wave_case(1, "cfl = 0.8\nend = 1\n")), {.device = "cpu"}, silent);
  const files::Report report = simulation.run();
  EXPECT_EQ(report.status, "interrupted");
  EXPECT_GT(report.time.steps, 0);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_TRUE(report.conservation.empty());
  EXPECT_TRUE(silent.work.empty()) << silent.work[0];
}

TEST(Simulation, AdvisesHalfOfTheStepOnCurvedElements) {
  Folder folder;
  write_square(folder, 2);
  const case_file::Settings straight = settings(folder, wave_case(1, "cfl = 0.8\nend = 1\n"));
  mesh::Mesh mesh = curved_mixture(4, 2);
  solver::BadElement bad;
  const auto says_curved = [&] {
    const std::vector<std::string> advice = solver::advice(straight, mesh, bad);
    return std::any_of(advice.begin(), advice.end(),
                       [](const std::string& line) { return line.starts_with("the element is curved"); });
  };
  for (bad.element = 0; !mesh::is_curved(mesh, bad.element); ++bad.element) ASSERT_LT(bad.element, 10);
  EXPECT_TRUE(says_curved());
  mesh = solver::make_mesh(straight);
  bad.element = 0;
  EXPECT_FALSE(says_curved());
}

TEST(Simulation, RefusesAnInitialStateThatIsNotPhysical) {
  Folder folder;
  write_square(folder, 4);
  try {
    run(folder, wave_case(1, "cfl = 0.8\nend = 0.1\n"), {"initial.pressure=\"x - 0.5\""});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the initial state is not physical: pressure"), std::string::npos)
        << error.what();
  }
}

TEST(Simulation, NamesABoundaryOfAnElementOnce) {
  Folder folder;
  std::filesystem::copy_file(std::filesystem::path(GALERNA_SOURCE_DIR) / "tests/mesh/data/plane-order1-41.msh",
                             folder / "square.msh");
  std::string text = std::string(density_wave) + "[mesh]\nfile = \"square.msh\"\n[discretization]\norder = 1\n" +
                     "[time]\nscheme = \"ssprk33\"\ncfl = 0.4\nmax_steps = 1\n";
  for (const std::string side : {"bottom", "rest"}) text += "[boundary." + side + "]\ntype = \"supersonic-outflow\"\n";
  try {
    run(folder, text, {"initial.pressure=-1"});
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("beside boundary rest"), std::string::npos) << what;
    EXPECT_EQ(what.find("beside boundary rest"), what.rfind("beside boundary rest")) << what;
  }
}

TEST(Simulation, InSinglePrecisionAgreesToSinglePrecision) {
  Folder folder;
  write_square(folder, 8);
  const std::string text = wave_case(3, "cfl = 0.8\nend = 0.1\n");
  const Outcome twice = run(folder, text);
  const Outcome once = run(folder, text, {}, {.device = "cpu", .precision = device::Precision::single_precision});
  EXPECT_LT(relative_difference(twice.coefficients, once.coefficients), 1e-5);
  EXPECT_GT(relative_difference(twice.coefficients, once.coefficients), 1e-9);
}

TEST(Simulation, OnTheGpuAgreesWithTheCpuAndRepeatsItself) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  for (int order = 1; order <= 5; ++order) {
    Folder folder;
    write_square(folder, 10);
    const std::string text = wave_case(order, "step = 2e-4\nend = 0.02\n");
    const Outcome cpu = run(folder, text), gpu = run(folder, text, {}, {.device = "cuda"}),
                  again = run(folder, text, {}, {.device = "cuda"});
    EXPECT_EQ(cpu.report.time.steps, 100);
    EXPECT_LT(relative_difference(cpu.coefficients, gpu.coefficients), 1e-12) << "p = " << order;
    EXPECT_EQ(gpu.coefficients, again.coefficients);
  }
}

TEST(Simulation, OnTheGpuRestartsBitForBit) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  write_square(folder, 8);
  const std::string text = wave_case(3, "cfl = 0.8\nend = 0.2\n") + "[output.checkpoint]\ninterval = 0.1\n";
  const Outcome whole = run(folder, text, {}, {.device = "cuda"});
  run(folder, text, {"time.end=0.1"}, {.device = "cuda"});
  const auto half = folder / "out/half.h5";
  std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
  EXPECT_EQ(run(folder, text, {}, {.device = "cuda", .restart = half}).coefficients, whole.coefficients);
}

}  // namespace
}  // namespace galerna::tests
