/// \file
/// What `--set` changes in a case.
#pragma once

#include <toml++/toml.h>
#include <string>

namespace galerna::case_file {

/// Puts "section.key=value" into the table, or takes the key or section out where there is no value. Names that TOML
/// takes in quotes only may stand as they are, or in quotes. \returns its path, words without quotes and dots between
/// \throws InputError
std::string apply_override(toml::table& root, const std::string& text);

}  // namespace galerna::case_file
