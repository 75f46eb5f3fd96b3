// The commit that the program says it was built from: cmake/galerna_commit.cmake in small repositories.
#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "app/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

class QuickCommit : public ::testing::Test {
 protected:
  /// What the generated file says of a folder.
  std::string commit_of(const fs::path& source) const {
    const Execution script = execute(fmt::format("cmake -DSOURCE_DIR={} -DOUTPUT={} -P {}/cmake/galerna_commit.cmake",
                                                 source.string(), output_.string(), GALERNA_SOURCE_DIR));
    EXPECT_EQ(script.code, 0) << script.output;
    std::smatch found;
    const std::string text = text_of(output_);
    return std::regex_search(text, found, std::regex("return \"(.*)\";")) ? found[1].str() : "nothing";
  }
  void git(const std::string& words) const {
    const Execution result =
        execute(fmt::format("git -C {} -c user.name=a -c user.email=a@b {}", folder_.path().string(), words));
    EXPECT_EQ(result.code, 0) << result.output;
  }

  Folder folder_, outside_;
  fs::path output_ = outside_ / "commit.cpp";
};

TEST_F(QuickCommit, IsThatOfTheCheckoutAndSaysWhetherFilesDiffer) {
  if (execute("git --version").code != 0) GTEST_SKIP() << "no git";
  EXPECT_EQ(commit_of(folder_.path()), "");  // as of a tarball
  std::ofstream(folder_ / "file") << "1";
  git("init -q");
  git("add file");
  git("commit -q -m first");
  const std::string commit = commit_of(folder_.path());
  EXPECT_TRUE(std::regex_match(commit, std::regex("[0-9a-f]{7,}"))) << commit;
  const auto written = fs::last_write_time(output_);
  EXPECT_EQ(commit_of(folder_.path()), commit);
  EXPECT_EQ(fs::last_write_time(output_), written) << "nothing changed, so that nothing is to be compiled";
  git("tag v9");
  std::ofstream(folder_ / "file") << "2";
  EXPECT_EQ(commit_of(folder_.path()), commit + "-dirty");
  fs::create_directory(folder_ / "unpacked");  // a tarball inside another repository
  EXPECT_EQ(commit_of(folder_ / "unpacked"), "");
}

TEST_F(QuickCommit, StandsBehindTheVersion) {
  const std::string version = galerna("--version").output;
  EXPECT_TRUE(std::regex_match(version, std::regex("galerna \\d+\\.\\d+\\.\\d+( \\([0-9a-f]{7,}(-dirty)?\\))?\n")))
      << version;
}

}  // namespace
}  // namespace galerna::tests
