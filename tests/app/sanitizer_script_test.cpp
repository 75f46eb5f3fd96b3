// scripts/compute-sanitizer.sh with a stand-in for compute-sanitizer, on the CPU.
#include <fmt/format.h>

#include <algorithm>

#include "app/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

class SanitizerScript : public ::testing::Test {
 protected:
  /// \param memcheck, racecheck what the tools say at the end.
  Execution run(const std::string& memcheck, const std::string& racecheck) const {
    const std::string sanitizer = (folder_ / "sanitizer").string();
    std::ofstream(sanitizer) << "#!/bin/bash\n# --tool T --log-file F PROGRAM …\n\"${@:5}\" || exit\n"
                             << fmt::format("[ $2 = memcheck ] && echo '========= {}' >$4 || echo '========= {}' >$4\n",
                                            memcheck, racecheck);
    std::filesystem::permissions(sanitizer, std::filesystem::perms::owner_all);
    return execute(
        fmt::format("{}/scripts/compute-sanitizer.sh --galerna {} --sanitizer {} --work {} --device cpu --cells 4 "
                    "--tools 'memcheck racecheck' --only threads-p1",
                    GALERNA_SOURCE_DIR, GALERNA_PROGRAM, sanitizer, (folder_ / "work").string()));
  }

  Folder folder_;
};

TEST_F(SanitizerScript, SaysWhatEachToolFound) {
  const Execution clean =
      run("ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)");
  EXPECT_EQ(clean.code, 0) << clean.output;
  EXPECT_EQ(std::count(clean.output.begin(), clean.output.end(), '\n'), 2) << clean.output;
  const Execution race =
      run("ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)");
  EXPECT_EQ(race.code, 1) << race.output;
  expect_contains(race.output, "memcheck   0 errors");
  expect_contains(race.output, "racecheck  2 errors");
}

TEST_F(SanitizerScript, IsNotContentWithoutASummary) {
  const Execution result = run("nothing", "ERROR SUMMARY: 0 errors");
  EXPECT_EQ(result.code, 1) << result.output;
  expect_contains(result.output, "memcheck   no summary");
}

}  // namespace
}  // namespace galerna::tests
