#include "files/output_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "base/error.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

std::string refusal(const std::filesystem::path& folder) {
  try {
    const files::OutputFolder second(folder);
  } catch (const SystemError& error) {
    return error.what();
  }
  return "";
}

TEST(OutputFolder, IsOneRunsAtATimeAndIsLeftClean) {
  const Folder folder;
  std::optional<files::OutputFolder> first(folder / "out");
  EXPECT_TRUE(first->locked());
  const std::string text = refusal(folder / "out");
  EXPECT_NE(text.find("another run writes here: process " + std::to_string(getpid()) + " on "), std::string::npos)
      << text;
  std::filesystem::create_symlink(folder / "out", folder / "link");
  EXPECT_NE(refusal(folder / "link"), "");
  EXPECT_EQ(refusal(folder / "other"), "");
  first.reset();
  EXPECT_EQ(refusal(folder / "out"), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out"));
}

TEST(OutputFolder, IsFreeOnceItsRunWasKilled) {
  const Folder folder;
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t run = fork();
  if (run == 0) {
    const files::OutputFolder lock(folder.path());
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_NE(refusal(folder.path()).find("process " + std::to_string(run)), std::string::npos);
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  EXPECT_EQ(refusal(folder.path()), "");
  close(ready[0]);
  close(ready[1]);
}

TEST(OutputFolder, SaysWhatIsInTheWay) {
  const Folder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_NE(refusal(folder / "file"), "");
  std::filesystem::create_directories(folder / "out" / ".galerna.lock");
  EXPECT_NE(refusal(folder / "out").find(".galerna.lock: cannot be locked"), std::string::npos);
}

}  // namespace
}  // namespace galerna::tests
