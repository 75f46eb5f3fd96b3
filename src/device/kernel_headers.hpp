/// \file
/// The headers of kernels/, embedded in the program (cmake/galerna_embed.cmake).
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace galerna::device {

struct EmbeddedFile {
  std::string_view path;  ///< "kernels/physics/euler.hpp"
  std::string_view text;
};

/// Sorted by path.
std::span<const EmbeddedFile> embedded_kernels();

/// Those of `files` that a program's text includes, directly or through others of them, in the order of `files`. An
/// include under a condition or in a comment counts, too.
std::vector<EmbeddedFile> included_files(std::string_view text,
                                         std::span<const EmbeddedFile> files = embedded_kernels());

}  // namespace galerna::device
