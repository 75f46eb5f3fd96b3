/// \file
/// Numbers that cross cuts among ranks on CPUs.
#pragma once

#include <cstdint>
#include <vector>

#include "device/launcher.hpp"
#include "dg/blocks.hpp"
#include "dg/run/cut_exchange.hpp"
#include "dg/sides/cut_pieces.hpp"
#include "parallel/team.hpp"

namespace galerna::dg {

/// By messages between launches.
class HostCutExchange : public CutExchange {
 public:
  HostCutExchange(device::Launcher& launcher, parallel::Team& team, device::Precision precision,
                  std::vector<CutNeighbour> neighbours)
      : launcher_(launcher), team_(team), bytes_(bytes_of(precision)), neighbours_(std::move(neighbours)) {}

  void exchange(const Arrays& arrays) override {
    launcher_.call([this, arrays] { exchange_now(arrays); });
  }

 private:
  void exchange_now(const Arrays& arrays) const;
  /// Calls visit(number of an array) for those of a message in their order.
  template <class Visit>
  void for_each(const CutNeighbour& neighbour, const Arrays& arrays, bool sends, const Visit& visit) const;

  device::Launcher& launcher_;
  parallel::Team& team_;
  std::int64_t bytes_;  ///< of a number
  std::vector<CutNeighbour> neighbours_;
};

}  // namespace galerna::dg
