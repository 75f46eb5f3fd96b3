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

TEST(FileLock, SaysWhichFileCannotBeLocked) {
  EXPECT_THROW(FileLock("/nowhere/lock"), SystemError);
}

}  // namespace
}  // namespace galerna::tests
