/// \file
/// Memory of the host into which a device copies fast, used again and again.
#pragma once

#include <cstddef>
#include <memory>

#include "device/device.hpp"

namespace galerna::device {

/// What is taken comes back by itself, from any thread, and is given out again. Rooms must not outlive the device.
class HostRooms {
 public:
  /// So many bytes, whatever is in them. \throws std::bad_alloc
  std::shared_ptr<std::byte[]> take(const Device& device, std::size_t bytes) const;

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_ = make_shelf();
  static std::shared_ptr<Shelf> make_shelf();
};

}  // namespace galerna::device
