#include "base/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.hpp"

namespace galerna {

FileLock::FileLock(const std::filesystem::path& file)
    : descriptor_(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX) != 0)
    throw SystemError(fmt::format("{}: cannot be locked", file.string()));
}

FileLock::~FileLock() {
  close(descriptor_);
}

}  // namespace galerna
