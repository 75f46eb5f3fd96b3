// Runs that somebody stops, wherever they are.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/interruption.hpp"
#include "device/program.hpp"
#include "files/atomic_file.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string wave_case(int order, const std::string& time) {
  return std::string(periodic_square) + density_wave + "[discretization]\norder = " + std::to_string(order) +
         "\n[time]\n" + time;
}

TEST(Interruption, EndsARunWhoseEveryLaunchEndsAtAnOutput) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = wave_case(2, "cfl = 0.8\nend = 0.1\n");
  const std::vector<std::string> often = {"output.monitor.steps=1"};
  const Outcome whole = run(folder, text, often);
  const Outcome stopped = run(folder, text, often, {.device = "cpu"}, 3);
  EXPECT_EQ(stopped.report.status, "interrupted");
  EXPECT_EQ(stopped.report.time.steps, 4);
  const Outcome continued =
      run(folder, text, often, {.device = "cpu", .restart = folder / "out/checkpoint_interrupted.h5"});
  EXPECT_EQ(continued.report.status, "done");
  EXPECT_EQ(continued.coefficients, whole.coefficients);
}

/// Cannot wait for anything.
class Impatient : public Silent {
 public:
  bool interrupted() override { return true; }
};

/// Is asked to stop when a run begins something.
class StopsAt : public Silent {
 public:
  explicit StopsAt(std::string doing) : doing_(std::move(doing)) {
    on_interruption([this] { return asked_; });
  }
  ~StopsAt() override { on_interruption({}); }
  void working(const std::string& doing) override { asked_ = asked_ || doing == doing_; }

 private:
  std::string doing_;
  bool asked_ = false;
};

TEST(Interruption, AtTheEndKeepsWhatIsThere) {
  for (const std::string doing : {"writing the checkpoint", "integrals and errors"}) {
    Folder folder;
    write_square(folder, 6);
    const std::string text = wave_case(2, "cfl = 0.8\nend = 0.1\n");
    run(folder, text);
    const std::string checkpoint = files::read_file(folder / "out/checkpoint_final.h5");
    StopsAt observer(doing);
    solver::Simulation simulation(settings(folder, text, {"time.end=0.05"}), {.device = "cpu"}, observer);
    EXPECT_THROW(simulation.run(), Interruption) << doing;
    EXPECT_EQ(files::read_file(folder / "out/checkpoint_final.h5") == checkpoint, doing == "writing the checkpoint");
    const std::string report = files::read_file(folder / "out/report.json");
    EXPECT_NE(report.find("\"interrupted\""), std::string::npos) << report;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "out"))
      EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos) << entry.path();
  }
}

TEST(Interruption, DuringSetUpLeavesNothing) {
  Folder folder;
  write_square(folder, 6);
  Impatient impatient;
  EXPECT_THROW(
      solver::Simulation(settings(folder, wave_case(2, "cfl = 0.8\nend = 0.1\n")), {.device = "cpu"}, impatient),
      Interruption);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

/// While it lives, programs are kept in another folder, and nothing more is compiled once `enough` is true.
class OtherCache {
 public:
  explicit OtherCache(const std::filesystem::path& folder) {
    if (const char* set = std::getenv("GALERNA_CACHE")) before_ = set;
    setenv("GALERNA_CACHE", folder.c_str(), 1);
    device::on_interruption([this] { return enough; });
  }
  ~OtherCache() {
    device::on_interruption({});
    before_ ? setenv("GALERNA_CACHE", before_->c_str(), 1) : unsetenv("GALERNA_CACHE");
  }
  bool enough = false;

 private:
  std::optional<std::string> before_;
};

TEST(Interruption, WhileTheNextDegreeIsCompiledKeepsThePresentOne) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = wave_case(1, "scheme = \"euler\"\ncfl = 0.5\nsteady = 1e-13\nmax_steps = 20\n");
  const std::vector<std::string> sequence = {"time.sequence=[0]", "time.sequence_steps=5"};
  OtherCache cache(folder / "kernels");
  Silent silent;
  solver::Simulation simulation(settings(folder, text, sequence), {.device = "cpu"}, silent);
  cache.enough = true;
  const files::Report report = simulation.run();
  EXPECT_EQ(report.status, "interrupted");
  EXPECT_EQ(report.order, 0);
  EXPECT_EQ(report.time.steps, 5);
  EXPECT_TRUE(report.levels.empty());

  cache.enough = false;
  const Outcome whole = run(folder, text, sequence);
  const Outcome continued =
      run(folder, text, sequence, {.device = "cpu", .restart = folder / "out/checkpoint_interrupted.h5"});
  EXPECT_EQ(continued.coefficients, whole.coefficients);
}

}  // namespace
}  // namespace galerna::tests
