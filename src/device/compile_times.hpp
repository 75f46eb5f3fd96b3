/// \file
/// How long compilations took, so that the next ones can say how long they will: a text in the cache's folder with a
/// line for each, "SECONDS TARGET TITLE". Nothing but messages depends on it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace galerna::device {

inline constexpr const char* compile_times_file = "compile_times.txt";

/// Appends a line. Where that fails, nothing is remembered.
void remember_compile_time(const std::filesystem::path& folder, const std::string& target, const std::string& title,
                           double seconds);

/// The seconds that a program of this title takes: as last time, else the median of programs of the same kind (what
/// stands behind the last comma of their titles) for the target; nothing where none was compiled.
std::optional<double> expected_compile_time(const std::filesystem::path& folder, const std::string& target,
                                            const std::string& title);

}  // namespace galerna::device
