// Compilers against what they make of SIMD packs (kernels/lane_check.hpp): those of this machine are right for all its
// instruction sets, and wrong ones are refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/program.hpp"
#include "device/require_compilable.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

/// A compiler for the test's duration: a script.
class Compiler {
 public:
  Compiler(const Folder& folder, const std::string& name, const std::string& script) : file_(folder / name) {
    std::ofstream(file_) << "#!/bin/sh\n" << script << "\n";
    chmod(file_.c_str(), 0700);
    if (const char* before = std::getenv("CXX")) before_ = before;
    setenv("CXX", file_.c_str(), 1);
  }
  ~Compiler() {
    if (before_.empty())
      unsetenv("CXX");
    else
      setenv("CXX", before_.c_str(), 1);
  }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  /// What compiling anything at all ends with; "" if well.
  std::string complaint() const {
    const Folder programs;
    try {
      device::compile({"a program", "#include \"kernels/array.hpp\"\n", {}}, "cpu", programs.path());
    } catch (const SystemError& error) {
      return error.what();
    }
    return "";
  }

  const fs::path& file() const { return file_; }

 private:
  fs::path file_;
  std::string before_;
};

void expect_refused(const std::string& script, const std::string& operation) {
  const Folder folder;
  const Compiler compiler(folder, "wrong-compiler", script);
  const std::string complaint = compiler.complaint();
  EXPECT_NE(complaint.find("computes lanes wrongly (" + operation), std::string::npos) << complaint;
  EXPECT_NE(complaint.find(compiler.file().string()), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("set CXX"), std::string::npos) << complaint;
}

TEST(Compilers, ThatSelectWronglyAreRefused) {
  expect_refused(
      "for word; do case $word in -I*) sed -i 's/m ? x : y/m ? y : x/' ${word#-I}/kernels/pack.hpp;; esac; done\n"
      "exec " +
          device::host_compiler() + " \"$@\"",
      "select");
}

TEST(Compilers, ThatRoundAsTheyLikeAreRefused) {
  expect_refused("exec " + device::host_compiler() + " \"$@\" -ffast-math", "");
}

TEST(Compilers, WhoseProgramsDoNotRunAreRefused) {
  expect_refused(device::host_compiler() +
                     " \"$@\" || exit\nwhile [ \"$1\" != -o ] && [ $# -gt 1 ]; do shift; done\n"
                     "[ \"$1\" != -o ] || printf '#!/bin/sh\\nkill -ILL $$\\n' > \"$2\"",
                 "what it makes does not run here");
}

/// What a compiler has done while this lives.
class Compilations {
 public:
  Compilations() {
    device::on_compile([this](const device::CompileEvent& event) {
      if (event.finished) titles.push_back(event.title);
    });
  }
  ~Compilations() { device::on_compile({}); }
  Compilations(const Compilations&) = delete;
  Compilations& operator=(const Compilations&) = delete;

  std::vector<std::string> titles;
};

/// The cache for the test's duration.
class CacheFolder {
 public:
  explicit CacheFolder(const fs::path& place) {
    if (const char* before = std::getenv("GALERNA_CACHE")) before_ = before;
    setenv("GALERNA_CACHE", place.c_str(), 1);
  }
  ~CacheFolder() { before_.empty() ? unsetenv("GALERNA_CACHE") : setenv("GALERNA_CACHE", before_.c_str(), 1); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

 private:
  std::string before_;
};

std::string complaint_about(const std::string& text) {
  try {
    device::require_compilable(*device::open_device("cpu"), {{"a program", text, {}}});
  } catch (const SystemError& error) {
    return error.what();
  }
  return "";
}

TEST(Compilers, ThatFailAreRefusedBeforeAnyProgram) {
  const Folder folder;
  const Compiler compiler(folder, "broken",
                          "[ \"$1\" != --version ] || { echo broken 1; exit; }\n"
                          "echo In file included from x\necho x: error: no header\nexit 1");
  const CacheFolder cache(folder / "cache");
  const std::string complaint = complaint_about("int a;\n");
  const std::string expected = compiler.file().string() +
                               ": broken 1 fails at a program of a few lines (x: error: no header); set CXX to a C++20 "
                               "compiler";
  EXPECT_NE(complaint.find(expected), std::string::npos) << complaint;
  EXPECT_EQ(compiler.complaint(), complaint);
}

TEST(Compilers, AreTriedWithoutCompilingPrograms) {
  const Folder folder;
  const Compiler compiler(folder, "compiler", "exec " + device::host_compiler() + " \"$@\"");
  const Compilations compiled;
  {
    const CacheFolder cache(folder / "cache");
    for (int time = 0; time < 2; ++time) EXPECT_EQ(complaint_about("#error not compiled\n"), "");
    EXPECT_EQ(compiled.titles, std::vector<std::string>{"check of the compiler"});
  }
  std::ofstream(folder / "file") << "in the way";
  const CacheFolder cache(folder / "file");
  const std::string complaint = complaint_about("int a;\n");
  EXPECT_NE(complaint.find("set GALERNA_CACHE to a directory that can be written"), std::string::npos) << complaint;
}

TEST(Compilers, AreCheckedOnceACache) {
  const Folder folder, programs;
  const Compiler compiler(folder, "compiler", "exec " + device::host_compiler() + " \"$@\"");
  const Compilations compiled;
  for (const std::string text : {"int a;\n", "int a;\n", "int b;\n"})
    device::compile({"a program", text, {}}, "cpu", programs.path());
  EXPECT_EQ(compiled.titles, (std::vector<std::string>{"check of the compiler", "a program", "a program"}));
}

/// g++, g++-N, clang++ and clang++-N of $PATH, each file once.
std::vector<std::string> compilers_at_hand() {
  std::vector<std::string> names = {"g++", "clang++"};
  for (int version = 11; version <= 24; ++version)
    for (const char* name : {"g++-", "clang++-"}) names.push_back(name + std::to_string(version));
  std::set<fs::path> files;
  std::vector<std::string> result;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const std::string& name : names) {
      std::error_code error;
      const fs::path file = fs::path(folder) / name, same = fs::canonical(file, error);
      if (!error && files.insert(same).second) result.push_back(file.string());
    }
  return result;
}

/// What -march takes and this processor runs; what it has beyond AVX2 is native.
std::vector<std::string> instruction_sets() {
  std::vector<std::string> sets = {"native"};
#ifdef __x86_64__
  sets.push_back("x86-64");
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back("x86-64-v3");
#endif
  return sets;
}

TEST(Compilers, OfThisMachineAreRightForAllInstructionSets) {
  for (const std::string& compiler : compilers_at_hand())
    for (const std::string& set : instruction_sets()) {
      const Folder folder;
      const Compiler script(folder, "compiler", "exec " + compiler + " \"$@\" -march=" + set);
      EXPECT_EQ(script.complaint(), "") << compiler << " -march=" << set;
    }
}

}  // namespace
}  // namespace galerna::tests
