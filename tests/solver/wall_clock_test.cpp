#include "solver/run/wall_clock.hpp"

#include <gtest/gtest.h>

#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

using solver::WallClock;
using Part = WallClock::Part;

double sum_of_parts(const files::Report::Time& t) {
  double sum = 0;
  for (const double part : {t.wall_start, t.wall_read, t.wall_refine, t.wall_prepare, t.wall_upload, t.wall_compile,
                            t.wall_tuning, t.wall_loop, t.wall_watch, t.wall_wait, t.wall_output, t.wall_finish}) {
    EXPECT_GE(part, 0);
    sum += part;
  }
  return sum;
}

void expect_whole(const files::Report::Time& time) {
  EXPECT_NEAR(sum_of_parts(time), time.wall_total, 1e-9 * (1 + time.wall_total));
}

TEST(WallClock, ReturnsToThePartBefore) {
  WallClock clock(WallClock::Clock::now() - std::chrono::hours(1));
  clock.enter(Part::loop);
  {
    const WallClock::Scope outer(clock, Part::output);
    const WallClock::Scope inner(clock, Part::tuning);
  }
  files::Report::Time before, after;
  clock.report(before);
  clock.report(after);
  expect_whole(before);
  expect_whole(after);
  EXPECT_GE(after.wall_start, 3600);
  EXPECT_EQ(after.wall_output, before.wall_output);
  EXPECT_EQ(after.wall_tuning, before.wall_tuning);
  EXPECT_GT(after.wall_loop, before.wall_loop);
}

const std::string wave = std::string(periodic_square) + density_wave + "[discretization]\norder = 2\n";

TEST(WallClock, AccountsForEverySecondOfARunHoweverItEnds) {
  Folder folder;
  write_square(folder, 6);
  solver::RunOptions options{.device = "cpu"};
  options.began -= std::chrono::minutes(1);
  for (const auto& [time, interrupt_after, status] :
       {std::tuple{"cfl = 0.8\nend = 0.05\n", -1, "done"}, std::tuple{"cfl = 10\nend = 20\n", -1, "failed"},
        std::tuple{"cfl = 0.8\nend = 0.05\n", 0, "interrupted"}}) {
    const Outcome result = run(folder, wave + "[time]\n" + time, {"output.monitor.steps=2"}, options, interrupt_after);
    EXPECT_EQ(result.report.status, status);
    expect_whole(result.report.time);
    EXPECT_GE(result.report.time.wall_start, 60);
    for (const double part :
         {result.report.time.wall_read, result.report.time.wall_refine, result.report.time.wall_prepare,
          result.report.time.wall_upload, result.report.time.wall_loop, result.report.time.wall_watch,
          result.report.time.wall_output, result.report.time.wall_finish})
      EXPECT_GT(part, 0);
  }
}

TEST(WallClock, IsPutIntoALine) {
  files::Report::Time time;
  time.wall_total = 10;
  time.wall_compile = 7.25;
  time.wall_loop = 1.5;
  time.wall_output = 1.125;
  time.wall_read = 0.1;
  time.wall_finish = 0.025;
  EXPECT_EQ(files::describe(time), "compiling 7.25 s, steps 1.50 s, output 1.12 s, rest 0.12 s");
  time.writing = 2;
  EXPECT_EQ(files::describe(time),
            "compiling 7.25 s, steps 1.50 s, output 1.12 s, rest 0.12 s; beside it files 2.00 s");
}

TEST(Observer, IsToldWhatIsDoneAfterTheLastStep) {
  Folder folder;
  write_square(folder, 6);
  Silent silent;
  solver::Simulation simulation(
      settings(folder, wave + "[time]\ncfl = 0.8\nend = 0.05\n[output.picture.flow]\nfield = \"density\"\n",
               {"output.solution=true", "output.monitor.steps=2"}),
      {.device = "cpu"}, silent);
  simulation.run();
  EXPECT_EQ(silent.work,
            (std::vector<std::string>{"writing the solution", "writing the checkpoint", "drawing picture_flow.png",
                                      "integrals and errors", "timing the kernels"}));
}

}  // namespace
}  // namespace galerna::tests
