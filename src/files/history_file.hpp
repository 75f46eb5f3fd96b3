/// \file
/// Histories out of the CSV files of monitors.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/history.hpp"

namespace galerna::files {

/// Two columns of a CSV file with a header line; `time` is the name of the first. \throws InputError when the file or
/// a column is missing, a cell is no number, or times do not ascend.
analysis::History read_history(const std::filesystem::path& file, const std::string& column);

}  // namespace galerna::files
