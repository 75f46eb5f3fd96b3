/// \file
/// Numbers that cross cuts among GPUs of one host: kernels write them to the other's memory
/// (kernels/rank_exchange.hpp), and no CPU waits for anything.
#pragma once

#include <memory>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/cut_exchange.hpp"
#include "dg/run/inboxes.hpp"
#include "dg/sides/cut_pieces.hpp"
#include "kernels/rank_arguments.hpp"

namespace galerna::dg {

class GpuCutExchange : public CutExchange {
 public:
  /// As make_cut_exchange(); by all ranks together.
  GpuCutExchange(device::Launcher& launcher, parallel::Team& team, device::Precision precision,
                 std::vector<CutNeighbour> neighbours);

  void exchange(const Arrays& arrays) override;
  void leave_room() override;

 private:
  /// What is sent, or received. \param messages [neighbour] where its message begins in the first half of an inbox
  void describe(kernels::CutNumbers (&cuts)[kernels::most_cut_arrays], bool sends,
                const std::vector<std::byte*>& messages);
  const std::int64_t* keep(const std::vector<std::int64_t>& values);

  device::Launcher& launcher_;
  std::int64_t entry_bytes_;  ///< of a number in an inbox
  std::int64_t groups_;       ///< thread blocks of an exchange, if as many run at once
  std::vector<CutNeighbour> neighbours_;
  std::unique_ptr<Inboxes> inboxes_;
  std::vector<std::unique_ptr<device::Memory>> arrays_;  ///< that the arguments point to
  kernels::CutExchangeArguments arguments_{};            ///< but the arrays of numbers
};

}  // namespace galerna::dg
