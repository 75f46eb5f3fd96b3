#include "device/trusted_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/environment.hpp"

namespace galerna::device {

namespace fs = std::filesystem;

namespace {

constexpr const char* owner_variable = "GALERNA_CACHE_OWNER";

/// The system's functions that look up users and groups are for one thread at a time.
std::mutex& lookups() {
  static std::mutex mutex;
  return mutex;
}

std::string name_of(uid_t user) {
  const std::lock_guard lock(lookups());
  const passwd* entry = getpwuid(user);
  return entry ? entry->pw_name : "";
}

/// The user that the setting names. \throws InputError if there is none.
std::optional<uid_t> named_owner() {
  const std::string set = environment(owner_variable);
  if (set.empty()) return {};
  uid_t number = 0;
  const auto [end, error] = std::from_chars(set.data(), set.data() + set.size(), number);
  if (error == std::errc() && end == set.data() + set.size()) return number;
  const std::lock_guard lock(lookups());
  if (const passwd* entry = getpwnam(set.c_str())) return entry->pw_uid;
  throw InputError({owner_variable}, fmt::format("there is no user \"{}\"; give the name or number of a user", set));
}

/// \throws InputError if the setting names nobody, whoever the owner is
bool is_trusted(uid_t owner) {
  const std::optional<uid_t> named = named_owner();
  return owner == 0 || owner == geteuid() || owner == named;
}

/// Whether nobody but the user is in the group, which many systems make for each user.
bool is_group_of(uid_t user, gid_t number) {
  const std::string name = name_of(user);
  const std::lock_guard lock(lookups());
  const group* entry = user == 0 ? nullptr : getgrgid(number);
  return entry && name == entry->gr_name && (!entry->gr_mem[0] || (name == entry->gr_mem[0] && !entry->gr_mem[1]));
}

/// \param path of what has this status
void require_trusted_owner(const fs::path& path, const struct stat& status) {
  if (is_trusted(status.st_uid)) return;
  const std::string name = name_of(status.st_uid);
  const std::string user = name.empty() ? std::to_string(status.st_uid) : name;
  throw UnusableFile(
      fmt::format("{} belongs to {}, who could put code into your runs; set GALERNA_CACHE to a folder of your own, or "
                  "{}={} if you trust them",
                  path.string(), name.empty() ? "user " + user : user, owner_variable, user));
}

[[noreturn]] void refuse_writable(const fs::path& path, const struct stat& status, const std::string& remedy) {
  throw UnusableFile(fmt::format("{} can be written by others (mode {:04o}), who could put code into your runs; {}",
                                 path.string(), status.st_mode & 07777, remedy));
}

bool is_open_to_others(const struct stat& status) {
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

/// In a sticky folder others cannot rename or remove what is not theirs.
void require_closed_above(const fs::path& path, const struct stat& status) {
  require_trusted_owner(path, status);
  const bool group_only = (status.st_mode & S_IWOTH) == 0 && is_group_of(status.st_uid, status.st_gid);
  if (is_open_to_others(status) && (status.st_mode & S_ISVTX) == 0 && !group_only)
    refuse_writable(path, status,
                    fmt::format("run chmod go-w {}, or set GALERNA_CACHE to a folder elsewhere", path.string()));
}

fs::path path_of(const Descriptor& folder) {
  std::error_code error;
  return fs::read_symlink(fmt::format("/proc/self/fd/{}", folder.number()), error);
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Up to the root, by what is above the open folder in truth: symbolic links on its path do not matter.
void require_closed_folders(const Descriptor& folder, struct stat status) {
  Descriptor above(openat(folder.number(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  while (true) {
    struct stat next {};
    if (above.number() < 0 || fstat(above.number(), &next) != 0)
      throw UnusableFile(
          fmt::format("the folders above {} cannot be looked at ({}), so that nobody knows who may write "
                      "there; set GALERNA_CACHE to a folder elsewhere",
                      path_of(folder).string(), std::strerror(errno)));
    if (is_same(next, status)) return;
    require_closed_above(path_of(above), next);
    status = next;
    above = Descriptor(openat(above.number(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
}

}  // namespace

std::optional<TrustedFile> TrustedFile::open(const TrustedFolder& folder, const std::string& name) {
  // Neither waits for what writes to a pipe nor follows a link out of the folder.
  Descriptor file(
      openat(folder.descriptor().number(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const fs::path path = folder.path() / name;
  require_trusted_owner(path, status);
  if (is_open_to_others(status)) refuse_writable(path, status, "remove it: galerna cache --clear empties the cache");
  return TrustedFile(path, std::move(file));
}

fs::path TrustedFile::open_path() const {
  return fmt::format("/proc/self/fd/{}", descriptor_.number());
}

std::pair<dev_t, ino_t> TrustedFile::identity() const {
  struct stat status {};
  fstat(descriptor_.number(), &status);
  return {status.st_dev, status.st_ino};
}

std::string TrustedFile::text() const {
  std::string text;
  std::array<char, 1 << 16> buffer;
  ssize_t size = 0;
  while ((size = pread(descriptor_.number(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(size));
  return text;
}

std::optional<TrustedFolder> TrustedFolder::open(const fs::path& path) {
  Descriptor folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (folder.number() < 0 || fstat(folder.number(), &status) != 0) return {};
  require_trusted_owner(path, status);
  if (is_open_to_others(status))
    refuse_writable(path, status,
                    fmt::format("run chmod go-w {} and then galerna cache --clear, which empties it, or set "
                                "GALERNA_CACHE to another folder",
                                path.string()));
  require_closed_folders(folder, status);
  return TrustedFolder(path, std::move(folder));
}

std::vector<std::string> TrustedFolder::names() const {
  std::vector<std::string> names;
  const int readable = openat(descriptor_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = readable < 0 ? nullptr : fdopendir(readable);
  if (!stream) return names;
  while (const dirent* entry = readdir(stream)) names.emplace_back(entry->d_name);
  closedir(stream);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace galerna::device
