/// \file
/// Programs: kernels instantiated for one case. A program's text is a short translation unit that includes headers of
/// kernels/ (embedded in galerna) and names types and constants; see dg/programs/simplex_programs.cpp for what it looks
/// like.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/device.hpp"

namespace galerna::device {

/// A header that does not come with galerna.
struct Header {
  std::string name;  ///< as programs include it
  std::string text;
  std::string shown;  ///< file name in the compiler's messages
};

/// A translation unit to compile. On Host each entry E must be
///   extern "C" void E(const void* arguments, std::int64_t begin, std::int64_t end);
/// on Cuda
///   extern "C" __global__ void E(const SomeArguments arguments);
struct ProgramSource {
  std::string title;                 ///< what it is, for people: "Euler 2D, triangle p = 3, LLF, double"
  std::string text;                  ///< C++20; may include "kernels/…"
  std::vector<std::string> entries;  ///< names of the entry points
  std::vector<Header> headers = {};  ///< further ones that the text includes
  /// A variable on a CPU's stack may get the place of one whose scope has ended. It is faster by up to 5 %, and GCC has
  /// done it where it must not, in the largest programs.
  bool shares_stack = false;
};

/// The program's text and those of its headers: what it is compiled from, beside kernels/.
std::string whole_text(const ProgramSource& source);
/// The header's text such that messages of compilers name the file `shown` and its lines.
std::string numbered_text(const Header& header);

/// A program that does not compile.
class CompileError : public SystemError {
 public:
  /// \param log all that the compiler printed, kept in `log_file`.
  CompileError(const std::string& what, std::string log_text, std::filesystem::path file)
      : SystemError(what), log(std::move(log_text)), log_file(std::move(file)) {}
  std::string log;
  std::filesystem::path log_file;
};

/// Where compiled programs are kept: $GALERNA_CACHE, else $XDG_CACHE_HOME/galerna, else ~/.cache/galerna; private to
/// the user.
std::filesystem::path cache_directory();

/// One entry of the cache.
struct CachedProgram {
  std::string key;
  std::string title;
  std::string target;  ///< "cpu …" or "sm_90"
  std::uintmax_t bytes;
};
std::vector<CachedProgram> list_cache();
/// Removes all programs of the cache; returns how many.
int clear_cache();

/// What a compiler does for a program: its best, or what tells in a fraction of the time whether it compiles at all.
enum class Effort { full, check };

/// Compiles into `directory` (or the cache when empty) without loading; for nodes without a compiler and for the
/// programs built with galerna. `target`: "cpu" or "sm_NN"; for the CPU the effort is what
/// $GALERNA_OPTIMIZE says. Returns the file. \throws CompileError with the compiler's log.
std::filesystem::path compile(const ProgramSource& source, const std::string& target,
                              const std::filesystem::path& directory = {}, Effort effort = Effort::full);

/// The same for programs side by side, as many at a time as there are processors, at most 8 for the CPU, whose
/// compilers take up to a gigabyte each, and 16 for GPUs. Returns the files in the order of the programs. \throws what
/// the first one that fails throws, when all have ended
std::vector<std::filesystem::path> compile_all(const std::vector<ProgramSource>& sources, const std::string& target,
                                               const std::filesystem::path& directory = {});

/// Called when a compilation starts and ends, so that the program can show it ("compiling kernels: TITLE … 3.1 s"); one
/// call at a time.
struct CompileEvent {
  std::string title;
  bool finished;
  double seconds;                       ///< that it took
  std::optional<double> expected = {};  ///< at the start: seconds that it will take, by those before it
};
void on_compile(std::function<void(const CompileEvent&)> listener);

/// Asked while the CPU's compiler runs and around each compilation; true ends that with an Interruption.
void on_interruption(std::function<bool()> asked);

/// Wall seconds of this process so far in which anything was compiled.
double compile_seconds();

/// Programs for GPUs are compiled by processes of this command, with three words more: the parameters of compile_job().
/// NVRTC compiles one program at a time in each process, and hears of no interruption. Without a command this process
/// compiles.
void compile_for_cuda_by(std::vector<std::string> command);
/// What such a process does. \param job a file, written by its parent. Returns success.
bool compile_job(const std::filesystem::path& job, const std::filesystem::path& program,
                 const std::filesystem::path& log);

/// Why no CUDA program can be compiled ("built without CUDA's headers", "libnvrtc.so not found"); "" if one can. Needs
/// no GPU.
std::string cuda_compiler_absence();

/// The compiler for host programs: $CXX if set, else the one galerna was built with, else c++, g++, clang++.
std::string host_compiler();

}  // namespace galerna::device
