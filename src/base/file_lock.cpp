#include "base/file_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/error.hpp"
#include "base/host_name.hpp"

namespace galerna {
namespace {

constexpr const char* signature_begin = "process ";

std::string signature() {
  return fmt::format("{}{} on {} since {:%Y-%m-%d %H:%M:%S} UTC", signature_begin, getpid(), host_name(),
                     fmt::gmtime(std::time(nullptr)));
}

/// The first line of the file, without anything that a terminal would obey.
std::string first_line(int descriptor) {
  std::array<char, 400> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  std::string line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  line = line.substr(0, line.find('\n'));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  return line;
}

std::string holder(int descriptor) {
  const std::string line = first_line(descriptor);
  return line.starts_with(signature_begin) ? line : "another process";
}

bool knows_no_locks(int error) {
  return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file, const Waiting& waiting) : file_(file) {
  try {
    do {
      if (descriptor_ >= 0) close(descriptor_);
      descriptor_ = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0644);
      if (descriptor_ < 0)
        throw SystemError(fmt::format("{}: cannot be locked: {}", file.string(), std::strerror(errno)));
      held_ = lock(waiting);
    } while (held_ && !is_current());
  } catch (...) {
    if (descriptor_ >= 0) close(descriptor_);
    throw;
  }
  if (held_) sign();
}

std::string FileLock::holder_of(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return "";
  const bool taken = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const std::string text = taken ? holder(descriptor) : "";
  close(descriptor);
  return text;
}

/// Waits; false where there are no locks.
bool FileLock::lock(const Waiting& waiting) {
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (knows_no_locks(errno)) return false;
    if (errno != EWOULDBLOCK && errno != EINTR)
      throw SystemError(fmt::format("{}: cannot be locked: {}", file_.string(), std::strerror(errno)));
    if (waiting) waiting(holder(descriptor_));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

/// Whether the name still means the locked file: who held it before has removed it.
bool FileLock::is_current() const {
  struct stat named {
  }, opened{};
  return stat(file_.c_str(), &named) == 0 && fstat(descriptor_, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

/// Only in a file of its own: a user may have named another one.
void FileLock::sign() {
  const std::string before = first_line(descriptor_);
  if (!before.empty() && !before.starts_with(signature_begin)) return;
  const std::string text = signature() + "\n";
  signed_ = ftruncate(descriptor_, 0) == 0 &&
            pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

FileLock::~FileLock() {
  if (signed_) unlink(file_.c_str());
  close(descriptor_);
}

}  // namespace galerna
