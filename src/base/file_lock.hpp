/// \file
/// Files that processes wait for.
#pragma once

#include <filesystem>

namespace galerna {

/// Holds an exclusive lock on a file, which is created where it is not there; the system releases it even if the
/// process dies. \throws SystemError
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace galerna
