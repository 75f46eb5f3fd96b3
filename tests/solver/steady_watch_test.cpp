// Runs that end when the residual has fallen, or when forces have settled.
#include "solver/run/steady_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "case_names.hpp"
#include "files/history_file.hpp"
#include "solver/bench/forecast.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A disturbance that leaves a stream along a wall. \param unit of density, and with it of pressure
std::string passing(const std::string& time, const std::string& unit = "1") {
  const std::string stream = "density = \"unit\"\nvelocity_x = 0.5\nvelocity_y = 0\npressure = \"unit\"\n";
  std::string text = "[constants]\nunit = " + unit +
                     "\n[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n"
                     "[initial]\ndensity = \"unit*(1 + 0.1*sin(3*x + y))\"\nvelocity_x = 0.5\nvelocity_y = 0\n"
                     "pressure = \"unit*(1 + 0.1*cos(4*x))\"\n[output]\nsolution = false\n[output.checkpoint]\n"
                     "steps = 150\n[boundary.bottom]\ntype = \"slip-wall\"\n";
  for (const char* side : {"left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"far-field\"\n" + stream;
  return text + "[time]\ncfl = 0.5\nmax_steps = 5000\n" + time;
}

TEST(SteadyWatch, EndsWhenTheResidualHasFallen) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_square(folder, 4);
    const Outcome whole = run(folder, passing("steady_residual = 1e-4\n"), {}, {.device = device});
    EXPECT_EQ(whole.report.status, "steady");
    EXPECT_EQ(whole.report.steady_by, "residual");
    EXPECT_LE(whole.report.residual.at("relative"), 1e-4);
    EXPECT_GT(whole.report.residual.at("relative"), 1e-9);
    EXPECT_EQ(whole.report.time.steps % 100, 0);
    EXPECT_GT(whole.report.time.steps, 150);
    const Outcome continued = run(folder, passing("steady_residual = 1e-4\n"), {},
                                  {.device = device, .restart = folder / "out/checkpoint_00000150.h5"});
    EXPECT_EQ(continued.report.time.steps, whole.report.time.steps);
    EXPECT_EQ(continued.report.residual, whole.report.residual);
    EXPECT_EQ(continued.coefficients, whole.coefficients);
  }
}

TEST(SteadyWatch, ReportsTheResidualOfTheLastStep) {
  Folder folder;
  write_square(folder, 4);
  const std::string text = passing("steady_residual = 1e-12\n");
  const files::Report looked_at = run(folder, text, {"time.max_steps=100"}).report;
  const files::Report last = run(folder, text, {"time.max_steps=150"}).report;
  EXPECT_LT(last.residual.at("relative"), 0.9 * looked_at.residual.at("relative"));
}

TEST(SteadyWatch, KnowsNoUnits) {
  Folder folder;
  write_square(folder, 4);
  const files::Report one = run(folder, passing("steady_residual = 1e-4\n")).report;
  const files::Report other = run(folder, passing("steady_residual = 1e-4\n", "1e6")).report;
  EXPECT_EQ(other.time.steps, one.time.steps);
  EXPECT_NEAR(other.residual.at("relative"), one.residual.at("relative"), 1e-6 * one.residual.at("relative"));
}

TEST(SteadyWatch, EndsWhenForcesHaveSettled) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = passing("steady_forces = 1e-4\nsteady_window = 200\n");
    const Outcome whole = run(folder, text, {}, {.device = device});
    EXPECT_EQ(whole.report.status, "steady");
    EXPECT_EQ(whole.report.steady_by, "forces");
    EXPECT_LE(whole.report.residual.at("force_change"), 1e-4);
    EXPECT_EQ(whole.report.time.steps % 20, 0);
    EXPECT_GE(whole.report.time.steps, 200);
    const Outcome continued =
        run(folder, text, {}, {.device = device, .restart = folder / "out/checkpoint_00000150.h5"});
    EXPECT_EQ(continued.report.time.steps, whole.report.time.steps);
    EXPECT_EQ(continued.report.residual, whole.report.residual);
  }
}

/// Local steps and sequences go to steady states of every kind; lower degrees end by their own change.
TEST(SteadyWatch, EndsLocalStepsAndSequences) {
  Folder folder;
  write_square(folder, 4);
  const files::Report report =
      run(folder, passing("steady_residual = 1e-4\nlocal = true\nsequence = [0]\nsequence_steady = 1e-3\n")).report;
  EXPECT_EQ(report.steady_by, "residual");
  ASSERT_EQ(report.levels.size(), 1u);
  EXPECT_LE(report.levels[0].change, 1e-3);
}

/// One way to a steady state.
struct Way {
  std::string criterion, number;  ///< lines of [time], and the value in the report
  double limit;
};

Way way_of(const std::string& name) {
  if (name == "change") return {"steady = 1e-6\n", "change", 1e-6};
  if (name == "residual") return {"steady_residual = 1e-4\n", "relative", 1e-4};
  return {"steady_forces = 1e-5\nsteady_window = 200\n", "force_change", 1e-5};
}

/// The criterion holds at the last degree, and for what that degree itself has done.
void expect_met(const files::Report& report, const Way& way, const std::string& how) {
  long lower_steps = 0;
  for (const auto& level : report.levels) lower_steps += static_cast<long>(level.steps);
  EXPECT_EQ(report.status, "steady") << how;
  EXPECT_EQ(report.order, 2) << how;
  ASSERT_TRUE(report.residual.contains(way.number)) << how;
  EXPECT_LE(report.residual.at(way.number), way.limit) << how;
  if (way.number == "force_change") EXPECT_GE(report.time.steps - lower_steps, 200) << how;
}

class SteadyEnd : public testing::TestWithParam<std::string> {};

/// A lower degree that has met the criterion says nothing of the next one: neither in the same run nor after a restart.
TEST_P(SteadyEnd, IsHonestAfterLowerDegrees) {
  const Way way = way_of(GetParam());
  for (const bool local : {false, true}) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = passing(way.criterion + (local ? "local = true\n" : ""));
    const solver::RunOptions cpu = {.device = "cpu"};
    const Outcome direct = run(folder, text, {"discretization.order=2"}, cpu);
    expect_met(direct.report, way, "directly");
    for (const std::string sequence : {"[0]", "[1]", "[0, 1]"}) {
      const Outcome after = run(folder, text, {"discretization.order=2", "time.sequence=" + sequence}, cpu);
      expect_met(after.report, way, sequence);
      EXPECT_GT(direct.report.time.steps, 100);
      if (!local) EXPECT_LT(relative_difference(after.coefficients, direct.coefficients), 1e-2) << sequence;
    }
    run(folder, text, {"discretization.order=1"}, cpu);
    const auto lower = folder / "lower.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", lower);
    expect_met(run(folder, text, {"discretization.order=2"}, {.device = "cpu", .restart = lower}).report, way,
               "restarted at another degree");
    expect_met(
        run(folder, text, {"discretization.order=2", "time.sequence=[1]"}, {.device = "cpu", .restart = lower}).report,
        way, "restarted in the sequence");
  }
}

INSTANTIATE_TEST_SUITE_P(Criteria, SteadyEnd, testing::Values("change", "residual", "forces"), CaseName{});

/// Nobody finds change and residual of a run to a time: 0 would be a lie.
TEST(SteadyWatch, LeavesMonitorsWithoutResidualWhereNoneIsSought) {
  Folder folder;
  write_square(folder, 4);
  const auto residuals = [&](const std::string& time) {
    run(folder, passing(time) + "[output.monitor]\nsteps = 100\n", {"time.max_steps=100"});
    return files::read_history(folder / "out/monitor.csv", "residual_density").values;
  };
  for (const double value : residuals("end = 100\n")) EXPECT_TRUE(std::isnan(value));
  EXPECT_GT(residuals("steady = 1e-9\n").back(), 0);
}

TEST(SteadyWatch, IsRefusedWhereNothingCanSettle) {
  Folder folder;
  write_square(folder, 4);
  const std::string wave = std::string(periodic_square) + density_wave + "[discretization]\norder = 1\n[time]\n";
  EXPECT_THROW(settings(folder, wave + "cfl = 0.5\nsteady_forces = 1e-4\n"), InputError);
  EXPECT_THROW(settings(folder, wave + "cfl = 0.5\nend = 1\nsteady_window = 100\n"), InputError);
}

TEST(QuickForecast, NeverGoesBackAndExtrapolates) {
  EXPECT_NEAR(solver::decades_done(1, 1e-2, 1e-8), 0.25, 1e-12);
  EXPECT_EQ(solver::decades_done(1, 2, 1e-8), 0);
  EXPECT_EQ(solver::decades_done(1, 1e-9, 1e-8), 1);
  solver::Forecast forecast;
  EXPECT_FALSE(forecast.left());
  double last = 0;
  for (int k = 1; k <= 2000; ++k) {
    const double seconds = 0.1 * k;
    // Slow at first, then 0.2 % a second, with a swing.
    const double done = (seconds < 50 ? 0.0005 * seconds : 0.025 + 0.002 * (seconds - 50)) + 0.001 * std::sin(seconds);
    forecast.add(seconds, done);
    EXPECT_GE(forecast.done(), last);
    last = forecast.done();
  }
  ASSERT_TRUE(forecast.left());
  EXPECT_NEAR(*forecast.left(), (1 - last) / 0.002, 10);
}

/// time.cfl is the number of the case's own degree: constants keep to theirs.
TEST(QuickStepOfDegrees, IsStableForConstants) {
  const mesh::Mesh mesh = mesh::make_rectangle(2, 2);
  case_file::Settings settings;
  settings.time.scheme = "rk4";
  settings.time.cfl = 0.9;
  settings.time.sequence = {0, 1};
  settings.discretization.order = 0;
  EXPECT_NEAR(*solver::make_step_settings(settings, mesh).cfl, 0.9 * 2.785 / 4, 1e-3);
  settings.time.scheme = "ssprk54";
  EXPECT_EQ(*solver::make_step_settings(settings, mesh).cfl, 0.9);
  settings.time.scheme = "euler";
  EXPECT_NEAR(*solver::make_step_settings(settings, mesh).cfl, 0.45, 1e-3);
  settings.discretization.order = 1;
  EXPECT_EQ(*solver::make_step_settings(settings, mesh).cfl, 0.9);
  settings.time.sequence = {};
  settings.discretization.order = 0;
  EXPECT_EQ(*solver::make_step_settings(settings, mesh).cfl, 0.9) << "the case's own degree";
}

}  // namespace
}  // namespace galerna::tests
