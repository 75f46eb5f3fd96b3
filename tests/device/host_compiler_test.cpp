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

}  // namespace
}  // namespace galerna::tests
