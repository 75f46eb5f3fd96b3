#include "device/cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/file_lock.hpp"
#include "base/interruption.hpp"
#include "base/standard_streams.hpp"
#include "base/version.hpp"
#include "device/compile_times.hpp"

namespace galerna::device {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t key_digits = 32;

std::string hash_of(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream)
    throw SystemError(fmt::format("{}: cannot be written; set GALERNA_CACHE to a directory that can", file.string()));
}

std::string last_lines(const std::string& text, std::size_t count) {
  std::size_t begin = text.size();
  for (std::size_t lines = 0; begin > 0 && lines <= count; --begin)
    if (text[begin - 1] == '\n' && ++lines > count) break;
  return text.substr(begin);
}

/// Makes the folder and those above it; others may read them.
void make_folder(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0755) == 0 || errno != ENOENT || !folder.has_parent_path()) return;
  make_folder(folder.parent_path());
  mkdir(folder.c_str(), 0755);
}

/// The folder, made where it is not there. \throws UnusableFile when it cannot be written or others can write it.
TrustedFolder writable_folder(const fs::path& path) {
  errno = 0;
  make_folder(path);
  const int error = errno;
  auto folder = TrustedFolder::open(path);
  if (!folder)
    throw UnusableFile(
        fmt::format("the kernel cache {} cannot be made ({}); set GALERNA_CACHE to a directory that can be written",
                    path.string(), std::strerror(error == EEXIST ? ENOTDIR : error)));
  if (faccessat(folder->descriptor().number(), ".", W_OK | X_OK, AT_EACCESS) != 0)
    throw UnusableFile(fmt::format(
        "the kernel cache {} cannot be written ({}), and lacks kernels of this case; set GALERNA_CACHE to a directory "
        "that can be, or fill it with galerna cache --build CASE.toml where it can be",
        path.string(), std::strerror(errno)));
  return std::move(*folder);
}

/// Directories with programs that were built with galerna: read only.
std::vector<fs::path> installed_programs() {
  std::vector<fs::path> places;
  if (const std::string set = environment("GALERNA_PROGRAMS"); !set.empty()) places.emplace_back(set);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back(program.parent_path() / "programs");
    places.push_back(program.parent_path().parent_path() / "lib" / "galerna" / "programs");
  }
  return places;
}

std::string text_in(const nlohmann::json& json, const char* key) {
  if (!json.is_object() || !json.contains(key) || !json[key].is_string()) return "";
  return json[key].get<std::string>();
}

/// What is written in an entry's description; null where that is none.
nlohmann::json read_description(const TrustedFolder& folder, const std::string& key) {
  const auto file = TrustedFile::open(folder, key + ".json");
  return file ? nlohmann::json::parse(file->text(), nullptr, false) : nlohmann::json();
}

/// The entry's program if the entry is there and whole.
std::optional<TrustedFile> find_entry(const TrustedFolder& folder, const std::string& key,
                                      const std::string& extension) {
  auto program = TrustedFile::open(folder, key + extension);
  if (!program || text_in(read_description(folder, key), "hash") != hash_of(program->text())) return {};
  return program;
}

/// The recipe's entry; without a compiler what any compiler has made of it.
std::optional<TrustedFile> find_program(const TrustedFolder& folder, const Recipe& recipe, const std::string& key) {
  auto found = find_entry(folder, key, recipe.extension);
  if (found || recipe.absence.empty()) return found;
  const std::string what = key.substr(0, key.size() / 2);
  for (const std::string& name : folder.names())
    if (name.starts_with(what) && name.ends_with(recipe.extension))
      if (auto other = find_entry(folder, name.substr(0, key.size()), recipe.extension)) return other;
  return {};
}

/// Once for each text: what is not an error, and worth to know.
void warn_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  if (told.insert(text).second) print_error(text + "\n");
}

std::optional<TrustedFile> find_installed(const Recipe& recipe, const std::string& key) {
  for (const fs::path& place : installed_programs()) try {
      if (const auto folder = TrustedFolder::open(place))
        if (auto found = find_program(*folder, recipe, key)) return found;
    } catch (const UnusableFile& error) {
      warn_once(fmt::format("{}\nwhat is in {} is not used", error.what(), place.string()));
    }
  return {};
}

std::function<void(const CompileEvent&)>& listener() {
  static std::function<void(const CompileEvent&)> function;
  return function;
}

/// Of what compilations that run side by side tell.
std::mutex& telling() {
  static std::mutex mutex;
  return mutex;
}

void tell(const CompileEvent& event) {
  const std::lock_guard lock(telling());
  if (listener()) listener()(event);
}

using WaitingListener = std::function<void(const std::string&, const std::string&)>;

WaitingListener& waiting_listener() {
  static WaitingListener function;
  return function;
}

void tell_waiting(const std::string& title, const std::string& holder) {
  const std::lock_guard lock(telling());
  if (waiting_listener()) waiting_listener()(title, holder);
}

void require_no_interruption(const Recipe& recipe) {
  stop_if_interrupted("compiling kernels: " + recipe.title);
}

/// The time in which anything is compiled: side by side, or a header for a program, counts once.
class CompileClock {
 public:
  void begin() {
    const std::lock_guard lock(mutex_);
    if (running_++ == 0) since_ = Clock::now();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) seconds_ += std::chrono::duration<double>(Clock::now() - since_).count();
  }
  double seconds() {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  int running_ = 0;
  Clock::time_point since_;
  double seconds_ = 0;
};

CompileClock& compile_clock() {
  static CompileClock clock;
  return clock;
}

/// Runs the compiler; its time counts unless the recipe only measures.
bool run_compiler(const Recipe& recipe, const Compile& compile, const fs::path& program, const fs::path& log) {
  if (!recipe.compiles) return compile(program, log);
  struct Running {
    Running() { compile_clock().begin(); }
    ~Running() { compile_clock().end(); }
  } const running;
  return compile(program, log);
}

/// Gives the file its name, also where a folder has it.
void rename_over(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(to, error))) fs::remove_all(to, error);
  fs::rename(from, to, error);
  if (error)
    throw SystemError(fmt::format("{}: cannot be written: {}; set GALERNA_CACHE to a directory that can", to.string(),
                                  error.message()));
}

/// Whatever the user's mask is.
void close_to_others(const fs::path& file) {
  std::error_code error;
  fs::permissions(file, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, error);
}

std::string describe(const Recipe& recipe, const std::string& hash) {
  const nlohmann::ordered_json description = {{"title", recipe.title},
                                              {"target", recipe.target},
                                              {"compiler", recipe.compiler},
                                              {"options", recipe.options},
                                              {"machine", recipe.machine},
                                              {"galerna", version()},
                                              {"hash", hash}};
  return description.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void compile_entry(const Recipe& recipe, const std::string& key, const Compile& compile, const fs::path& directory) {
  require_no_interruption(recipe);
  const auto start = std::chrono::steady_clock::now();
  tell({recipe.title, false, 0, expected_compile_time(directory, recipe.target, recipe.title)});
  const std::string temporary = fmt::format(".{}.{}", key, getpid());
  const fs::path program = directory / (temporary + recipe.extension), log = directory / (temporary + ".log"),
                 description = directory / (temporary + ".json"), kept_log = directory / (key + ".log");
  const bool done = run_compiler(recipe, compile, program, log);
  std::error_code error;
  if (fs::exists(log, error)) rename_over(log, kept_log);
  if (!done) {
    fs::remove(program, error);
    require_no_interruption(recipe);
    const std::string text = read_text(kept_log);
    throw CompileError(fmt::format("compiling kernels failed ({}, {})\n{}\nfull log: {}", recipe.title, recipe.compiler,
                                   last_lines(text, 30), kept_log.string()),
                       text, kept_log);
  }
  write_text(description, describe(recipe, hash_of(read_text(program))));
  close_to_others(program);
  close_to_others(description);
  rename_over(program, directory / (key + recipe.extension));
  rename_over(description, directory / (key + ".json"));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (recipe.compiles) remember_compile_time(directory, recipe.target, recipe.title, seconds);
  tell({recipe.title, true, seconds});
}

/// Waits while another process compiles the entry.
void lock_and_compile(const Recipe& recipe, const std::string& key, const Compile& compile,
                      const TrustedFolder& folder) {
  const fs::path lock_file = folder.path() / (key + ".lock");
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(lock_file, error))) fs::remove_all(lock_file, error);
  const std::string own = fmt::format("process {} ", getpid());  // another thread
  std::string told;
  const FileLock lock(lock_file, [&](const std::string& holder) {
    if (holder != told && !holder.starts_with(own)) tell_waiting(recipe.title, holder);
    told = holder;
    require_no_interruption(recipe);
  });
  if (!find_entry(folder, key, recipe.extension)) compile_entry(recipe, key, compile, folder.path());
}

/// A relative path may look like an option to a compiler.
fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::absolute(path, error);
  return error ? path : result;
}

std::optional<TrustedFile> find_in(const fs::path& directory, const Recipe& recipe, const std::string& key) {
  const auto folder = TrustedFolder::open(directory);
  return folder ? find_program(*folder, recipe, key) : std::nullopt;
}

/// Where the recipe can be compiled into. \throws SystemError where there is no compiler or no such folder
TrustedFolder folder_to_compile_in(const fs::path& directory, const Recipe& recipe) {
  if (!recipe.absence.empty()) throw SystemError(recipe.absence);
  return writable_folder(directory);
}

TrustedFile obtain_in(const fs::path& given, const Recipe& recipe, const std::string& key, const Compile& compile) {
  const fs::path directory = absolute_path(given);
  if (auto found = find_in(directory, recipe, key)) return std::move(*found);
  const TrustedFolder folder = folder_to_compile_in(directory, recipe);
  lock_and_compile(recipe, key, compile, folder);
  if (auto made = find_entry(folder, key, recipe.extension)) return std::move(*made);
  throw SystemError(
      fmt::format("{}: kernels that were just compiled are not there ({}); was the cache cleared meanwhile?",
                  directory.string(), recipe.title));
}

/// The user's own folder for what goes when the machine restarts.
fs::path fallback_directory() {
  const std::string base = environment("TMPDIR");
  return fs::path(base.empty() ? "/tmp" : base) / fmt::format("galerna-{}", geteuid());
}

/// use(folder of the cache); use(fallback_directory()) where that cannot be used and no setting names it.
template <class Use>
auto with_cache(const Use& use) {
  try {
    return use(cache_directory());
  } catch (const UnusableFile& error) {
    if (!environment("GALERNA_CACHE").empty()) throw;
    warn_once(fmt::format("{}\nusing {} instead", error.what(), fallback_directory().string()));
    return use(fallback_directory());
  }
}

}  // namespace

fs::path cache_directory() {
  if (const std::string set = environment("GALERNA_CACHE"); !set.empty()) return set;
  if (const fs::path set = environment("XDG_CACHE_HOME"); set.is_absolute()) return set / "galerna";
  if (const fs::path home = environment("HOME"); home.is_absolute()) return home / ".cache" / "galerna";
  return fallback_directory();
}

std::string whole_text(const ProgramSource& source) {
  std::string all = source.text;
  for (const Header& header : source.headers)
    all.append(1, '\0').append(header.name).append(1, '\0').append(header.text);
  return all;
}

std::string numbered_text(const Header& header) {
  std::string shown;
  for (char c : header.shown) shown += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return fmt::format("#line 1 \"{}\"\n{}", shown, header.text);
}

std::string key_of(const Recipe& recipe, std::span<const EmbeddedFile> files) {
  std::string what = version(), with;
  for (const std::string* part : {&recipe.target, &recipe.asked, &recipe.machine, &recipe.text}) what += '\0' + *part;
  for (const EmbeddedFile& file : included_files(recipe.text, files))
    what.append(1, '\0').append(file.path).append(1, '\0').append(file.text);
  for (const std::string* part : {&recipe.compiler, &recipe.options}) with += '\0' + *part;
  return hash_of(what).substr(0, 16) + hash_of(with).substr(0, 16);
}

TrustedFile obtain(const Recipe& recipe, const Compile& compile, const fs::path& directory) {
  const std::string key = key_of(recipe);
  if (!directory.empty()) return obtain_in(directory, recipe, key, compile);
  if (auto found = find_installed(recipe, key)) return std::move(*found);
  return with_cache([&](const fs::path& folder) { return obtain_in(folder, recipe, key, compile); });
}

bool is_in_cache(const Recipe& recipe) {
  const std::string key = key_of(recipe);
  if (find_installed(recipe, key)) return true;
  return with_cache([&](const fs::path& given) {
    const fs::path directory = absolute_path(given);
    if (find_in(directory, recipe, key)) return true;
    folder_to_compile_in(directory, recipe);
    return false;
  });
}

bool is_name_in_cache(const std::string& name) {
  const std::string rest = name.substr(name.starts_with(".") ? 1 : 0);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789abcdef"), rest.size());
  return digits == key_digits && rest.size() > digits && rest[digits] == '.';
}

std::vector<CachedProgram> list_cache() {
  std::vector<CachedProgram> result;
  const auto folder = TrustedFolder::open(cache_directory());
  if (!folder) return result;
  for (const std::string& name : folder->names()) {
    if (!is_name_in_cache(name) || name.starts_with(".") || !name.ends_with(".json")) continue;
    const std::string key = name.substr(0, key_digits);
    const nlohmann::json json = read_description(*folder, key);
    if (!json.is_object()) continue;
    CachedProgram program{key, text_in(json, "title"), text_in(json, "target"), 0};
    for (const char* extension : {".so", ".cubin", ".gch"}) {
      std::error_code error;
      const auto size = fs::file_size(folder->path() / (key + extension), error);
      if (!error) program.bytes = size;
    }
    result.push_back(program);
  }
  return result;
}

int clear_cache() {
  int removed = 0;
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(cache_directory(), error), end; entry != end && !error; entry.increment(error))
    if (const std::string name = entry->path().filename().string();
        is_name_in_cache(name) || name == compile_times_file)
      entries.push_back(entry->path());
  for (const fs::path& entry : entries) {
    fs::remove_all(entry, error);
    if (error)
      throw SystemError(fmt::format("{} cannot be removed: {}; who owns {} can", entry.string(), error.message(),
                                    cache_directory().string()));
    if (entry.extension() == ".json") ++removed;
  }
  return removed;
}

void on_compile(std::function<void(const CompileEvent&)> function) {
  listener() = std::move(function);
}
void on_waiting(std::function<void(const std::string&, const std::string&)> function) {
  waiting_listener() = std::move(function);
}
void on_interruption(std::function<bool()> asked) {
  galerna::on_interruption(std::move(asked));
}
double compile_seconds() {
  return compile_clock().seconds();
}

}  // namespace galerna::device
