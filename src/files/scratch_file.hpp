/// \file
/// Bytes that wait on the disk until they are put into a file.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "files/atomic_file.hpp"

namespace galerna::files {

/// A file without a name in the folder of the one that is written, on whose disk there must be room for both. It goes
/// with the process, however that ends.
class ScratchFile {
 public:
  explicit ScratchFile(std::filesystem::path target);

  /// False where the folder takes no such file.
  bool is_open() const { return open_.is_open(); }
  /// From any thread. \returns where the bytes are \throws SystemError that names the target
  std::uint64_t keep(std::string_view bytes);
  /// Writes what is kept there behind what the file has.
  void copy(std::uint64_t place, std::uint64_t bytes, AtomicFile& to) const;

 private:
  std::filesystem::path target_;
  Descriptor open_;
  std::atomic<std::uint64_t> end_ = 0;
};

}  // namespace galerna::files
