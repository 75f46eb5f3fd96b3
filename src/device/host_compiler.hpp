/// \file
/// Programs for the CPU, compiled by the system's C++ compiler.
#pragma once

#include <filesystem>
#include <vector>

#include "device/program.hpp"
#include "device/trusted_file.hpp"

namespace galerna::device {

/// The shared library of the program. \throws SystemError as obtain() does, also when there is no compiler.
TrustedFile compile_for_host(const ProgramSource& source, const std::filesystem::path& directory = {});

/// See require_compilable(). \throws SystemError as compile_for_host() does before it compiles, or where the compiler
/// fails at a program of a few lines.
void require_host_compilable(const std::vector<ProgramSource>& programs);

/// Widest SIMD register of this CPU in bytes: 64 (AVX-512), 32 (AVX2), 16.
int simd_bytes();
/// "AVX-512", "AVX2", …
std::string simd_name();
/// Model of this CPU.
std::string cpu_name();

}  // namespace galerna::device
