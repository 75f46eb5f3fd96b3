/// \file
/// The sections [constants] and [functions] of a case file.
#pragma once

#include <toml++/toml.h>

#include "case/section.hpp"

namespace galerna::case_file {

/// Fills reading.names. Definitions may use one another in any order; circles are reported.
void read_definitions(Reading& reading, const toml::table& root);

}  // namespace galerna::case_file
