#include "device/cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;
using device::Recipe;

/// A cache of its own for each test.
class Cache : public ::testing::Test {
 protected:
  Recipe recipe(const std::string& text = "text") const {
    return {"a program", "cpu", ".so", "c++ 1", "-O3", "here", text};
  }

  /// Notes each compilation as a line of `calls`, so that those of other processes count too.
  device::Compile compiler(double seconds = 0) const {
    const fs::path calls = calls_file();
    return [calls, seconds](const fs::path& program, const fs::path& log) {
      std::ofstream(calls, std::ios::app) << "x\n";
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      std::ofstream(program) << "machine code";
      std::ofstream(log) << "a warning\n";
      return true;
    };
  }
  fs::path calls_file() const { return directory_.string() + ".calls"; }
  int calls() const {
    std::ifstream file(calls_file());
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  ~Cache() override { fs::remove(calls_file()); }

  Folder folder_;
  const fs::path directory_ = folder_.path();
};

TEST_F(Cache, CompilesOnce) {
  const fs::path first = device::obtain(recipe(), compiler(), directory_);
  EXPECT_EQ(device::obtain(recipe(), compiler(), directory_), first);
  EXPECT_EQ(calls(), 1);
  EXPECT_TRUE(fs::exists(first));
}

TEST(ProgramSource, IsCompiledFromItsTextAndItsHeaders) {
  device::ProgramSource source{"title", "#include \"own.hpp\"\n", {}, {{"own.hpp", "int a;\n", "/here/my own.hpp"}}};
  const std::string all = device::whole_text(source);
  source.headers[0].shown = "/there/own.hpp";  // where the file is does not matter
  EXPECT_EQ(device::whole_text(source), all);
  source.headers[0].text = "int b;\n";
  EXPECT_NE(device::whole_text(source), all);
  EXPECT_EQ(device::numbered_text({"own.hpp", "int a;\n", "/a \"b\".hpp"}), "#line 1 \"/a \\\"b\\\".hpp\"\nint a;\n");
}

TEST_F(Cache, TellsProgramsApartByEveryPartOfTheRecipe) {
  const std::string key = device::key_of(recipe());
  EXPECT_EQ(key.size(), 32u);
  for (std::string Recipe::*part :
       {&Recipe::target, &Recipe::compiler, &Recipe::options, &Recipe::machine, &Recipe::text}) {
    Recipe other = recipe();
    other.*part += "!";
    EXPECT_NE(device::key_of(other), key);
  }
}

TEST_F(Cache, TellsProgramsApartByTheHeadersThatTheyInclude) {
  std::vector<device::EmbeddedFile> files = {{"kernels/a.hpp", "#include \"kernels/c.hpp\"\n"},
                                             {"kernels/b.hpp", "int b;\n"},
                                             {"kernels/c.hpp", "#  include <kernels/a.hpp>\nint c;\n"}};
  const Recipe program = recipe("#include \"kernels/a.hpp\"\n");
  const std::string key = device::key_of(program, files);
  files[1].text = "int other;\n";
  EXPECT_EQ(device::key_of(program, files), key);
  files[2].text = "#  include <kernels/a.hpp>\nint other;\n";
  EXPECT_NE(device::key_of(program, files), key);
  EXPECT_EQ(device::included_files("#include <cmath>\n#include \"kernels/b.hpp\"\n", files).size(), 1u);
  EXPECT_EQ(device::included_files(program.text, files).size(), 2u);
}

TEST_F(Cache, CountsAHeaderThatOnlyAHeaderOfTheUserIncludes) {
  const device::ProgramSource source{
      "title", "#include \"own.hpp\"\n", {}, {{"own.hpp", "#include \"kernels/points.hpp\"\n", "own.hpp"}}};
  const auto included = device::included_files(device::whole_text(source));
  ASSERT_FALSE(included.empty());
  EXPECT_LT(included.size(), device::embedded_kernels().size());
  EXPECT_EQ(included.back().path, "kernels/points.hpp");
}

TEST_F(Cache, CompilesADamagedEntryAgain) {
  const fs::path program = device::obtain(recipe(), compiler(), directory_);
  std::ofstream(program, std::ios::app) << "garbage";
  device::obtain(recipe(), compiler(), directory_);
  EXPECT_EQ(calls(), 2);
  EXPECT_EQ(fs::file_size(program), std::string("machine code").size());
  fs::resize_file(fs::path(program).replace_extension(".json"), 5);
  device::obtain(recipe(), compiler(), directory_);
  EXPECT_EQ(calls(), 3);
}

TEST_F(Cache, LetsOneProcessCompileWhileOthersWait) {
  for (int i = 0; i < 4; ++i)
    if (fork() == 0) {
      device::obtain(recipe(), compiler(0.3), directory_);
      _exit(0);
    }
  for (int i = 0; i < 4; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, ShowsTheCompilersLogOnFailureAndKeepsIt) {
  const device::Compile fails = [](const fs::path&, const fs::path& log) {
    std::ofstream(log) << "euler.hpp:12:3: error: expected ';'\n";
    return false;
  };
  try {
    device::obtain(recipe(), fails, directory_);
    FAIL();
  } catch (const SystemError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("euler.hpp:12:3: error: expected ';'"), std::string::npos) << text;
    EXPECT_NE(text.find("full log: " + (directory_ / device::key_of(recipe())).string() + ".log"), std::string::npos)
        << text;
  }
  EXPECT_TRUE(fs::exists(directory_ / (device::key_of(recipe()) + ".log")));
  device::obtain(recipe(), compiler(), directory_);
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, TakesWriteAccessFromOthers) {
  chmod(directory_.c_str(), 0777);
  device::obtain(recipe(), compiler(), directory_);
  struct stat status {};
  stat(directory_.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(Cache, SaysWhatToDoWhenItCannotBeMade) {
  std::ofstream(directory_ / "file") << "in the way";
  try {
    device::obtain(recipe(), compiler(), directory_ / "file" / "cache");
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("set GALERNA_CACHE to a directory that can be written"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace galerna::tests
