#include "parallel/mpi_team.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace galerna::parallel::tests {
namespace {

struct Outcome {
  int code = -1;
  std::string output;

  bool says(const std::string& line) const { return ("\n" + output).find("\n" + line + "\n") != std::string::npos; }
  int count(const std::string& text) const {
    int times = 0;
    for (std::size_t at = output.find(text); at != std::string::npos; at = output.find(text, at + 1)) ++times;
    return times;
  }
};

Outcome call(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> text{};
  while (const std::size_t count = fread(text.data(), 1, text.size(), pipe)) outcome.output.append(text.data(), count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}

/// Ranks of tests/parallel/mpi under mpirun, or a skipped test without one.
class MpiTeam : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(GALERNA_MPI_RANKS).empty()) GTEST_SKIP() << "the program was built without MPI";
    if (!std::filesystem::exists(GALERNA_MPIRUN)) GTEST_SKIP() << "there is no mpirun";
  }
  static Outcome run(int size, const std::string& what, const std::string& module = GALERNA_MPI_MODULE) {
    // Open MPI refuses more ranks than cores, and root, unless told; others do not know these words.
    const std::string settings =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 ";
    return call(settings + "timeout -k 5 60 " GALERNA_MPIRUN " -n " + std::to_string(size) + " " GALERNA_MPI_RANKS " " +
                what + " '" + module + "'");
  }
};

TEST_F(MpiTeam, Talks) {
  for (const int size : {2, 5}) {
    const Outcome outcome = run(size, "talk");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_TRUE(outcome.says(std::to_string(size) + " ranks talked")) << outcome.output;
  }
}

TEST_F(MpiTeam, ReturnsTheLargestResult) {
  const Outcome outcome = run(3, "return");
  EXPECT_EQ(outcome.code, 130) << outcome.output;
}

TEST_F(MpiTeam, ThrowsOnceWhatOneRankThrew) {
  const Outcome outcome = run(3, "fail-last");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.says("case.toml:7: error: rank 2 (host " + host_name() + "): no such thing")) << outcome.output;
  EXPECT_EQ(outcome.count("no such thing"), 1) << outcome.output;
}

TEST_F(MpiTeam, ThrowsOnceWhatAllThrew) {
  const Outcome outcome = run(3, "fail-all");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(outcome.says("disk full")) << outcome.output;
  EXPECT_EQ(outcome.count("disk full"), 1) << outcome.output;
}

TEST_F(MpiTeam, TellsThoseWhoAsk) {
  const Outcome outcome = run(2, "fail-beside-a-loop");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.count("rank 1 (host " + host_name() + "): broken"), 1) << outcome.output;
}

TEST_F(MpiTeam, EndsThoseWhoDoNotHearThatOneFailed) {
  const Outcome outcome = run(3, "fail-unheard");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(outcome.says("rank 1 (host " + host_name() + "): broken")) << outcome.output;
}

TEST_F(MpiTeam, EndsWhenARankDies) {
  const Outcome outcome = run(3, "die");
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.code, 124) << "ended by timeout";
}

TEST_F(MpiTeam, RefusesCopiesThatDoNotSeeOneAnother) {
  const Outcome outcome = run(2, "talk", "");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.count("started 2 times by mpirun, but its processes do not see one another"), 1) << outcome.output;
  const Outcome missing = run(2, "talk", "/nowhere/libgalerna_mpi.so");
  EXPECT_EQ(missing.code, 4);
  EXPECT_EQ(missing.count("MPI cannot be loaded"), 1) << missing.output;
}

TEST(MpiLaunch, IsAloneWithoutALauncherAndWithoutMpi) {
  MpiOptions options;
  options.module.clear();
  EXPECT_EQ(run_under_mpi(
                {}, [](Team& team) { return team.size(); }, options),
            1);
}

}  // namespace
}  // namespace galerna::parallel::tests
