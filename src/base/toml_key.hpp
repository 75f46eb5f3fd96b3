/// \file
/// Names and texts as a case file has them.
#pragma once

#include <string>
#include <string_view>

namespace galerna {

/// A text as a value, in quotes.
std::string toml_string(std::string_view text);

/// A name as a key: itself where TOML takes it as it is, otherwise in quotes.
std::string toml_key(std::string_view name);

}  // namespace galerna
