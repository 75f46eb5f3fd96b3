#include "solver/outputs/output_times.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "files/history_file.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// All stops after t = 0 of a run with outputs at two intervals.
std::vector<double> stops(double one, double other, double end) {
  std::vector<double> times;
  for (double time = 0; time < end && times.size() < 10'000;) {
    const double next = std::min(solver::multiple_after(one, time), solver::multiple_after(other, time));
    times.push_back(time = solver::next_of(end, solver::next_of(never, next)));
  }
  return times;
}

/// All intervals of two digits, and ends at 1 to 40 of them as decimal fractions.
TEST(QuickOutputTimes, MeetTheEndOnce) {
  for (int digits = 1; digits < 100; ++digits)
    for (int count = 1; count <= 40; ++count) {
      const double interval = digits / 100.0, end = digits * count / 100.0;
      const std::vector<double> times = stops(interval, never, end);
      ASSERT_EQ(times.size(), static_cast<std::size_t>(count)) << interval << " to " << end;
      EXPECT_EQ(times.back(), end);
      EXPECT_TRUE(solver::on_multiple(interval, end));
      for (int k = 1; k < count; ++k) EXPECT_EQ(times[static_cast<std::size_t>(k - 1)], k * interval);
    }
}

TEST(QuickOutputTimes, MeetEachOtherOnce) {
  EXPECT_EQ(stops(0.1, 0.3, 3.0).size(), 30u);
  EXPECT_EQ(stops(0.7, 0.1, 4.9).size(), 49u);
  EXPECT_EQ(stops(0.2, 0.3, 0.9).size(), 6u);
  EXPECT_TRUE(solver::on_multiple(0.1, 0.3));
}

TEST(QuickOutputTimes, KeepTimesApartThatRoundingDoesNotJoin) {
  EXPECT_EQ(stops(0.5, 0.5 + 1e-9, 1.0).size(), 3u);
  EXPECT_EQ(stops(0.4, never, 1.0).size(), 3u);
  EXPECT_FALSE(solver::on_multiple(0.5, 0.5 + 1e-10));
  EXPECT_EQ(solver::next_of(never, 2.0), 2.0);
  EXPECT_GT(solver::multiple_after(1e-20, 1.0), 1.0);
  EXPECT_EQ(solver::multiple_after(1e-300, 0.0), 1e-300);
}

/// 3 × 0.7 is less than 2.1, and 3 × 0.1 more than 0.3.
TEST(OutputTimes, EndARunOnce) {
  Folder folder;
  write_square(folder, 3);
  const std::string text =
      std::string(periodic_square) + density_wave + "[discretization]\norder = 1\n[time]\ncfl = 0.5\n";
  for (const auto& [interval, end] : {std::pair{"0.07", "0.21"}, {"0.3", "0.9"}}) {
    const std::string every = std::string("interval=") + interval;
    const Outcome outcome = run(folder, text,
                                {std::string("time.end=") + end, "output.solution={" + every + "}",
                                 "output.monitor." + every, "output.checkpoint." + every});
    EXPECT_GT(outcome.report.time.dt, 1e-6);
    const std::vector<double> times = files::read_history(folder / "out/monitor.csv", "integral_density").times;
    ASSERT_EQ(times.size(), 4u) << interval;
    EXPECT_EQ(times.back(), std::stod(end));
    int solutions = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder / "out"))
      solutions += file.path().extension() == ".vtu" ? 1 : 0;
    EXPECT_EQ(solutions, 4);
    std::filesystem::remove_all(folder / "out");
  }
}

/// A mean that begins where an output is due.
TEST(OutputTimes, MeetTheStartOfMeansOnce) {
  Folder folder;
  write_square(folder, 3);
  const Outcome outcome =
      run(folder,
          std::string(periodic_square) + density_wave + "[discretization]\norder = 1\n[time]\nstep = 0.01\nend = 0.4\n",
          {"output.monitor.interval=0.1", "output.averages.start=0.3"});
  EXPECT_EQ(outcome.report.averages->start, 0.3);
  EXPECT_EQ(outcome.report.time.steps, 40);
}

}  // namespace
}  // namespace galerna::tests
