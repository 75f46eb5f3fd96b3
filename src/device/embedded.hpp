/// \file
/// The headers of kernels/, embedded in the program (cmake/galerna_embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace galerna::device {

struct EmbeddedFile {
  std::string_view path;  ///< "kernels/physics/euler.hpp"
  std::string_view text;
};

/// Sorted by path.
std::span<const EmbeddedFile> embedded_kernels();

}  // namespace galerna::device
