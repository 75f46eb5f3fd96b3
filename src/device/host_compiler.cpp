#include "device/host_compiler.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include "base/child_process.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/interruption.hpp"
#include "device/cache.hpp"
#include "device/kernel_headers.hpp"

namespace galerna::device {

namespace fs = std::filesystem;

namespace {

/// \param compiler its path and what it says of itself.
bool is_gcc(const std::string& compiler) {
  return compiler.find("clang") == std::string::npos;
}

std::string optimization() {
  const std::string asked = environment("GALERNA_OPTIMIZE");
  return asked == "0" || asked == "1" ? "-O" + asked : "-O3";
}

/// Neither -ffast-math nor anything else that changes results: only what has no effect but errno and traps.
/// $GALERNA_OPTIMIZE=1 or 0 is for programs that hardly run: large ones compile in half or a third of the time.
/// Variables of scopes that have ended keep their place on the stack in 3D. GCC gives it to others too early, once it
/// has taken the address of one out of a loop (GCC bug 90348): residuals of viscous curved pyramids at -O1 with GCC 12
/// are wrong, right with this option or with -fno-ivopts alone, and the address sanitizer finds no use after a scope.
/// \param compiler as for is_gcc().
std::string options(const std::string& compiler, bool shares_stack) {
  return fmt::format(
      "-std=c++20 {} -march=native -fPIC -shared{} -fno-math-errno -fno-trapping-math -ffp-contract=fast -w",
      optimization(), is_gcc(compiler) && !shares_stack ? " -fstack-reuse=none" : "");
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

bool is_on_path(const std::string& program) {
  const auto is_program = [](const std::string& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) return is_program(program);
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_program((folder.empty() ? "." : folder) + "/" + program)) return true;
  return false;
}

/// The compiler's command, or why there is none.
struct Finding {
  std::string command, absence;
};

Finding find_compiler() {
  const char* set = std::getenv("CXX");
  if (set && *set) {
    const std::vector<std::string> command = words(set);
    if (command.empty()) throw SystemError("$CXX is blank; set it to a C++20 compiler, or unset it");
    if (is_on_path(command.front())) return {set, ""};
    return {"", fmt::format("the compiler that $CXX names, {}, is not there; set CXX to a C++20 compiler",
                            command.front())};
  }
  for (const char* compiler : {GALERNA_HOST_COMPILER, "c++", "g++", "clang++"})
    if (is_on_path(compiler)) return {compiler, ""};
  return {"",
          "no C++ compiler found to build the kernels of this case, which are not in the cache; install g++ or set CXX "
          "(on nodes without one, fill the cache with galerna cache --build CASE.toml on one of the same processor)"};
}

/// First line of `COMPILER --version`, once per process.
std::string compiler_version(const std::string& compiler) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static std::map<std::string, std::string> versions;
  auto& version = versions[compiler];
  if (version.empty()) {
    const File output(std::tmpfile());
    std::vector<std::string> command = words(compiler);
    command.push_back("--version");
    char line[256] = "unknown";
    if (output && run_program(command, output.get())) {
      std::rewind(output.get());
      if (!std::fgets(line, sizeof line, output.get())) line[0] = 0;
    }
    version = line;
    version = version.substr(0, version.find('\n'));
  }
  return version;
}

/// Value of the first line "KEY : VALUE" of /proc/cpuinfo.
std::string cpuinfo(const std::string& key) {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(key)) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "";
}

/// \throws SystemError where it cannot be written whole
void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  errno = 0;
  stream << text;
  stream.close();
  if (!stream)
    throw SystemError(
        fmt::format("{}: cannot be written ({}); free some space, or set GALERNA_CACHE to a directory "
                    "that can be",
                    file.string(), errno ? std::strerror(errno) : "the disk may be full"));
}

/// Compilers that find no space fail, and cannot always say why. \throws SystemError where there is next to none
void require_space(const fs::path& folder) {
  constexpr std::uintmax_t little = 1 << 20;
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < little)
    throw SystemError(
        fmt::format("{}: no space is left on its disk for the kernels of this case; free some, or set "
                    "GALERNA_CACHE to a directory of another disk",
                    folder.string()));
}

/// The embedded kernels that the recipe's key counts, and no others, as files under a name that their content
/// determines. \param own further files: name and text
fs::path write_sources(const fs::path& cache, const Recipe& recipe,
                       const std::vector<std::pair<std::string, std::string>>& own = {}) {
  const fs::path folder = cache / fmt::format(".{}.{}.sources", key_of(recipe), getpid());
  try {
    fs::create_directories(folder);
    for (const EmbeddedFile& file : included_files(recipe.text)) {
      const fs::path path = folder / file.path;
      fs::create_directories(path.parent_path());
      write_text(path, std::string(file.text));
    }
    for (const auto& [name, text] : own) write_text(folder / name, text);
  } catch (...) {
    std::error_code error;
    fs::remove_all(folder, error);
    throw;
  }
  return folder;
}

/// All programs include it, and with the standard library's SIMD types it takes half of the time of many a compilation.
constexpr const char* common_header = "kernels/lane.hpp";

/// \param recipe whose options and compiler are set.
std::vector<std::string> compiler_words(const std::string& compiler, const Recipe& recipe) {
  std::vector<std::string> command = words(compiler);
  for (const std::string& option : words(recipe.options)) command.push_back(option);
  return command;
}

bool run_logged(const std::vector<std::string>& command, const fs::path& log) {
  const File output(std::fopen(log.c_str(), "w"));
  return output && run_program(command, output.get());
}

/// The first line that speaks of an error, else the first one.
std::string first_error(const fs::path& file) {
  std::ifstream stream(file);
  std::string first, line;
  std::getline(stream, first);
  for (line = first; line.find("error") == std::string::npos;)
    if (!std::getline(stream, line)) return first;
  return line;
}

/// Holds what the compiler makes of SIMD packs against plain loops (kernels/lane_check.hpp), once a cache.
/// \param like a program that it is to compile \throws SystemError if anything differs
void require_right_lanes(const std::string& compiler, const Recipe& like, const fs::path& directory) {
  Recipe recipe = like;
  recipe.title = "check of the compiler";
  recipe.extension = ".choice";
  recipe.text = fmt::format(
      "#include <cstdio>\n#include \"kernels/lane_check.hpp\"\nint main(int seed, char**) {{\n"
      "  const char* wrong = galerna::kernels::wrong_lane_operation<{}>(static_cast<unsigned>(seed));\n"
      "  if (wrong) std::puts(wrong);\n  return wrong != nullptr;\n}}\n",
      simd_bytes());
  const auto check = [&](const fs::path& verdict, const fs::path& log) {
    const fs::path sources = write_sources(verdict.parent_path(), recipe, {{"check.cpp", recipe.text}}),
                   program = sources / "check";
    std::vector<std::string> command = compiler_words(compiler, recipe);
    std::erase(command, "-shared");
    command.insert(command.end(),
                   {"-I" + sources.string(), (sources / "check.cpp").string(), "-o", program.string(), "-lm"});
    const bool compiled = run_logged(command, log);
    const bool right = compiled && run_logged({program.string()}, log);
    std::error_code error;
    fs::remove_all(sources, error);
    if (!right && !interrupted()) {
      const std::string said = first_error(log);
      fs::remove(log, error);
      if (!compiled) require_space(verdict.parent_path());
      throw SystemError(
          compiled ? fmt::format("the compiler {} computes lanes wrongly ({}); set CXX to another one", recipe.compiler,
                                 said.empty() ? "what it makes does not run here" : said)
                   : fmt::format("the compiler {} fails at a program of a few lines ({}); set CXX to a C++20 compiler",
                                 recipe.compiler, said.empty() ? "it says nothing" : said));
    }
    std::ofstream(verdict) << "right\n";
    return right;
  };
  obtain(recipe, check, directory);
}

/// `common_header` as GCC keeps compiled headers, from the cache. \param like the program that is to include it.
fs::path precompiled_header(const std::string& compiler, const Recipe& like) {
  Recipe recipe = like;
  recipe.title = fmt::format("{}, precompiled", common_header);
  recipe.extension = ".gch";
  recipe.text = fmt::format("#include \"{}\"\n", common_header);
  const auto compile = [&](const fs::path& file, const fs::path& log) {
    const fs::path sources = write_sources(file.parent_path(), recipe);
    std::ofstream(sources / "common.hpp", std::ios::binary) << recipe.text;
    std::vector<std::string> command = compiler_words(compiler, recipe);
    std::erase(command, "-shared");
    command.insert(command.end(), {"-I" + sources.string(), "-x", "c++-header", (sources / "common.hpp").string(), "-o",
                                   file.string()});
    const bool done = run_logged(command, log);
    std::error_code error;
    fs::remove_all(sources, error);
    return done;
  };
  return obtain(recipe, compile).path();
}

/// Words that make GCC take the common header precompiled, where $GALERNA_PRECOMPILE asks for that.
/// \param sources folder of the program's.
std::vector<std::string> precompiled_words(const std::string& compiler, const Recipe& recipe, const fs::path& sources) {
  if (environment("GALERNA_PRECOMPILE") != "1" || !is_gcc(recipe.compiler) || !fs::exists(sources / common_header))
    return {};
  std::ofstream(sources / "common.hpp", std::ios::binary) << fmt::format("#include \"{}\"\n", common_header);
  fs::create_symlink(precompiled_header(compiler, recipe), sources / "common.hpp.gch");
  return {"-include", (sources / "common.hpp").string()};
}

/// \param found the compiler
Recipe recipe_of(const ProgramSource& source, const Finding& found) {
  Recipe recipe;
  recipe.title = source.title;
  recipe.target = "cpu";
  recipe.extension = ".so";
  recipe.asked = fmt::format("{}{}", optimization(), source.shares_stack ? ", shared stack" : "");
  recipe.absence = found.absence;
  if (found.absence.empty()) recipe.compiler = found.command + ": " + compiler_version(found.command);
  recipe.options = options(recipe.compiler, source.shares_stack);
  recipe.machine = cpu_name() + cpuinfo("flags") + cpuinfo("Features");
  recipe.text = whole_text(source);
  return recipe;
}

}  // namespace

std::string host_compiler() {
  const Finding found = find_compiler();
  if (!found.absence.empty()) throw SystemError(found.absence);
  return found.command;
}

int simd_bytes() {
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx512f")) return 64;
  if (__builtin_cpu_supports("avx2")) return 32;
#endif
  return 16;
}

std::string simd_name() {
#if defined(__x86_64__) || defined(__i386__)
  return simd_bytes() == 64 ? "AVX-512" : (simd_bytes() == 32 ? "AVX2" : "SSE2");
#else
  return "128-bit SIMD";
#endif
}

std::string cpu_name() {
  const std::string model = cpuinfo("model name");
  return model.empty() ? "CPU" : model;
}

TrustedFile compile_for_host(const ProgramSource& source, const fs::path& directory) {
  const Finding found = find_compiler();
  const Recipe recipe = recipe_of(source, found);
  const std::string& compiler = found.command;
  const auto compile = [&](const fs::path& program, const fs::path& log) {
    auto checked = std::async(std::launch::async, [&] { require_right_lanes(compiler, recipe, directory); });
    std::vector<std::pair<std::string, std::string>> own = {{"program.cpp", source.text}};
    for (const Header& header : source.headers) own.emplace_back(header.name, numbered_text(header));
    const fs::path sources = write_sources(program.parent_path(), recipe, own), text = sources / "program.cpp";
    std::vector<std::string> command = compiler_words(compiler, recipe);
    for (const std::string& word : precompiled_words(compiler, recipe, sources)) command.push_back(word);
    command.insert(command.end(), {"-I" + sources.string(), text.string(), "-o", program.string()});
    const bool done = run_logged(command, log);
    std::error_code error;
    fs::remove_all(sources, error);
    try {
      checked.get();
    } catch (...) {
      for (const fs::path& file : {program, log}) fs::remove(file, error);
      throw;
    }
    return done;
  };
  return obtain(recipe, compile, directory);
}

void require_host_compilable(const std::vector<ProgramSource>& programs) {
  const Finding found = find_compiler();
  for (const ProgramSource& program : programs) {
    const Recipe recipe = recipe_of(program, found);
    if (!is_in_cache(recipe)) require_right_lanes(found.command, recipe, {});
  }
}

}  // namespace galerna::device
