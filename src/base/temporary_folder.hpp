/// \file
/// Folders for what is of no use once those who made it have ended.
#pragma once

#include <filesystem>

namespace galerna {

/// A folder of the system's temporary one, which goes with it.
class TemporaryFolder {
 public:
  /// \throws SystemError where none can be made
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace galerna
