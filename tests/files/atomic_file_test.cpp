#include "files/atomic_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using tests::contains;
using tests::Folder;

/// The message of the SystemError that `action` must throw.
template <typename Action>
std::string system_error(Action action) {
  try {
    action();
  } catch (const SystemError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no SystemError";
  return "";
}

TEST(Files, ReplacesWholeFilesAndLeavesNothingElse) {
  const Folder folder;
  write_file(folder / "a.txt", "first");
  write_file(folder / "a.txt", "second");
  EXPECT_EQ(read_file(folder / "a.txt"), "second");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(Files, WithoutCommitTheFormerFileStays) {
  const Folder folder;
  write_file(folder / "a.txt", "good");
  {
    AtomicFile file(folder / "a.txt");
    file.write("half");
  }
  EXPECT_EQ(read_file(folder / "a.txt"), "good");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(Files, FullDiskKeepsTheFormerFileAndSaysWhatToDo) {
  const Folder folder;
  write_file(folder / "a.txt", "good");
  const std::string message = system_error([&] {
    const tests::FullDisk full(1000);
    write_file(folder / "a.txt", std::string(5000, 'x'));
  });
  EXPECT_TRUE(contains(message, "a.txt"));
  EXPECT_TRUE(contains(message, "limit"));
  EXPECT_EQ(read_file(folder / "a.txt"), "good");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(Files, DevicesAreWrittenToAndNotReplaced) {
  const std::string message = system_error([] { write_file("/dev/full", "text"); });
  EXPECT_TRUE(contains(message, "/dev/full"));
  EXPECT_TRUE(contains(message, "free some space"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  EXPECT_NO_THROW(write_file("/dev/null", "text"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Files, PathsThatCannotBeWritten) {
  const Folder folder;
  write_file(folder / "file", "text");
  EXPECT_TRUE(contains(system_error([&] { write_file(folder / "file/x", "text"); }), "not a folder"));
  EXPECT_TRUE(contains(system_error([&] { files::create_directory(folder / "file/x"); }), "file/x"));
  EXPECT_TRUE(contains(system_error([&] { files::create_directory(folder / "file"); }), "cannot make the directory"));
  EXPECT_TRUE(contains(system_error([&] { write_file(folder / "none/x", "text"); }), "make its folder first"));
  EXPECT_TRUE(contains(system_error([&] { write_file(folder.path(), "text"); }), "a folder has this name"));
  EXPECT_EQ(read_file(folder / "file"), "text");
}

TEST(Files, DirectoriesAreMadeWithThoseAbove) {
  const Folder folder;
  files::create_directory(folder / "a/b/c");
  files::create_directory(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
}

TEST(Files, SymbolicLinksAreFollowed) {
  const Folder folder;
  write_file(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
}

TEST(Files, ReadingWhatIsNotThere) {
  const Folder folder;
  EXPECT_THROW(read_file(folder / "none"), InputError);
  EXPECT_THROW(read_file(folder.path()), InputError);
}

}  // namespace
}  // namespace galerna::files
