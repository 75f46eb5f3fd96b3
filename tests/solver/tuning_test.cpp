#include "solver/bench/tuning.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "device/device.hpp"
#include "dg/fixtures.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

device::Recipe recipe(const std::string& text) {
  device::Recipe result;
  result.title = "a choice";
  result.target = "choice";
  result.extension = ".choice";
  result.machine = "this machine";
  result.text = text;
  return result;
}

TEST(Tuning, TakesTheFastestAndRemembersIt) {
  Folder folder;
  const std::vector<int> choices = {0, 32, 64};
  int calls = 0;
  const auto seconds = [&](int choice) {
    ++calls;
    return choice == 32 ? 1.0 : 2.0;
  };
  EXPECT_EQ(solver::fastest(recipe("a"), choices, seconds, folder / "cache"), 32);
  EXPECT_EQ(calls, 3);
  // Measured again it might come out otherwise; a run repeats itself because it is not.
  EXPECT_EQ(solver::fastest(
                recipe("a"), choices, [](int choice) { return 1.0 + choice; }, folder / "cache"),
            32);
  EXPECT_EQ(solver::fastest(
                recipe("b"), choices, [](int choice) { return 1.0 + choice; }, folder / "cache"),
            0);
}

TEST(Tuning, PassesOverWhatCannotRun) {
  Folder folder;
  const auto seconds = [](int choice) {
    if (choice == 0) throw SystemError("no compiler");
    return 1.0;
  };
  EXPECT_EQ(solver::fastest(recipe("a"), {0, 32}, seconds, folder / "cache"), 32);
  EXPECT_THROW(solver::fastest(recipe("b"), {0, 0}, seconds, folder / "cache"), SystemError);
}

TEST(Tuning, OneChoiceNeedsNoMeasurement) {
  const auto seconds = [](int) -> double { throw std::logic_error("measured"); };
  EXPECT_EQ(solver::fastest(recipe("a"), {64}, seconds), 64);
}

/// 132 multiprocessors with 3 to 16 blocks of 128 threads, and a device without any.
TEST(Tuning, MeshIsSeveralRoundsOfThreadsTheLastNearlyFull) {
  for (std::int64_t blocks : {3, 4, 5, 8, 16}) {
    const std::int64_t at_once = 132 * 128 * blocks;
    const auto cells = solver::tuning_cells(at_once);
    const double rounds = static_cast<double>(cells.triangles()) / static_cast<double>(at_once);
    EXPECT_LE(rounds, 6) << blocks;
    EXPECT_GT(rounds, 5.97) << blocks;
  }
  EXPECT_NEAR(static_cast<double>(solver::tuning_cells(0).triangles()), 98'304, 600);
}

TEST(Tuning, MeshHasTheCellsAskedFor) {
  EXPECT_EQ(solver::tuning_mesh({8, 6}).element_count(), 96);
}

TEST(Tuning, TimesARightHandSide) {
  const auto device = device::open_device("cpu");
  const dg::Spec spec = bare_euler();
  for (const char* row : {"packs", "element"})
    EXPECT_GT(solver::time_residual(*device, solver::tuning_mesh({8, 6}), spec, dg::find_structure(row)), 0);
}

TEST(Tuning, OneRowForEachSizeOfTilesIsTimed) {
  const dg::Operators operators = dg::make_operators(Shape::triangle, 3);
  const auto names = [&](const dg::Spec& spec, const device::Target& target) {
    std::vector<std::string> result;
    for (const dg::Structure* row : solver::timed_structures({operators}, spec, target)) result.push_back(row->name);
    return result;
  };
  using Names = std::vector<std::string>;
  const device::Target hopper{device::Kind::cuda, 32, true}, older{device::Kind::cuda, 32}, cpu{device::Kind::host, 8};
  EXPECT_EQ(names(bare_euler(1), hopper), Names{"threads"});
  EXPECT_EQ(names(bare_euler(2), hopper), (Names{"threads", "tiles-32", "tiles-64"}));
  EXPECT_EQ(names(bare_euler(3), hopper), (Names{"tiles-64", "threads", "tiles-32"}));
  EXPECT_EQ(names(bare_euler(4), hopper), (Names{"tiles-32", "tiles-64"}));
  EXPECT_EQ(names(bare_euler(4), older), Names{});
  EXPECT_EQ(names(bare_euler(4), cpu), Names{});
}

TEST(Tuning, OnTheGpuChoosesWhatItMeasured) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  const auto device = device::open_device("cuda");
  const dg::Spec spec = bare_euler(3);
  const dg::Operators operators = dg::make_operators(spec.shape, spec.degree);
  const auto rows = solver::timed_structures({operators}, spec, device::target_of(*device, spec.precision));
  if (rows.size() < 2) GTEST_SKIP() << "one row only without matrix units";
  const dg::Structure* first =
      solver::fastest_structure(
          *device, spec, rows, [] { return std::vector<device::ProgramSource>(); }, folder / "cache")
          .structure;
  EXPECT_EQ(solver::fastest_structure(
                *device, spec, rows, [] { return std::vector<device::ProgramSource>(); }, folder / "cache")
                .structure,
            first);
}

}  // namespace
}  // namespace galerna::tests
