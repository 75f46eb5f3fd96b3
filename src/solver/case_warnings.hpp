/// \file
/// What is allowed in a case, and most likely not meant.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "files/report.hpp"

namespace galerna::solver {

std::vector<files::Report::Warning> case_warnings(const case_file::Settings& settings);

}  // namespace galerna::solver
