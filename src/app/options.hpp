/// \file
/// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace galerna::app {

/// --threads N, which goes before $OMP_NUM_THREADS.
void add_threads(CLI::App& command);

/// Bytes of "80GB" (10⁹), "64GiB" (2³⁰) and the same with k, M and T. \throws InputError that names the option
std::size_t bytes_of(const std::string& text, const std::string& option);

/// \param file what is written; none where it is empty \throws InputError that names the option where it is one that
/// the command reads, by whatever name
void require_other_file(const std::string& option, const std::string& file,
                        const std::vector<std::filesystem::path>& read);

/// Whether two names, of files that may not be there yet, are those of one file.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace galerna::app
