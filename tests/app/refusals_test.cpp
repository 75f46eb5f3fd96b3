// What `run` refuses, `check` refuses.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"
#include "base/error.hpp"
#include "base/file_lock.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

class QuickRefusals : public ::testing::Test {
 protected:
  QuickRefusals() {
    write_square(folder, 2);
    std::ofstream(folder / "case.toml") << periodic_square << density_wave
                                        << "[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 0.01\n";
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  Folder folder;
};

TEST_F(QuickRefusals, RefusesDevicesThatNobodyCanHave) {
  for (const std::string command : {"run ", "check "})
    for (const std::string name : {"cuda:x", "cuda:-1", "cuda:99999999999999", "gpu"}) {
      const Execution result = galerna(command + path("case.toml") + " --device " + name);
      EXPECT_EQ(result.code, static_cast<int>(ExitCode::wrong_input)) << result.output;
      expect_contains(result.output, "--device: error: unknown device \"" + name + "\"");
    }
}

TEST_F(QuickRefusals, SaysWhichGroupsLieInsideTheDomain) {
  std::ofstream(folder / "square.msh")
      << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 2 \"wall\"\n1 3 \"inside\"\n2 1 \"gas\"\n"
         "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0.5 1 0\n4 0.5 -1 0\n$EndNodes\n$Elements\n7\n"
         "1 1 2 2 2 1 3\n2 1 2 2 2 3 2\n3 1 2 2 2 1 4\n4 1 2 2 2 4 2\n5 1 2 3 3 1 2\n6 2 2 1 1 1 2 3\n"
         "7 2 2 1 1 1 4 2\n$EndElements\n";
  std::ofstream(folder / "case.toml") << "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[initial]\n"
                                         "density = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n"
                                         "[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 0.01\n"
                                         "[boundary.wall]\ntype = \"slip-wall\"\n";
  const std::string check = "check " + path("case.toml") + " --device cpu";
  const Execution silent = galerna(check);
  EXPECT_EQ(silent.code, 0) << silent.output;
  expect_contains(silent.output,
                  "1 side of the physical group \"inside\" lies inside the domain, between two elements");
  const Execution named = galerna(check + " --set boundary.inside.type=slip-wall");
  EXPECT_EQ(named.code, 2);
  expect_contains(named.output, "the mesh's physical group \"inside\" lies inside the domain, between elements");
}

TEST_F(QuickRefusals, ReadsNoCaseThatHasNoEnd) {
  for (const std::string command : {"run ", "check "}) {
    const Execution device = galerna(command + "/dev/zero");
    EXPECT_EQ(device.code, static_cast<int>(ExitCode::wrong_input));
    expect_contains(device.output, "/dev/zero: error: the case is not a file");
  }
  const Execution pipe = execute("yes '# no end' | " + std::string(GALERNA_PROGRAM) + " check /dev/stdin");
  EXPECT_EQ(pipe.code, static_cast<int>(ExitCode::wrong_input));
  expect_contains(pipe.output, "is larger than 16 MB");
}

TEST_F(QuickRefusals, RefusesFoldersThatItCannotWriteBeforeARun) {
  const std::string name(300, 'a');
  for (const std::string command : {"run ", "check "}) {
    const std::string words = command + path("case.toml") + " --device cpu --set output.directory=";
    const Execution longer = galerna(words + path(name));
    EXPECT_EQ(longer.code, static_cast<int>(ExitCode::system_failure)) << longer.output;
    expect_contains(longer.output, "File name too long; choose a shorter name");
    const Execution null = galerna(words + "'\"a\\u0000b\"'");
    EXPECT_EQ(null.code, static_cast<int>(ExitCode::wrong_input)) << null.output;
    expect_contains(null.output, "directory has the character NUL");
  }
}

TEST_F(QuickRefusals, RefusesAFolderThatAnotherRunWritesBeforeARun) {
  fs::create_directory(folder / "out");
  const FileLock other(folder / "out/.galerna.lock");
  for (const std::string command : {"run ", "check "}) {
    const Execution result =
        galerna(command + path("case.toml") + " --device cpu --set output.directory=" + path("out"));
    EXPECT_EQ(result.code, static_cast<int>(ExitCode::system_failure)) << result.output;
    expect_contains(result.output, "another run writes here: process ");
  }
}

}  // namespace
}  // namespace galerna::tests
