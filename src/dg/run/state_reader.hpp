/// \file
/// A state on a GPU as numbers, a piece at a time: the host never has a copy of all of it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "device/host_rooms.hpp"
#include "device/launcher.hpp"
#include "dg/element_set.hpp"
#include "dg/run/state_arrays.hpp"

namespace galerna::dg {

/// One thread's piece is on its way from the device while others still use theirs.
class StateReader {
 public:
  /// Bytes of a set's numbers up to which it is copied as a whole for who asks for single elements.
  static constexpr std::int64_t most_whole = std::int64_t{1} << 28;

  /// All must outlive it. \param state must stay as it is while it is read \param rooms for pieces
  StateReader(device::Launcher& launcher, const std::vector<ElementSet>& sets, const StateArrays& states,
              device::Memory& state, device::HostRooms rooms);

  /// Writes [element][variable][mode] of elements of a set, from any thread. \throws SystemError from the device
  void read(std::size_t set, std::span<const mesh::Index> positions, double* to) const;
  /// The same for one element; of a small set its whole is read first.
  void read_one(std::size_t set, mesh::Index position, double* to) const;
  /// The same for one element of a large set. Those behind it come with it, for who asks for one after the other.
  void read_window(std::size_t set, mesh::Index position, double* to) const;

 private:
  struct Whole {
    std::once_flag once;
    std::vector<double> values;
  };

  const double* whole(std::size_t set) const;
  void read_piece(std::size_t set, std::span<const mesh::Index> positions, double* to) const;
  std::int64_t values(std::size_t set) const { return layouts_[set].n * layouts_[set].together; }

  device::Launcher& launcher_;
  const std::vector<ElementSet>& sets_;
  device::Memory& state_;
  device::HostRooms rooms_;
  mutable std::vector<Whole> wholes_;  ///< [set]
  std::vector<StateLayout> layouts_;   ///< [set]
  std::uint64_t number_;               ///< of all readers
  mutable std::mutex mutex_;           ///< for the device
  std::unique_ptr<device::Memory> positions_, numbers_;
};

}  // namespace galerna::dg
