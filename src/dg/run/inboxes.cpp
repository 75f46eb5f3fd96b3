#include "dg/run/inboxes.hpp"

#include <algorithm>
#include <exception>

namespace galerna::dg {

Inboxes::Inboxes(device::Device& device, parallel::Team& team, std::size_t bytes, const std::string& purpose)
    : team_(team),
      own_(device.allocate_shared(bytes, purpose)),
      others_(static_cast<std::size_t>(team.size())),
      exceptions_(std::uncaught_exceptions()) {
  device.clear(*own_);
  device.synchronize();  // before others write to it
  const std::vector<device::MemoryHandle> handles = team.all_gather(device.share(*own_));
  const std::vector<std::size_t> sizes = team.all_gather(own_->bytes());
  team.together([&] {
    for (std::size_t rank = 0; rank < handles.size(); ++rank)
      if (static_cast<int>(rank) != team.rank()) others_[rank] = device.open_shared(handles[rank], sizes[rank]);
  });
}

Inboxes::~Inboxes() {
  others_.clear();
  if (std::uncaught_exceptions() > exceptions_) return;  // the others learn of it elsewhere
  try {
    team_.barrier();
  } catch (const std::exception&) {  // they are gone
  }
}

std::byte* Inboxes::of(int rank) const {
  const auto& other = others_[static_cast<std::size_t>(rank)];
  return static_cast<std::byte*>(other ? other->address() : own_->address());
}

}  // namespace galerna::dg
