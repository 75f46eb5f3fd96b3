/// \file
/// Names as the keys of a case file, for messages that say what to write there.
#pragma once

#include <string>
#include <string_view>

namespace galerna {

/// The name itself where TOML takes it as it is, otherwise in quotes.
std::string toml_key(std::string_view name);

}  // namespace galerna
