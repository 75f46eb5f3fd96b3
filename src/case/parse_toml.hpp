/// \file
/// TOML text → tables.
#pragma once

#include <toml++/toml.h>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace galerna::case_file {

/// Most parts of a key such as section.sub.key, far more than any case has: tables that are nested without bound would
/// exhaust the stack.
constexpr int most_key_parts = 16;

/// Where a key has more parts than that: its line and column, from 1 on; line 0 where none has.
SourcePlace find_deep_key(std::string_view text, const std::string& file);

/// The tables of a text. \param file for messages. \throws InputError with the place
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace galerna::case_file
