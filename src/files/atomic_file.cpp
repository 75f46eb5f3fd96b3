#include "files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace galerna::files {

namespace fs = std::filesystem;

namespace {

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another output directory";
    case EFBIG:
      return "the system limits the size of files (ulimit -f); raise the limit";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose an output directory that you may write to";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case ENOENT:
      return "make its folder first or choose another output directory";
    case ENOTDIR:
      return "a part of the path is a file, not a folder; choose another output directory";
    case EISDIR:
      return "a folder has this name; choose another name or remove the folder";
    default:
      return "check the disk and the path, or choose another output directory";
  }
}

/// The folder that holds `file`.
fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The file behind symbolic links, so that renaming replaces the file and not the link.
fs::path resolve(const fs::path& target) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(target, error))) return target;
  const fs::path resolved = fs::weakly_canonical(target, error);
  return error ? target : resolved;
}

/// Devices and pipes cannot be renamed over.
bool is_stream(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  return fs::is_character_file(status) || fs::is_fifo(status) || fs::is_socket(status) || fs::is_block_file(status);
}

int open_or_throw(const fs::path& file, const fs::path& named, int flags) {
  const int descriptor = ::open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_write_error(named, errno);
  return descriptor;
}

}  // namespace

void throw_write_error(const fs::path& file, int error) {
  throw SystemError("cannot write " + file.string() + ": " + std::strerror(error) + "; " + remedy(error));
}

void write_at(const Descriptor& open, const fs::path& file, std::string_view bytes, std::uint64_t place) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(open.number(), bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_write_error(file, errno);
    place += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

static void throw_directory_error(const fs::path& directory, int error) {
  throw SystemError("cannot make the directory " + directory.string() + ": " + std::strerror(error) + "; " +
                    remedy(error));
}

void create_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error && !fs::is_directory(directory, error) && !error) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw_directory_error(directory, error.value());
}

/// \throws SystemError when something that is not a file has the name.
static void require_file_or_none(const fs::path& target) {
  std::error_code error;
  // What is written first has a longer name.
  const bool there = fs::exists(fs::path(target) += ".4194304.100000.tmp.", error);
  if (!there && error == std::errc::filename_too_long) throw_write_error(target, ENAMETOOLONG);
  if (fs::is_directory(target, error)) throw_write_error(target, EISDIR);
  if (fs::exists(target, error) && !fs::is_regular_file(target, error))
    throw SystemError("cannot write " + target.string() + ": it is not a file; choose another name");
}

void require_writable(const fs::path& directory, const std::vector<std::string>& names) {
  // What is there of the path.
  std::error_code error;
  fs::path there = fs::absolute(directory, error).lexically_normal();
  while (there.has_relative_path() && !fs::exists(fs::symlink_status(there, error))) {
    if (error == std::errc::filename_too_long) throw_directory_error(directory, ENAMETOOLONG);
    there = there.parent_path();
  }
  if (!fs::is_directory(there, error)) throw_directory_error(directory, ENOTDIR);
  if (::access(there.c_str(), W_OK | X_OK) != 0) {
    const int reason = errno;  // before the next call has its own
    if (fs::is_directory(directory, error)) throw_write_error(directory / names.front(), reason);
    throw_directory_error(directory, reason);
  }
  for (const std::string& name : names) require_file_or_none(directory / name);
}

TemporaryFile::TemporaryFile(const fs::path& target) : target_(resolve(target)) {
  static std::atomic<int> counter = 0;
  require_file_or_none(target_);
  temporary_ = folder_of(target_) / ("." + target_.filename().string() + "." + std::to_string(::getpid()) + "." +
                                     std::to_string(counter++) + ".tmp");
  ::close(open_or_throw(temporary_, target_, O_WRONLY | O_CREAT | O_TRUNC));
}

TemporaryFile::~TemporaryFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void TemporaryFile::reserve(std::size_t bytes) const {
  const Descriptor file(open_or_throw(temporary_, target_, O_WRONLY));
  const int error = ::posix_fallocate(file.number(), 0, static_cast<off_t>(bytes));
  if (error != 0 && error != EINVAL && error != EOPNOTSUPP) throw_write_error(target_, error);
  if (::ftruncate(file.number(), 0) != 0) throw_write_error(target_, errno);
}

void TemporaryFile::commit() {
  const Descriptor file(open_or_throw(temporary_, target_, O_RDONLY));
  if (::fsync(file.number()) != 0) throw_write_error(target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_write_error(target_, errno);
  committed_ = true;
  // The new name itself lasts once the folder is flushed. Some file systems cannot do that; the file is whole in any
  // case.
  const Descriptor folder(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) ::fsync(folder.number());
}

AtomicFile::AtomicFile(const fs::path& target) : target_(target) {
  if (is_stream(target)) {
    descriptor_ = open_or_throw(target, target, O_WRONLY);
    return;
  }
  temporary_.emplace(target);
  descriptor_ = open_or_throw(temporary_->path(), target, O_WRONLY);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(target_, errno);
    next += written;
    count -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) throw_write_error(target_, errno);
  if (temporary_) temporary_->commit();
}

void write_file(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

std::string read_file(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) throw InputError({file.string()}, "is a folder, not a file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError({file.string()}, std::string("cannot be read: ") + std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) throw InputError({file.string()}, "cannot be read to its end; check the disk");
  return std::move(text).str();
}

}  // namespace galerna::files
