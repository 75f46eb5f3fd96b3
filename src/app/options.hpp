/// \file
/// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace galerna::app {

/// --threads N, which goes before $OMP_NUM_THREADS.
void add_threads(CLI::App& command);

/// Bytes of "80GB" (10⁹), "64GiB" (2³⁰) and the same with k, M and T. \throws InputError that names the option
std::size_t bytes_of(const std::string& text, const std::string& option);

}  // namespace galerna::app
