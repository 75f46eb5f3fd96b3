#include "files/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

namespace galerna::files {

ScratchFile::ScratchFile(std::filesystem::path target) : target_(std::move(target)) {
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
#ifdef O_TMPFILE
  open_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (open_.is_open()) return;
#endif
  std::error_code error;
  if (std::filesystem::is_other(std::filesystem::status(target_, error))) return;  // a device, among others
  std::string name = (folder / ("." + target_.filename().string() + ".XXXXXX")).string();
  open_ = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (open_.is_open()) ::unlink(name.c_str());
}

std::uint64_t ScratchFile::keep(std::string_view bytes) {
  const std::uint64_t place = end_.fetch_add(bytes.size());
  write_at(open_, target_, bytes, place);
  return place;
}

void ScratchFile::copy(std::uint64_t place, std::uint64_t bytes, AtomicFile& to) const {
  std::vector<char> buffer(std::min<std::uint64_t>(bytes, std::uint64_t{1} << 20));
  while (bytes > 0) {
    const ssize_t count = ::pread(open_.number(), buffer.data(), std::min<std::uint64_t>(bytes, buffer.size()),
                                  static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw_write_error(target_, count < 0 ? errno : EIO);
    to.write(buffer.data(), static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::uint64_t>(count);
  }
}

}  // namespace galerna::files
