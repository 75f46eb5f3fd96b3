// What a run does and says when its flow is not physical any more.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "files/checkpoint.hpp"
#include "solver/run/recovery.hpp"
#include "solver/runs.hpp"
#include "time/schemes.hpp"

namespace galerna::tests {
namespace {

/// Pressures 10 and 0.1 side by side in a stream, limited but not kept positive: at the jump the first steps are too
/// long with this cfl, later ones are not. Everything flows in and out through the boundaries.
std::string jump(const std::string& time = "scheme = \"ssprk33\"\ncfl = 1.2\n", const std::string& more = "") {
  const std::string state =
      "density = \"where(x < 0.5, 1, 0.125)\"\nvelocity_x = 0.5\nvelocity_y = 0.25\n"
      "pressure = \"where(x < 0.5, 10, 0.1)\"\n";
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\nriemann = \"llf\"\n"
      "[shock]\nlimiter = \"barth-jespersen\"\npositivity = false\n[time]\nend = 0.05\n" +
      time + "[initial]\n" + state + "[output]\nsolution = false\n" + more;
  for (const char* side : {"left", "right", "top", "bottom"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + state;
  return text;
}

/// A smooth wave with steps beyond any stability limit.
std::string wave(const std::string& time) {
  return std::string(periodic_square) + density_wave + "[discretization]\norder = 2\n[time]\nend = 10\n" + time;
}

class Recovering : public ::testing::Test {
 protected:
  Recovering() { write_square(folder_, 12); }

  files::Report run_heard(const std::string& text, const std::vector<std::string>& set = {}) {
    Silent silent;
    solver::Simulation simulation(settings(folder_, text, set), {.device = "cpu"}, silent);
    const files::Report report = simulation.run();
    for (const std::string& message : silent.messages) heard_ += message + "\n";
    return report;
  }
  bool heard(const std::string& text) const { return heard_.find(text) != std::string::npos; }

  Folder folder_;
  std::string heard_;
};

TEST_F(Recovering, SurvivesWhatItOtherwiseDoesNot) {
  EXPECT_EQ(run(folder_, jump()).report.status, "failed");
  const files::Report report = run_heard(jump(), {"time.recover=5"});
  EXPECT_EQ(report.status, "done") << heard_;
  EXPECT_GE(report.recoveries, 1);
  EXPECT_LE(report.recoveries, 5);
  EXPECT_TRUE(heard("recovery 1 of 5: back to t = 0, step 0; on with cfl = 0.6")) << heard_;
  EXPECT_TRUE(heard("back to the full step")) << heard_;
}

TEST_F(Recovering, ConservesToRoundOff) {
  const files::Report report = run_heard(jump(), {"time.recover=5"});
  ASSERT_GE(report.recoveries, 1);
  ASSERT_EQ(report.status, "done");
  for (const auto& c : report.conservation) {
    EXPECT_GT(std::abs(c.boundary_flux), 1e-4) << c.variable;
    EXPECT_LT(std::abs(c.defect), 1e-12 * (1 + std::abs(c.start))) << c.variable;
  }
}

TEST_F(Recovering, IsCountedBeyondARestart) {
  const files::Report whole = run_heard(jump(), {"time.recover=5"});
  const files::Report first = run_heard(jump(), {"time.recover=5", "time.end=0.03"});
  ASSERT_GE(first.recoveries, 1);
  Silent silent;
  const std::filesystem::path checkpoint = folder_ / "out/checkpoint_final.h5";
  solver::Simulation rest(settings(folder_, jump(), {"time.recover=5"}), {.device = "cpu", .restart = checkpoint},
                          silent);
  EXPECT_EQ(rest.run().recoveries, whole.recoveries);
}

TEST_F(Recovering, RepeatsItselfBitForBit) {
  const Outcome one = run(folder_, jump(), {"time.recover=5"}), two = run(folder_, jump(), {"time.recover=5"});
  EXPECT_GE(one.report.recoveries, 1);
  EXPECT_EQ(one.coefficients, two.coefficients);
  EXPECT_EQ(one.report.time.steps, two.report.time.steps);
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_EQ(one.report.conservation[v].boundary_flux, two.report.conservation[v].boundary_flux);
}

TEST_F(Recovering, WritesEveryOutputOnce) {
  const std::string outputs = "[output.monitor]\ninterval = 0.005\n";
  const files::Report report = run_heard(jump("scheme = \"ssprk33\"\ncfl = 1.6\n", outputs), {"time.recover=9"});
  ASSERT_GE(report.recoveries, 1);
  ASSERT_EQ(report.status, "done") << heard_;
  std::ifstream file(folder_ / "out/monitor.csv");
  std::string line;
  std::getline(file, line);
  int rows = 0;
  for (; std::getline(file, line); ++rows) {
    const double time = std::stod(line.substr(line.find(',') + 1));
    EXPECT_NEAR(time, 0.005 * rows, 1e-12);
  }
  EXPECT_EQ(rows, 11);
}

TEST_F(Recovering, WithFixedSteps) {
  const std::string time = "scheme = \"ssprk33\"\nstep = 1.6e-3\n";
  EXPECT_EQ(run(folder_, jump(time)).report.status, "failed");
  const files::Report report = run_heard(jump(time), {"time.recover=9"});
  EXPECT_EQ(report.status, "done") << heard_;
  EXPECT_GE(report.recoveries, 1);
  EXPECT_TRUE(heard("on with steps of 0.0008")) << heard_;
}

TEST_F(Recovering, GivesUpAfterSoManyTimes) {
  const files::Report report = run_heard(wave("cfl = 16\n"), {"time.recover=2"});
  EXPECT_EQ(report.status, "failed");
  EXPECT_EQ(report.recoveries, 2);
  EXPECT_TRUE(heard("recovery 2 of 2"));
  EXPECT_FALSE(heard("recovery 3"));
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_GT(report.failure->stage, 0);
  EXPECT_TRUE(heard("set by time.cfl = 4 and the limit")) << heard_;
}

TEST_F(Recovering, FailureSaysWhatCameBefore) {
  const files::Report report = run_heard(jump());
  ASSERT_EQ(report.status, "failed");
  const files::Failure& failure = *report.failure;
  EXPECT_EQ(failure.stages, 3);
  EXPECT_GE(failure.stage, 1);
  EXPECT_LE(failure.stage, 3);
  EXPECT_NE(failure.variable.find("pressure"), std::string::npos);
  EXPECT_GE(failure.element, 0);
  EXPECT_EQ(failure.step, report.time.steps);
  EXPECT_NEAR(failure.time, report.time.t, 1e-15);
  EXPECT_NEAR(failure.dt, report.time.dt, 1e-15);
  for (const char* name : {"density", "velocity_x", "velocity_y", "pressure", "smallest_density", "smallest_pressure"})
    ASSERT_TRUE(failure.values_before.count(name)) << name;
  EXPECT_GT(failure.values_before.at("smallest_pressure"), 0);
  EXPECT_LE(failure.values_before.at("smallest_density"), failure.values_before.at("density"));
  EXPECT_GT(failure.local_step_limit, 0);
  EXPECT_NE(failure.step_set_by.find("time.cfl = 1.2"), std::string::npos) << failure.step_set_by;
  EXPECT_TRUE(heard("in stage")) << heard_;
  EXPECT_TRUE(heard("before the step the element had density")) << heard_;
  EXPECT_TRUE(heard("times the element's own limit")) << heard_;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/failed_neighbourhood.vtu"));
}

TEST_F(Recovering, FailureWithFixedStepsIsThatOfTheFirstBadStep) {
  const files::Report report = run_heard(wave("scheme = \"ssprk33\"\nstep = 0.03\n"));
  ASSERT_EQ(report.status, "failed");
  const files::Failure& failure = *report.failure;
  EXPECT_GT(failure.stage, 0) << heard_;
  EXPECT_LE(failure.step, report.time.steps);
  EXPECT_GT(failure.dt, failure.local_step_limit);
  EXPECT_EQ(failure.step_set_by, "time.step = 0.03");
  // With just so many steps less the run is good.
  const std::string steps = "time.max_steps=" + std::to_string(failure.step - 1);
  EXPECT_EQ(run(folder_, wave("scheme = \"ssprk33\"\nstep = 0.03\n"), {steps}).report.status, "step limit");
}

TEST_F(Recovering, FailureAfterManyStepsIsRepeatedFromTheKeptState) {
  for (const char* step : {"cfl = 1.4\n", "step = 0.004\n"}) {
    heard_.clear();
    const files::Report report = run_heard(wave(step));
    ASSERT_EQ(report.status, "failed");
    EXPECT_GT(report.failure->step, 100) << step;
    EXPECT_GT(report.failure->stage, 0) << heard_;
    const files::Checkpoint good = files::read_checkpoint(folder_ / "out/checkpoint_last_good.h5");
    EXPECT_LT(good.step, report.failure->step);
  }
}

TEST_F(Recovering, GoesBackToAStateThatWasKeptByCountingSteps) {
  // An instability that grows slowly, and at half the step dies away.
  const files::Report report = run_heard(wave("cfl = 1.4\n"), {"time.recover=1", "time.end=3.2"});
  EXPECT_EQ(report.status, "done");
  EXPECT_EQ(report.recoveries, 1);
  EXPECT_TRUE(heard("step 256; on with cfl = 0.7")) << heard_;
  EXPECT_TRUE(heard("back to the full step")) << heard_;
}

TEST_F(Recovering, FailureIsFoundInEveryScheme) {
  for (const std::string& scheme : time::scheme_names()) {
    heard_.clear();
    const files::Report report = run_heard(wave("cfl = 8\n"), {"time.scheme=" + scheme});
    ASSERT_EQ(report.status, "failed") << scheme;
    EXPECT_GT(report.failure->stage, 0) << scheme << "\n" << heard_;
    EXPECT_EQ(report.failure->step, report.time.steps) << scheme;
  }
}

TEST_F(Recovering, ErrorControlledStepsRejectWhatIsNotANumber) {
  const files::Report report = run_heard(jump("scheme = \"ssprk43\"\ntolerance = 1\n"));
  EXPECT_GT(report.time.rejected, 0);
  if (report.status == "failed") {
    EXPECT_FALSE(report.failure->what.empty());
  }
  const files::Report again = run_heard(jump("scheme = \"ssprk43\"\ntolerance = 1\n"), {"time.recover=3"});
  EXPECT_TRUE(again.status == "done" || again.recoveries == 3) << heard_;
}

TEST_F(Recovering, StepsThatAreAllRejectedAreExplained) {
  // Sides of elements at the jump have negative pressures, so that every stage gives NaN.
  const files::Report report =
      run_heard(jump("scheme = \"ssprk43\"\ntolerance = 1\n"), {"initial.pressure=where(x < 0.5, 1e4, 0.1)"});
  ASSERT_EQ(report.status, "failed") << heard_;
  EXPECT_GT(report.time.rejected, 10);
  EXPECT_TRUE(heard("the time step fell to")) << heard_;
  EXPECT_TRUE(heard("a longer step gives not a number in")) << heard_;
  EXPECT_TRUE(heard("set by this trial")) << heard_;
  EXPECT_EQ(report.failure->time, report.time.t);
}

TEST(Recovery, CountsStepsAndNotSeconds) {
  solver::Recovery recovery(2);
  EXPECT_EQ(recovery.launch(100'000), 256);
  EXPECT_EQ(recovery.launch(24), 32);
  recovery.launched(32);
  EXPECT_FALSE(recovery.keeps(false));
  EXPECT_EQ(recovery.launch(100'000), 224);
  recovery.launched(224);
  EXPECT_TRUE(recovery.keeps(false));
  kernels::Control kept{}, failed{};
  kept.time = 1;
  failed.time = 1.5;
  recovery.begin(failed, kept);
  EXPECT_EQ(recovery.factor(), 0.5);
  EXPECT_EQ(recovery.until(), 2);
  EXPECT_EQ(recovery.launch(100'000), 16);
  EXPECT_FALSE(recovery.keeps(false));
  EXPECT_TRUE(recovery.keeps(true));
  failed.time = 1.6;
  recovery.begin(failed, kept);
  EXPECT_EQ(recovery.factor(), 0.25);
  EXPECT_FALSE(recovery.possible());
  kernels::Control later{};
  later.time = 3;
  EXPECT_FALSE(recovery.over(later));
  recovery.launched(64);
  EXPECT_TRUE(recovery.over(later));
  EXPECT_EQ(recovery.factor(), 1);
  EXPECT_TRUE(recovery.keeps(false));
  EXPECT_EQ(solver::Recovery(0).launch(100'000), 100'000);
}

}  // namespace
}  // namespace galerna::tests
