/// \file
/// Typed addresses of memory on a device.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace galerna::device {

/// Of the numbers in it; null where there is no memory.
template <class T>
T* address(const std::unique_ptr<Memory>& memory) {
  return memory ? static_cast<T*>(memory->address()) : nullptr;
}

template <class T>
T* address(const std::shared_ptr<Memory>& memory) {
  return memory ? static_cast<T*>(memory->address()) : nullptr;
}

}  // namespace galerna::device
