#include "device/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"
#include "base/file_lock.hpp"
#include "base/interruption.hpp"
#include "base/version.hpp"

namespace galerna::device {

namespace fs = std::filesystem;

namespace {

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

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Makes the directory, readable by the user only.
void make_private(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  struct stat status {};
  if (error || stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw SystemError(
        fmt::format("the kernel cache {} cannot be made ({}); set GALERNA_CACHE to a directory that can be written",
                    directory.string(), error ? error.message() : "something else is in its place"));
  if (status.st_uid != geteuid())
    throw SystemError(
        fmt::format("the kernel cache {} belongs to another user, who could put code into your runs; set "
                    "GALERNA_CACHE to a directory of your own",
                    directory.string()));
  if ((status.st_mode & 0022) != 0 && chmod(directory.c_str(), 0700) != 0)
    throw SystemError(
        fmt::format("the kernel cache {} can be written by others; run chmod 700 on it", directory.string()));
  if (access(directory.c_str(), W_OK) != 0)
    throw SystemError(fmt::format("the kernel cache {} cannot be written; set GALERNA_CACHE to a directory that can",
                                  directory.string()));
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

/// The entry's program if the entry is there and whole.
std::optional<fs::path> find_entry(const fs::path& directory, const std::string& key, const std::string& extension) {
  const fs::path program = directory / (key + extension), description = directory / (key + ".json");
  if (!fs::exists(program) || !fs::exists(description)) return {};
  const auto json = nlohmann::json::parse(read_text(description), nullptr, false);
  if (json.is_discarded() || json.value("hash", "") != hash_of(read_text(program))) return {};
  return program;
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

std::function<bool()>& interruption() {
  static std::function<bool()> function;
  return function;
}

void require_no_interruption(const Recipe& recipe) {
  if (interrupted()) throw Interruption(fmt::format("interrupted while compiling kernels: {}", recipe.title));
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

void compile_entry(const Recipe& recipe, const std::string& key, const Compile& compile, const fs::path& directory) {
  require_no_interruption(recipe);
  const auto start = std::chrono::steady_clock::now();
  tell({recipe.title, false, 0});
  const std::string temporary = fmt::format(".{}.{}", key, getpid());
  const fs::path program = directory / (temporary + recipe.extension), log = directory / (temporary + ".log");
  const bool done = run_compiler(recipe, compile, program, log);
  const fs::path kept_log = directory / (key + ".log");
  std::error_code error;
  fs::rename(log, kept_log, error);
  if (!done) {
    fs::remove(program, error);
    require_no_interruption(recipe);
    const std::string text = read_text(kept_log);
    throw CompileError(fmt::format("compiling kernels failed ({}, {})\n{}\nfull log: {}", recipe.title, recipe.compiler,
                                   last_lines(text, 30), kept_log.string()),
                       text, kept_log);
  }
  const nlohmann::ordered_json description = {{"title", recipe.title},
                                              {"target", recipe.target},
                                              {"compiler", recipe.compiler},
                                              {"options", recipe.options},
                                              {"machine", recipe.machine},
                                              {"galerna", version()},
                                              {"hash", hash_of(read_text(program))}};
  fs::rename(program, directory / (key + recipe.extension));
  write_text(directory / (temporary + ".json"), description.dump(2));
  fs::rename(directory / (temporary + ".json"), directory / (key + ".json"));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  tell({recipe.title, true, seconds});
}

/// The cache, or a private temporary directory where the cache cannot be written.
fs::path writable_cache() {
  try {
    make_private(cache_directory());
    return cache_directory();
  } catch (const SystemError& error) {
    if (!environment("GALERNA_CACHE").empty()) throw;
    const std::string base = environment("TMPDIR").empty() ? "/tmp" : environment("TMPDIR");
    const fs::path fallback = fs::path(base) / fmt::format("galerna-{}", geteuid());
    make_private(fallback);
    fmt::print(stderr, "{}\nusing {} instead\n", error.what(), fallback.string());
    return fallback;
  }
}

}  // namespace

fs::path cache_directory() {
  if (const std::string set = environment("GALERNA_CACHE"); !set.empty()) return set;
  if (const std::string set = environment("XDG_CACHE_HOME"); !set.empty()) return fs::path(set) / "galerna";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "galerna";
  return fs::path("/tmp") / fmt::format("galerna-{}", geteuid());
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
  std::string all = version();
  for (const std::string* part : {&recipe.target, &recipe.compiler, &recipe.options, &recipe.machine, &recipe.text})
    all += '\0' + *part;
  for (const EmbeddedFile& file : included_files(recipe.text, files))
    all.append(1, '\0').append(file.path).append(1, '\0').append(file.text);
  return hash_of(all);
}

fs::path obtain(const Recipe& recipe, const Compile& compile, const fs::path& directory) {
  const std::string key = key_of(recipe);
  if (directory.empty())
    for (const fs::path& place : installed_programs())
      if (const auto found = find_entry(place, key, recipe.extension)) return *found;
  fs::path cache = directory;
  if (directory.empty())
    cache = writable_cache();
  else
    make_private(directory);
  if (const auto found = find_entry(cache, key, recipe.extension)) return *found;
  const fs::path lock_file = cache / (key + ".lock");
  const FileLock lock(lock_file);
  if (!find_entry(cache, key, recipe.extension)) compile_entry(recipe, key, compile, cache);
  std::error_code error;
  fs::remove(lock_file, error);
  return cache / (key + recipe.extension);
}

std::vector<CachedProgram> list_cache() {
  std::vector<CachedProgram> result;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache_directory(), error)) {
    if (entry.path().extension() != ".json") continue;
    const auto json = nlohmann::json::parse(read_text(entry.path()), nullptr, false);
    if (json.is_discarded()) continue;
    CachedProgram program{entry.path().stem().string(), json.value("title", ""), json.value("target", ""), 0};
    for (const char* extension : {".so", ".cubin", ".gch"}) {
      const auto size = fs::file_size(fs::path(entry.path()).replace_extension(extension), error);
      if (!error) program.bytes = size;
    }
    result.push_back(program);
  }
  return result;
}

int clear_cache() {
  int removed = 0;
  std::error_code error;
  for (const CachedProgram& program : list_cache()) {
    for (const char* extension : {".json", ".so", ".cubin", ".gch", ".choice", ".log", ".lock"})
      fs::remove(cache_directory() / (program.key + extension), error);
    ++removed;
  }
  fs::remove_all(cache_directory() / "sources", error);
  return removed;
}

void on_compile(std::function<void(const CompileEvent&)> function) {
  listener() = std::move(function);
}
void on_interruption(std::function<bool()> asked) {
  interruption() = std::move(asked);
}
bool interrupted() {
  return interruption() && interruption()();
}
bool may_be_interrupted() {
  return static_cast<bool>(interruption());
}
double compile_seconds() {
  return compile_clock().seconds();
}

}  // namespace galerna::device
