// What the program does where the machine, or who else uses it, does not help: no compiler, limits of the system, a
// folder that another run writes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "app/program_case.hpp"
#include "files/output_folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

class Environment : public Program {
 protected:
  std::string run_words() const { return Program::run_words() + " --quiet"; }
  /// The program with settings of the environment, or words of a shell, before it.
  static Execution with(const std::string& settings, const std::string& arguments) {
    return execute(settings + " " + GALERNA_PROGRAM + " " + arguments);
  }
};

TEST_F(Environment, OfAFullCacheNeedsNoCompiler) {
  ASSERT_EQ(galerna(run_words()).code, 0);
  const Execution full = with("CXX=/nowhere/c++", run_words());
  EXPECT_EQ(full.code, 0) << full.output;
  const Execution empty = with("CXX=/nowhere/c++ GALERNA_CACHE=" + path("cache"), run_words());
  EXPECT_EQ(empty.code, 4);
  expect_contains(empty.output, "/nowhere/c++, is not there; set CXX to a C++20 compiler");
  EXPECT_FALSE(fs::exists(folder / "cache"));
}

/// By processes of its own, which leave nothing behind; an error is told once, in the compiler's words.
TEST_F(Environment, WithoutAGpuCompilesForOne) {
  const std::string words = "cache --target sm_90 --directory " + path("kernels") + " --build " + path("case.toml");
  const Execution built = galerna(words);
  if (built.output.find("libnvrtc") != std::string::npos) GTEST_SKIP() << built.output;
  EXPECT_EQ(built.code, 0) << built.output;
  int kernels = 0;
  for (const auto& entry : fs::directory_iterator(folder / "kernels")) {
    kernels += entry.path().extension() == ".cubin";
    EXPECT_NE(entry.path().extension(), ".job") << entry.path();
  }
  EXPECT_GT(kernels, 3);
  const Execution little = execute("ulimit -v 150000; " + std::string(GALERNA_PROGRAM) + " cache --target sm_90 " +
                                   "--directory " + path("others") + " --build " + path("case.toml"));
  EXPECT_EQ(little.code, 4) << little.output;
  EXPECT_EQ(little.output.find("unexpected"), std::string::npos) << little.output;
}

/// As on a full disk, what a compiler would read is cut off.
TEST_F(Environment, WhoseCacheTakesNoMoreBytesIsNotTheCompilersFault) {
  const Execution full = execute("ulimit -f 2; GALERNA_CACHE=" + path("cache") + " " + GALERNA_PROGRAM + " check " +
                                 path("case.toml") + " --device cpu");
  EXPECT_EQ(full.code, 4) << full.output;
  expect_contains(full.output, path("cache"));
  expect_contains(full.output, "cannot be written (File too large); free some space, or set GALERNA_CACHE");
}

/// What `run` would refuse, `check` refuses.
TEST_F(Environment, WithoutAUsableCompilerOrCacheIsRefusedByCheck) {
  const std::string words = "check " + path("case.toml") + " --device cpu";
  ASSERT_EQ(galerna(run_words()).code, 0);
  EXPECT_EQ(with("CXX=/nowhere/c++", words).code, 0);
  const std::string cache = " GALERNA_CACHE=" + path("cache");
  const Execution broken = with("CXX=/bin/false" + cache, words), absent = with("CXX=/nowhere/c++" + cache, words);
  EXPECT_EQ(broken.code, 4);
  expect_contains(broken.output, "/bin/false: unknown fails at a program of a few lines (it says nothing); set CXX");
  EXPECT_EQ(absent.code, 4);
  expect_contains(absent.output, "/nowhere/c++, is not there; set CXX to a C++20 compiler");
  const Execution file = with("GALERNA_CACHE=" + path("case.toml"), words);
  EXPECT_EQ(file.code, 4);
  expect_contains(file.output, "set GALERNA_CACHE to a directory that can be written");
  const Execution owner = with("GALERNA_CACHE_OWNER=nosuch", words);
  EXPECT_EQ(owner.code, 2);
  expect_contains(owner.output, "GALERNA_CACHE_OWNER: error: there is no user \"nosuch\"");
}

TEST_F(Environment, WithBlankOrAbsurdSettingsIsAnError) {
  const Execution blank = with("CXX=' '", run_words());
  EXPECT_EQ(blank.code, 4);
  expect_contains(blank.output, "$CXX is blank; set it to a C++20 compiler, or unset it");
  for (const char* threads : {"0", "-1", "many", "1e3", "99999999999999999999", "5000", "2 3", ",2"}) {
    const Execution absurd = with("OMP_NUM_THREADS='" + std::string(threads) + "'", run_words());
    EXPECT_EQ(absurd.code, 2) << threads;
    expect_contains(absurd.output, "OMP_NUM_THREADS: error: \"" + std::string(threads) + "\" is no number of threads");
  }
  for (const char* threads : {"", " ", "2", " 2 ", "2,1"})
    EXPECT_EQ(with("OMP_NUM_THREADS='" + std::string(threads) + "'", run_words()).code, 0) << threads;
}

TEST_F(Environment, AnotherRunsFolderIsRefused) {
  {
    const files::OutputFolder other(folder / "out");
    const Execution second = galerna(run_words());
    EXPECT_EQ(second.code, 4);
    expect_contains(second.output, "another run writes here: process " + std::to_string(getpid()) + " on ");
    EXPECT_TRUE(fs::is_regular_file(folder / "out/.galerna.lock"));
    EXPECT_FALSE(fs::exists(folder / "out/monitor.csv"));
  }
  ASSERT_EQ(galerna(run_words()).code, 0);
  const Execution on = galerna(run_words() + " --set time.end=0.06 --restart " + path("out/checkpoint_final.h5"));
  EXPECT_EQ(on.code, 0) << on.output;
  EXPECT_FALSE(fs::exists(folder / "out/.galerna.lock"));
}

TEST_F(Environment, OfLimitedFilesIsAnErrorAndLeavesCheckpointsWhole) {
  ASSERT_EQ(galerna(run_words()).code, 0);
  const std::string before = text_of(folder / "out/checkpoint_final.h5");
  fs::remove(folder / "out/report.json");
  // A checkpoint is too long in units of 512 bytes or of 1024, which shells differ in; a report is not.
  const std::string limit = "ulimit -f " + std::to_string((before.size() - 1) / 1024) + ";";
  const Execution limited = with(limit, run_words() + " --restart " + path("out/checkpoint_final.h5") +
                                            " --set time.end=0.06 --set output.solution=false");
  EXPECT_EQ(limited.code, 4) << limited.output;
  expect_contains(limited.output, "ulimit -f");
  expect_contains(text_of(folder / "out/report.json"), "\"status\"");
  EXPECT_EQ(text_of(folder / "out/checkpoint_final.h5"), before);
  for (const std::string& name : Folder::names_in(folder / "out")) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

}  // namespace
}  // namespace galerna::tests
