#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "base/interruption.hpp"
#include "device/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

/// A compiler that has a version, and then takes for ever and does nothing else.
void write_slow_compiler(const std::filesystem::path& file) {
  std::ofstream(file) << "#!/bin/sh\nif [ \"$1\" = --version ]; then echo slow; exit; fi\ntouch \"$0.begun\"\n"
                         "sleep 100 & wait\n";
  chmod(file.c_str(), 0700);
}

TEST(HostCompiler, IsEndedWhenNobodyWantsItsResultAnyMore) {
  Folder folder;
  const auto compiler = folder / "compiler", begun = folder / "compiler.begun";
  write_slow_compiler(compiler);
  setenv("CXX", compiler.c_str(), 1);
  device::on_interruption([&] { return std::filesystem::exists(begun); });
  EXPECT_THROW(device::compile({"a program", "int a;", {}}, "cpu", folder / "programs"), Interruption);
  EXPECT_TRUE(std::filesystem::exists(begun));
  device::on_interruption({});
  unsetenv("CXX");
}

/// Programs that compile are kept even where another one does not; what is wrong there is told when all have ended, and
/// the same program twice is compiled once.
TEST(SideBySide, ProgramsAreCompiledAndErrorsTold) {
  const Folder folder;
  const auto sources = [](const std::string& last) {
    std::vector<device::ProgramSource> result;
    for (const char* name : {"a", "b", "a", "c"})
      result.push_back({name, std::string("#include \"kernels/array.hpp\"\nint ") + name + ";\n", {}});
    result.push_back({"the last", last, {}});
    return result;
  };
  std::vector<std::string> begun, ended;
  device::on_compile([&](const device::CompileEvent& e) { (e.finished ? ended : begun).push_back(e.title); });
  EXPECT_THROW(device::compile_all(sources("#include \"kernels/array.hpp\"\nthis is not C++\n"), "cpu", folder.path()),
               device::CompileError);
  EXPECT_EQ(begun.size(), 5u);  // with the check of the compiler
  EXPECT_EQ(ended.size(), 4u);
  const auto files = device::compile_all(sources("#include \"kernels/array.hpp\"\nint d;\n"), "cpu", folder.path());
  device::on_compile({});
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0], files[2]);
  EXPECT_NE(files[0], files[1]);
  EXPECT_EQ(begun.size(), 6u);
  for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

}  // namespace
}  // namespace galerna::tests
