#include "base/file_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <optional>

#include "base/error.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

TEST(FileLock, IsHeldByOneAsLongAsItLives) {
  const Folder folder;
  const auto file = folder / "lock";
  std::optional<FileLock> lock(file);
  const int other = open(file.c_str(), O_RDWR);
  EXPECT_NE(flock(other, LOCK_EX | LOCK_NB), 0);
  lock.reset();
  EXPECT_EQ(flock(other, LOCK_EX | LOCK_NB), 0);
  close(other);
}

TEST(FileLock, SaysWhoHoldsItAndIsGoneAtTheEnd) {
  const Folder folder;
  const auto file = folder / "lock";
  std::string told;
  {
    const FileLock lock(file);
    EXPECT_TRUE(lock.held());
    EXPECT_THROW(FileLock(file,
                          [&](const std::string& holder) {
                            told = holder;
                            throw SystemError("not waiting");
                          }),
                 SystemError);
  }
  EXPECT_TRUE(told.starts_with("process " + std::to_string(getpid()) + " on ")) << told;
  EXPECT_NE(told.find(" since 20"), std::string::npos) << told;
  EXPECT_TRUE(folder.names().empty());
}

TEST(FileLock, TakesOverFromAProcessThatDied) {
  const Folder folder;
  std::ofstream(folder / "lock") << "process 1 on elsewhere since long ago\n";
  const FileLock lock(folder / "lock");
  EXPECT_TRUE(text_of(folder / "lock").starts_with("process " + std::to_string(getpid())));
}

TEST(FileLock, LeavesAnotherFileAsItIs) {
  const Folder folder;
  std::ofstream(folder / "notes") << "mine";
  { const FileLock lock(folder / "notes"); }
  EXPECT_EQ(text_of(folder / "notes"), "mine");
}

TEST(FileLock, SaysWhichFileCannotBeLocked) {
  EXPECT_THROW(FileLock("/nowhere/lock"), SystemError);
}

}  // namespace
}  // namespace galerna::tests
