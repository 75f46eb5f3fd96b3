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
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
#endif
  std::error_code error;
  if (std::filesystem::is_other(std::filesystem::status(target_, error))) return;  // a device, among others
  std::string name = (folder / ("." + target_.filename().string() + ".XXXXXX")).string();
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ >= 0) ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t ScratchFile::keep(std::string_view bytes) {
  const std::uint64_t place = end_.fetch_add(bytes.size());
  for (std::uint64_t at = place; !bytes.empty();) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_write_error(target_, errno);
    at += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return place;
}

void ScratchFile::copy(std::uint64_t place, std::uint64_t bytes, AtomicFile& to) const {
  std::vector<char> buffer(std::min<std::uint64_t>(bytes, std::uint64_t{1} << 20));
  while (bytes > 0) {
    const ssize_t count =
        ::pread(descriptor_, buffer.data(), std::min<std::uint64_t>(bytes, buffer.size()), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw_write_error(target_, count < 0 ? errno : EIO);
    to.write(buffer.data(), static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::uint64_t>(count);
  }
}

}  // namespace galerna::files
