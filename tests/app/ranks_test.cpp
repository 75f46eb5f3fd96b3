// Runs on several ranks leave the files of one.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/program.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

class RanksOfARun : public ::testing::Test {
 protected:
  RanksOfARun() {
    write_square(folder, 6);
    write_case("");
  }
  void write_case(const std::string& more) {
    std::ofstream(folder / "case.toml") << periodic_square << density_wave
                                        << "[discretization]\norder = 2\n[time]\ncfl = 0.8\nend = 0.05\n"
                                        << "[output.monitor]\ninterval = 0.02\n[output.checkpoint]\ninterval = 0.02\n"
                                        << more;
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  Execution run(const std::string& out, const std::string& words) const {
    return galerna("run " + path("case.toml") + " --device cpu --quiet --output " + path(out) + " " + words);
  }
  Execution check(const std::string& words) const {
    return galerna("check " + path("case.toml") + " --device cpu " + words);
  }
  std::string content(const std::string& file) const {
    std::ifstream stream(folder / file, std::ios::binary);
    EXPECT_TRUE(stream.good()) << file;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  void expect_the_files_of(const std::string& one, const std::string& other) const {
    for (const char* file : {"checkpoint_final.h5", "monitor.csv"})
      EXPECT_EQ(content(one + "/" + file), content(other + "/" + file)) << file;
  }

  Folder folder;
};

TEST_F(RanksOfARun, LeaveTheFilesOfOne) {
  ASSERT_EQ(run("one", "").code, 0);
  for (const int ranks : {2, 3}) {
    const std::string out = "out" + std::to_string(ranks);
    const Execution many = run(out, "--ranks " + std::to_string(ranks));
    ASSERT_EQ(many.code, 0) << many.output;
    expect_the_files_of("one", out);
    expect_contains(content(out + "/report.json"), "\"ranks\": {\n    \"count\": " + std::to_string(ranks));
  }
  EXPECT_EQ(content("one/report.json").find("\"ranks\""), std::string::npos);
}

TEST_F(RanksOfARun, WriteTheStateNextToItsMean) {
  write_case("[output.averages]\nstart = 0.01\n");
  ASSERT_EQ(run("one", "--set output.solution=true").code, 0);
  ASSERT_EQ(run("two", "--ranks 2 --set output.solution=true").code, 0);
  expect_the_files_of("one", "two");
  EXPECT_EQ(content("one/average.vtu"), content("two/average.vtu"));
}

TEST_F(RanksOfARun, ContinueWhatOthersLeft) {
  ASSERT_EQ(run("one", "").code, 0);
  ASSERT_EQ(run("two", "--ranks 2 --set time.end=0.02").code, 0);
  const Execution rest = run("rest", "--ranks 3 --restart " + path("two/checkpoint_final.h5"));
  ASSERT_EQ(rest.code, 0) << rest.output;
  EXPECT_EQ(content("one/checkpoint_final.h5").size(), content("rest/checkpoint_final.h5").size());
  ASSERT_EQ(run("end", "--restart " + path("two/checkpoint_final.h5")).code, 0);
  EXPECT_EQ(content("end/checkpoint_final.h5"), content("rest/checkpoint_final.h5"));
}

TEST_F(RanksOfARun, LimitSlopesAsOneDoes) {
  write_case("[shock]\nlimiter = \"hierarchical\"\n");
  ASSERT_EQ(run("one", "").code, 0);
  const Execution many = run("three", "--ranks 3");
  ASSERT_EQ(many.code, 0) << many.output;
  expect_the_files_of("one", "three");
}

TEST_F(RanksOfARun, SpreadArtificialViscosityAsOneDoes) {
  write_case("[shock]\nmethod = \"viscosity\"\n");
  const Execution one = run("one", ""), many = run("three", "--ranks 3");
  ASSERT_EQ(one.code, 0) << one.output;
  ASSERT_EQ(many.code, 0) << many.output;
  expect_the_files_of("one", "three");
}

TEST_F(RanksOfARun, AreRefusedWhereTheyCannotBe) {
  const Execution none = run("out", "--ranks 0"), word = run("out", "--ranks x"), many = run("out", "--ranks 100");
  for (const Execution* of : {&none, &word, &many}) EXPECT_EQ(of->code, 2) << of->output;
  expect_contains(none.output, "at least one rank");
  expect_contains(word.output, "no number of ranks");
  expect_contains(many.output, "100 ranks for 72");
  const std::string by_newton =
      "--ranks 2 --set time.scheme=newton --set time.cfl= --set time.end= --set time.steady_residual=1e-6 --set exact= "
      "--set output.monitor= --set output.checkpoint=";
  const Execution newton = run("out", by_newton), checked = check(by_newton);
  for (const Execution* of : {&newton, &checked}) {
    EXPECT_EQ(of->code, 2);
    expect_contains(of->output, "time.scheme = \"newton\" does not go with several ranks: take");
  }
}

TEST_F(RanksOfARun, AreForetoldByCheck) {
  const Execution two = check("--ranks 2"), many = check("--ranks 100");
  EXPECT_EQ(two.code, 0) << two.output;
  expect_contains(two.output, "cut among 2 ranks, of which each has at most 36 elements, ");
  EXPECT_EQ(many.code, 2);
  expect_contains(many.output, "100 ranks for 72");
}

}  // namespace
}  // namespace galerna::tests
