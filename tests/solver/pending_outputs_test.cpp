// Files that are written while the run goes on.
#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "files/checkpoint.hpp"
#include "files/vtu.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::string wave =
    std::string(periodic_square) + density_wave + "[discretization]\norder = 2\n[time]\ncfl = 0.8\nend = 0.05\n";
const std::vector<std::string> often = {"output.solution=", "output.solution.steps=1", "output.checkpoint.steps=1",
                                        "output.averages.start=0.01"};

/// All files of the output folder but the report, by name.
std::map<std::string, std::string> contents(const Folder& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out"))
    if (entry.path().filename() != "report.json")
      all[entry.path().filename().string()] = files::read_file(entry.path());
  all.erase(".galerna.lock");
  return all;
}

TEST(PendingOutputs, AreTheFilesOfARunThatWaitsForThem) {
  std::map<std::string, std::string> waited;
  Folder folder;
  write_square(folder, 6);
  for (const int pending : {0, 1, 2, 50}) {
    std::filesystem::remove_all(folder / "out");
    const Outcome result = run(folder, wave, often, {.device = "cpu", .pending = pending});
    EXPECT_EQ(result.report.time.writing > 0, pending > 0);
    const std::map<std::string, std::string> now = contents(folder);
    if (pending == 0) waited = now;
    EXPECT_GT(now.size(), 20u);
    EXPECT_TRUE(now == waited) << pending;
  }
}

/// A folder in the way of a file stands for a disk that is full from some step on.
TEST(PendingOutputs, AFailureEndsTheRunWithWhatWasWhole) {
  for (const std::string name : {"solution_00000004.vtu", "checkpoint_00000004.h5"}) {
    Folder folder;
    write_square(folder, 6);
    Silent silent;
    solver::Simulation simulation(settings(folder, wave + "max_steps = 100000\n", often), {.device = "cpu"}, silent);
    std::filesystem::create_directory(folder / "out" / name);
    try {
      simulation.run();
      FAIL() << "nothing was thrown";
    } catch (const SystemError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
    EXPECT_EQ(files::read_checkpoint(folder / "out/checkpoint_00000003.h5").step, 3);
    EXPECT_FALSE(std::filesystem::exists(folder / "out/solution_00000005.vtu"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/checkpoint_00000005.h5"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/checkpoint_final.h5"));
    const files::PvdSeries series(folder / "out/solution.pvd", 1.0);
    for (const auto& entry : series.entries())
      EXPECT_TRUE(std::filesystem::is_regular_file(folder / "out" / entry.file));
  }
}

TEST(PendingOutputs, AreWrittenBeforeAnInterruptedRunEnds) {
  Folder folder;
  write_square(folder, 6);
  const Outcome stopped = run(folder, wave, often, {.device = "cpu", .pending = 50}, 5);
  ASSERT_EQ(stopped.report.status, "interrupted");
  ASSERT_EQ(stopped.report.time.steps, 6);
  for (int step = 1; step <= 5; ++step) {
    const std::string number = "0000000" + std::to_string(step);
    EXPECT_EQ(files::read_checkpoint(folder / "out" / ("checkpoint_" + number + ".h5")).step, step);
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / ("solution_" + number + ".vtu")));
  }
  EXPECT_EQ(files::read_checkpoint(folder / "out/checkpoint_interrupted.h5").step, 6);
}

TEST(PendingOutputs, OfADegreeAreWrittenBeforeTheNextBegins) {
  Folder folder;
  write_square(folder, 6);
  const std::string steady = std::string(periodic_square) + density_wave +
                             "[discretization]\norder = 2\n[time]\nscheme = \"euler\"\ncfl = 0.3\nsteady = 1e-13\n"
                             "max_steps = 12\nsequence = [0, 1]\nsequence_steps = 4\n";
  run(folder, steady, {"output.checkpoint.steps=1"}, {.device = "cpu", .pending = 50});
  for (int step = 1; step < 12; ++step) {
    const std::string number = (step < 10 ? "0000000" : "000000") + std::to_string(step);
    const files::Checkpoint checkpoint = files::read_checkpoint(folder / "out" / ("checkpoint_" + number + ".h5"));
    EXPECT_EQ(checkpoint.degree, step <= 4 ? 0 : step <= 8 ? 1 : 2) << step;
  }
}

}  // namespace
}  // namespace galerna::tests
