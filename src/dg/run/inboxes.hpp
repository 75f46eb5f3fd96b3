/// \file
/// Arrays of ranks on GPUs of one host that the others' kernels write to (kernels/rank_arguments.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "parallel/team.hpp"

namespace galerna::dg {

class Inboxes {
 public:
  /// By all ranks together: each makes one of so many bytes, all 0. Both must outlive it.
  /// \throws SystemError where GPUs do not reach one another
  Inboxes(device::Device& device, parallel::Team& team, std::size_t bytes, const std::string& purpose);
  /// Waits for the other ranks: an array that another process has opened must not go.
  ~Inboxes();
  Inboxes(const Inboxes&) = delete;
  Inboxes& operator=(const Inboxes&) = delete;

  /// Where the rank's begins, as this rank's device sees it.
  std::byte* of(int rank) const;

 private:
  parallel::Team& team_;
  std::unique_ptr<device::Memory> own_;
  std::vector<std::unique_ptr<device::Memory>> others_;  ///< [rank] null for this one
  int exceptions_;                                       ///< under way when it was made
};

}  // namespace galerna::dg
