#include "device/host_rooms.hpp"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#ifdef GALERNA_HAS_CUDA
#include "device/cuda_device.hpp"
#endif

namespace galerna::device {
namespace {

using Bytes = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

Bytes make_room(const Device& device, std::size_t bytes) {
#ifdef GALERNA_HAS_CUDA
  // Pages that stay where they are, which a GPU reads and writes by itself; there may be too few of them.
  if (device.kind() == Kind::cuda)
    if (void* pinned = allocate_pinned(bytes)) return {static_cast<std::byte*>(pinned), free_pinned};
#else
  static_cast<void>(device);
#endif
  return {new std::byte[bytes], std::default_delete<std::byte[]>()};
}

}  // namespace

struct HostRooms::Shelf {
  struct Room {
    std::size_t bytes;
    Bytes memory;
  };
  std::mutex mutex;
  std::vector<Room> free;

  /// One that is large enough; smaller ones are of a degree that the run has left.
  Room find(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    while (!free.empty()) {
      Room last = std::move(free.back());
      free.pop_back();
      if (last.bytes >= bytes) return last;
    }
    return {0, nullptr};
  }
};

std::shared_ptr<HostRooms::Shelf> HostRooms::make_shelf() {
  return std::make_shared<Shelf>();
}

std::shared_ptr<std::byte[]> HostRooms::take(const Device& device, std::size_t bytes) const {
  Shelf::Room room = shelf_->find(bytes);
  if (!room.memory) room = {bytes, make_room(device, bytes)};
  const auto held = std::make_shared<Shelf::Room>(std::move(room));
  // Back to the shelf with the last who has it.
  return {held->memory.get(), [shelf = shelf_, held](std::byte*) {
            const std::lock_guard lock(shelf->mutex);
            shelf->free.push_back(std::move(*held));
          }};
}

}  // namespace galerna::device
