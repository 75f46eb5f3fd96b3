/// \file
/// Names of boundaries and outputs, which may be any text, as parts of the names of files and of columns.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace galerna::files {

/// For each name what stands for it in the name of a file, and in the head of a CSV file. Plain names stand for
/// themselves. Of others everything becomes `_` that ends a folder's or a column's name somewhere, or that nobody sees:
/// / \ : * ? " < > | , control characters, blanks and dots at the ends, what is no UTF-8; an empty name becomes
/// "unnamed"; a long one is cut. No two are the same, on systems that take capital letters for small ones, too: later
/// ones have a number.
std::map<std::string, std::string> file_names(const std::vector<std::string>& names);

}  // namespace galerna::files
