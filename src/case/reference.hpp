/// \file
/// The reference of all keys of a case file.
#pragma once

#include <string>

namespace galerna::case_file {

/// Markdown tables, one a section.
std::string reference_markdown();

}  // namespace galerna::case_file
