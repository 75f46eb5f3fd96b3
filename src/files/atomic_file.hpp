/// \file
/// Files that are either whole or not there: written under a temporary name in the same folder, flushed to the disk,
/// renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"

namespace galerna::files {

/// Makes the directory and those above it. \throws SystemError when it cannot be made or something else is in its
/// place.
void create_directory(const std::filesystem::path& directory);

/// Whether the directory could be made or files written into it, and none of the names there is that of something else
/// than a file; makes nothing. \throws SystemError as create_directory() and TemporaryFile would
void require_writable(const std::filesystem::path& directory, const std::vector<std::string>& names);

/// Reserves a temporary name beside `target` for a library that writes the file itself. Unless commit() succeeds, the
/// temporary file is removed and a former `target` stays as it was. A symbolic link is followed, not replaced.
class TemporaryFile {
 public:
  /// Creates the empty temporary file. \throws SystemError when the folder is missing or not writable, or when
  /// something that is not a file has the name `target`.
  explicit TemporaryFile(const std::filesystem::path& target);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }

  /// Makes sure that the disk has room for `bytes` more. \throws SystemError when it has not.
  void reserve(std::size_t bytes) const;

  /// Flushes the file to the disk and gives it its final name. \throws SystemError.
  void commit();

 private:
  std::filesystem::path target_, temporary_;
  bool committed_ = false;
};

/// Writes piece by piece to a temporary file; commit() gives it its final name. A target that is a device or a pipe
/// (/dev/stdout) is written to directly.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// \throws SystemError naming the file, what the system says (full disk, …) and what to do; so do all members.
  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

 private:
  std::filesystem::path target_;
  std::optional<TemporaryFile> temporary_;
  int descriptor_ = -1;
};

/// Replaces the file's whole content.
void write_file(const std::filesystem::path& target, std::string_view content);

/// The file's whole content. \throws InputError when it is not there or cannot be read.
std::string read_file(const std::filesystem::path& file);

/// An error of the system while writing `file`: what the number `error` (errno) means and what can be done about it.
[[noreturn]] void throw_write_error(const std::filesystem::path& file, int error);

/// Writes to a place of an open file, from any thread. \param file named by an error \throws SystemError
void write_at(const Descriptor& open, const std::filesystem::path& file, std::string_view bytes, std::uint64_t place);

}  // namespace galerna::files
