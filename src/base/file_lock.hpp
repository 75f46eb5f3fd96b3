/// \file
/// Files that processes wait for.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace galerna {

/// Holds an exclusive lock on a file, which is created where it is not there. The system releases the lock even if the
/// process dies. While it is held, the file says by whom; at the end it is removed.
class FileLock {
 public:
  /// Told several times a second who holds the lock ("process 123 on node7 since 2026-01-31 12:00:00 UTC"); may throw
  /// in order not to wait on.
  using Waiting = std::function<void(const std::string& holder)>;

  /// Waits for the lock. Where the file system knows no locks there is none, and held() says so.
  /// \throws SystemError
  explicit FileLock(const std::filesystem::path& file, const Waiting& waiting = {});
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool held() const { return held_; }

  /// Who holds the lock on a file now; "" where nobody does, or the file is not there. Makes nothing.
  static std::string holder_of(const std::filesystem::path& file);

 private:
  bool lock(const Waiting& waiting);
  bool is_current() const;
  void sign();

  std::filesystem::path file_;
  int descriptor_ = -1;
  bool held_ = false, signed_ = false;
};

}  // namespace galerna
