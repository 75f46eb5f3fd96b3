/// \file
/// Signed numbers of things as indices of containers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace galerna {

inline std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace galerna
