/// \file
/// Files whose content may be run: they belong to the user, to root or to $GALERNA_CACHE_OWNER, and nobody else can
/// have written them. What is checked is the open file or folder, so that nothing can take its place afterwards.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace galerna::device {

/// A file or folder that others can write, or a folder that cannot be written.
class UnusableFile : public SystemError {
 public:
  using SystemError::SystemError;
};

class TrustedFolder;

/// A regular file, open to be read.
class TrustedFile {
 public:
  /// Nothing where no regular file has the name. \throws UnusableFile if others can have written it.
  static std::optional<TrustedFile> open(const TrustedFolder& folder, const std::string& name);

  /// Its name when it was opened.
  const std::filesystem::path& path() const { return path_; }
  /// A name of the open file in this process, whatever others do with its path.
  std::filesystem::path open_path() const;
  /// Device and number, by which the system knows it.
  std::pair<dev_t, ino_t> identity() const;
  /// Its whole content.
  std::string text() const;
  Descriptor& descriptor() { return descriptor_; }

 private:
  TrustedFile(std::filesystem::path path, Descriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// A folder in which others can change nothing, nor in those above it.
class TrustedFolder {
 public:
  /// Nothing where there is no such folder. \throws UnusableFile if others can change what is in it.
  static std::optional<TrustedFolder> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  const Descriptor& descriptor() const { return descriptor_; }
  /// Names of what is in it, sorted.
  std::vector<std::string> names() const;

 private:
  TrustedFolder(std::filesystem::path path, Descriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::filesystem::path path_;
  Descriptor descriptor_;
};

}  // namespace galerna::device
