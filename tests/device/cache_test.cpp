#include "device/cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/file_lock.hpp"
#include "base/interruption.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;
using device::Recipe;

/// A cache of its own for each test.
class Cache : public ::testing::Test {
 protected:
  Recipe recipe(const std::string& text = "text") const {
    return {"a program", "cpu", ".so", "c++ 1", "-O3", "here", text, true, "", ""};
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
  const fs::path first = device::obtain(recipe(), compiler(), directory_).path();
  EXPECT_EQ(device::obtain(recipe(), compiler(), directory_).path(), first);
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
       {&Recipe::target, &Recipe::compiler, &Recipe::options, &Recipe::machine, &Recipe::text, &Recipe::asked}) {
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
  EXPECT_TRUE(std::any_of(included.begin(), included.end(),
                          [](const device::EmbeddedFile& file) { return file.path == "kernels/points.hpp"; }));
}

TEST_F(Cache, CompilesADamagedEntryAgain) {
  const fs::path program = device::obtain(recipe(), compiler(), directory_).path();
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

TEST_F(Cache, CompilesAnewWhatIsOfAnotherKind) {
  const fs::path program = device::obtain(recipe(), compiler(), directory_).path();
  int compiled = 1;
  for (const char* json : {"", "[]", "3", "\"hash\"", "{}", "{\"hash\": 3}", "{\"hash\": [\"a\"]}", "null", "\xff"}) {
    std::ofstream(fs::path(program).replace_extension(".json"), std::ios::trunc) << json;
    device::obtain(recipe(), compiler(), directory_);
    EXPECT_EQ(calls(), ++compiled) << json;
  }
  for (const char* extension : {".so", ".json", ".log", ".lock"}) {
    const fs::path place = fs::path(program).replace_extension(extension);
    fs::remove(place);
    fs::create_directories(place / "folder");
    if (std::string(extension) != ".so") fs::remove(program);
    EXPECT_EQ(device::obtain(recipe(), compiler(), directory_).text(), "machine code") << extension;
    EXPECT_EQ(calls(), ++compiled) << extension;
  }
  fs::remove(program);
  fs::create_symlink("/dev/zero", program);
  EXPECT_EQ(device::obtain(recipe(), compiler(), directory_).text(), "machine code");
}

TEST_F(Cache, WithoutACompilerTakesWhatAnyCompilerHasMade) {
  Recipe none = recipe();
  none.compiler = none.options = "";
  none.absence = "there is no compiler";
  EXPECT_THROW(device::obtain(none, compiler(), directory_), SystemError);
  const fs::path made = device::obtain(recipe(), compiler(), directory_).path();
  EXPECT_EQ(device::obtain(none, compiler(), directory_).path(), made);
  none.asked = "-O0";
  EXPECT_THROW(device::obtain(none, compiler(), directory_), SystemError);
  EXPECT_EQ(calls(), 1);
}

/// What `work` throws as a SystemError.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const SystemError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Cache, RefusesWhatOthersCanWrite) {
  const auto obtain = [&] { device::obtain(recipe(), compiler(), directory_); };
  obtain();
  const fs::path program = directory_ / (device::key_of(recipe()) + ".so");
  for (const fs::path& place : {directory_, program, fs::path(program).replace_extension(".json")})
    for (const auto more :
         {fs::perms::group_write, fs::perms::others_write, fs::perms::others_write | fs::perms::sticky_bit}) {
      const fs::perms before = fs::status(place).permissions();
      fs::permissions(place, more, fs::perm_options::add);
      const std::string text = refusal(obtain);
      EXPECT_NE(text.find(place.string() + " can be written by others"), std::string::npos) << text;
      EXPECT_EQ(fs::status(place).permissions(), before | more);  // nothing is mended in silence
      fs::permissions(place, before);
    }
  EXPECT_EQ(refusal(obtain), "");
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, RefusesAFolderInOneThatOthersCanWriteUnlessItIsSticky) {
  const fs::path above = directory_ / "above";
  const auto obtain = [&] { device::obtain(recipe(), compiler(), above / "between" / "cache"); };
  obtain();
  fs::permissions(above, fs::perms::all);
  EXPECT_NE(refusal(obtain).find(above.string() + " can be written by others"), std::string::npos);
  fs::permissions(above, fs::perms::all | fs::perms::sticky_bit);
  EXPECT_EQ(refusal(obtain), "");
}

TEST_F(Cache, ClosesItsFilesWhateverTheMask) {
  const mode_t before = umask(0);
  const fs::path program = device::obtain(recipe(), compiler(), directory_ / "new" / "cache").path();
  umask(before);
  EXPECT_EQ(refusal([&] { device::obtain(recipe(), compiler(), program.parent_path()); }), "");
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, RefusesWhatBelongsToOthersUnlessTheyAreNamed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const auto obtain = [&] { device::obtain(recipe(), compiler(), directory_ / "cache"); };
  obtain();
  const fs::path program = directory_ / "cache" / (device::key_of(recipe()) + ".so");
  constexpr uid_t stranger = 54321;
  for (const fs::path& place :
       {directory_, directory_ / "cache", program, fs::path(program).replace_extension(".json")}) {
    ASSERT_EQ(chown(place.c_str(), stranger, -1), 0);
    EXPECT_NE(refusal(obtain).find(place.string() + " belongs to user 54321"), std::string::npos);
    setenv("GALERNA_CACHE_OWNER", "54321", 1);
    EXPECT_EQ(refusal(obtain), "");
    unsetenv("GALERNA_CACHE_OWNER");
    ASSERT_EQ(chown(place.c_str(), 0, -1), 0);
  }
  setenv("GALERNA_CACHE_OWNER", "no such user", 1);
  EXPECT_THROW(obtain(), InputError);
  unsetenv("GALERNA_CACHE_OWNER");
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, OfRootServesUsersWhoCannotWriteIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
  fs::permissions(directory_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::group_read |
                                  fs::perms::others_exec | fs::perms::others_read);
  device::obtain(recipe(), compiler(), directory_);
  const pid_t user = fork();
  if (user == 0) {
    if (setuid(54321) != 0) _exit(2);
    const std::string found = device::obtain(recipe(), compiler(), directory_).text();
    const std::string text = refusal([&] { device::obtain(recipe("other"), compiler(), directory_); });
    _exit(found == "machine code" && text.find("cannot be written") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(user, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, SaysWhomItWaitsForAndHearsAnInterruption) {
  std::array<int, 2> ready{}, end{};
  ASSERT_EQ(pipe(ready.data()), 0);
  ASSERT_EQ(pipe(end.data()), 0);
  const pid_t other = fork();
  if (other == 0) {
    close(end[1]);
    const FileLock lock(directory_ / (device::key_of(recipe()) + ".lock"));
    char byte = 0;
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    _exit(read(end[0], &byte, 1) == 0 ? 0 : 1);  // until the test closes its side
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  std::string waits_for;
  device::on_waiting([&](const std::string&, const std::string& holder) { waits_for = holder; });
  device::on_interruption([&] { return !waits_for.empty(); });
  EXPECT_THROW(device::obtain(recipe(), compiler(), directory_), Interruption);
  device::on_waiting({});
  device::on_interruption({});
  EXPECT_TRUE(waits_for.starts_with("process " + std::to_string(other) + " on ")) << waits_for;
  EXPECT_EQ(calls(), 0);
  for (int side : {end[1], end[0], ready[0], ready[1]}) close(side);
  int status = 0;
  waitpid(other, &status, 0);
}

TEST_F(Cache, GivesCompilersNothingThatLooksLikeAnOption) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  const fs::path program = device::obtain(recipe(), compiler(), "-1").path();
  fs::current_path(before);
  EXPECT_EQ(program.parent_path(), directory_ / "-1");
}

TEST_F(Cache, KnowsWhatIsThereAndWhatCanBeMade) {
  setenv("GALERNA_CACHE", directory_.c_str(), 1);
  EXPECT_FALSE(device::is_in_cache(recipe()));
  device::obtain(recipe(), compiler());
  EXPECT_TRUE(device::is_in_cache(recipe()));
  Recipe other = recipe("other");
  other.absence = "no compiler";
  EXPECT_EQ(refusal([&] { device::is_in_cache(other); }), "no compiler");
  other = recipe();
  other.absence = "no compiler";
  EXPECT_TRUE(device::is_in_cache(other));
  setenv("GALERNA_CACHE", (directory_ / "file").c_str(), 1);
  std::ofstream(directory_ / "file") << "in the way";
  EXPECT_NE(refusal([&] { device::is_in_cache(recipe()); }).find("cannot be made"), std::string::npos);
  unsetenv("GALERNA_CACHE");
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, ClearsNothingThatIsNotItsOwn) {
  setenv("GALERNA_CACHE", directory_.c_str(), 1);
  device::obtain(recipe(), compiler(), directory_);
  std::ofstream(directory_ / "notes.json") << "3";
  std::ofstream(directory_ / ("." + device::key_of(recipe()) + ".1.log")) << "of a process that died";
  fs::create_directories(directory_ / "sources" / "mine");
  fs::create_directories(directory_ / (device::key_of(recipe("other")) + ".so") / "folder");
  EXPECT_EQ(device::list_cache().size(), 1u);
  EXPECT_EQ(device::clear_cache(), 1);
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"notes.json", "sources"}));
  unsetenv("GALERNA_CACHE");
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
