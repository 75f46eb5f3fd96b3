/// \file
/// Small helpers for text formats.
#pragma once

#include <string>
#include <string_view>

namespace galerna::files {

/// The text with &, <, >, and quotation marks written as XML entities.
std::string escape_xml(std::string_view text);
/// The reverse of escape_xml().
std::string unescape_xml(std::string_view text);

}  // namespace galerna::files
