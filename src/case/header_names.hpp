/// \file
/// Names in the text of a C++ header, found without compiling it, for messages that come before the compiler's.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace galerna::case_file {

struct HeaderNames {
  std::set<std::string> words;          ///< all of them
  std::vector<std::string> types;       ///< behind struct, class and using
  std::vector<std::string> parameters;  ///< NAME of Parameters::NAME
};

/// Comments are passed over; nothing else of the language is understood.
HeaderNames names_of_header(const std::string& text);

/// Letters, digits and _, not beginning with a digit.
bool is_identifier(const std::string& word);

}  // namespace galerna::case_file
