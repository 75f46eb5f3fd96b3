#include "files/output_folder.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "files/atomic_file.hpp"

namespace galerna::files {
namespace {

constexpr const char* lock_name = ".galerna.lock";

std::filesystem::path lock_file_in(const std::filesystem::path& folder) {
  files::create_directory(folder);
  return folder / lock_name;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& holder) {
  throw SystemError(
      fmt::format("{}: another run writes here: {}; choose another folder with --output, or let that run end",
                  path.string(), holder));
}

}  // namespace

void require_no_other_run(const std::filesystem::path& path) {
  if (const std::string holder = FileLock::holder_of(path / lock_name); !holder.empty()) refuse(path, holder);
}

OutputFolder::OutputFolder(const std::filesystem::path& path)
    : lock_(lock_file_in(path), [&](const std::string& holder) { refuse(path, holder); }) {}

std::string no_locks(const std::filesystem::path& path) {
  return fmt::format("{}: the file system knows no locks, so that nothing keeps another run from writing there",
                     path.string());
}

}  // namespace galerna::files
