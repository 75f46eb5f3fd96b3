/// \file
/// The folder that a run writes.
#pragma once

#include <filesystem>
#include <string>

#include "base/file_lock.hpp"

namespace galerna::files {

/// Makes the folder, and keeps other runs out of it as long as it lives: a lock on the file `.galerna.lock` in it,
/// which ends with the process however that ends.
class OutputFolder {
 public:
  /// \throws SystemError when it cannot be made, or another run, which is named, writes there.
  explicit OutputFolder(const std::filesystem::path& path);

  /// False where the file system knows no locks.
  bool locked() const { return lock_.held(); }

 private:
  FileLock lock_;
};

/// Makes nothing. \throws SystemError when another run, which is named, writes the folder
void require_no_other_run(const std::filesystem::path& path);

/// What to tell where the file system knows no locks.
std::string no_locks(const std::filesystem::path& path);

}  // namespace galerna::files
