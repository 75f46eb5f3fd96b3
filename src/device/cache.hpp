/// \file
/// The cache of compiled programs, and of choices among programs that were measured. An entry KEY consists of KEY.so or
/// KEY.cubin (the program), KEY.gch (a precompiled header) or KEY.choice (a number), KEY.json (what it is, with the
/// hash of the program) and KEY.log (the compiler's output, or the measurements). The first half of KEY says what was
/// compiled, the second with which compiler: where there is none, any will have done. Entries are written under
/// temporary names and renamed, KEY.json last, so that an entry with a KEY.json is whole. One process compiles an
/// entry, others wait for it (a lock on KEY.lock). Nothing is taken that others than the user, root or
/// $GALERNA_CACHE_OWNER can have written (trusted_file.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "device/kernel_headers.hpp"
#include "device/program.hpp"
#include "device/trusted_file.hpp"

namespace galerna::device {

/// What makes a compiled program what it is.
struct Recipe {
  std::string title;
  std::string target;     ///< "cpu", "sm_90"
  std::string extension;  ///< ".so", ".cubin", ".choice"
  std::string compiler;   ///< with version
  std::string options;
  std::string machine;   ///< what -march=native means; empty for GPUs
  std::string text;      ///< of the program and its own headers; the embedded kernels that it includes count too
  bool compiles = true;  ///< false: it measures, and what is compiled for that counts by itself
  std::string asked;     ///< of any compiler, such as how much it optimizes; `options` say it in one compiler's words
  std::string absence;   ///< why it cannot be compiled here; then what any compiler has made will do. "": it can
};

/// Two hashes of 64 bits, in hexadecimal: of what is compiled, with the files that its text includes, and of compiler
/// and options.
std::string key_of(const Recipe& recipe, std::span<const EmbeddedFile> files = embedded_kernels());

/// Compiles into the file `program`; whatever the compiler printed goes to the file `log`. Returns success.
using Compile = std::function<bool(const std::filesystem::path& program, const std::filesystem::path& log)>;

/// The file of the compiled program: from the programs installed with galerna, from the cache, or compiled now. What is
/// there is read only.
/// \param directory instead of the cache, if not empty.
/// \throws CompileError with the compiler's log, SystemError when it is not there and there is no compiler or no
/// directory that can be written, UnusableFile when others may have written it.
TrustedFile obtain(const Recipe& recipe, const Compile& compile, const std::filesystem::path& directory = {});

/// Whether the program is there already. \throws what obtain() throws before it compiles where it is not and cannot be
/// compiled: SystemError without a compiler or a directory that can be written, UnusableFile.
bool is_in_cache(const Recipe& recipe);

/// Called when a compilation waits for another process that does the same: what it compiles, and who that is.
void on_waiting(std::function<void(const std::string& title, const std::string& holder)> listener);

/// Whether the cache gives such names: KEY.so, KEY.json and their like.
bool is_name_in_cache(const std::string& name);

}  // namespace galerna::device
