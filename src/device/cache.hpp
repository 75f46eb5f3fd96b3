/// \file
/// The cache of compiled programs, and of choices among programs that were measured. An entry KEY consists of KEY.so or
/// KEY.cubin (the program), KEY.gch (a precompiled header) or KEY.choice (a number), KEY.json (what it is, with the
/// size and hash of the program) and KEY.log (the compiler's output, or the measurements). Entries are written under
/// temporary names and renamed, KEY.json last, so that an entry with a KEY.json is whole. One process compiles an
/// entry, others wait for it (a lock on KEY.lock).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "device/kernel_headers.hpp"
#include "device/program.hpp"

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
};

/// 128-bit hash of everything in the recipe and of the files that its text includes, in hexadecimal.
std::string key_of(const Recipe& recipe, std::span<const EmbeddedFile> files = embedded_kernels());

/// Compiles into the file `program`; whatever the compiler printed goes to the file `log`. Returns success.
using Compile = std::function<bool(const std::filesystem::path& program, const std::filesystem::path& log)>;

/// The file of the compiled program: from the programs installed with galerna, from the cache, or compiled now.
/// \param directory instead of the cache, if not empty.
/// \throws CompileError with the compiler's log, SystemError when no directory can be written.
std::filesystem::path obtain(const Recipe& recipe, const Compile& compile, const std::filesystem::path& directory = {});

/// Whether what is being compiled is not wanted any more (program.hpp, on_interruption).
bool interrupted();
/// Whether somebody wants to be asked that at all.
bool may_be_interrupted();

}  // namespace galerna::device
