/// \file
/// The way in which a device exchanges numbers with other ranks.
#pragma once

#include <memory>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/cut_exchange.hpp"
#include "dg/sides/cut_pieces.hpp"
#include "parallel/team.hpp"

namespace galerna::dg {

/// By all ranks together. device::Launcher and team must outlive it.
std::unique_ptr<CutExchange> make_cut_exchange(device::Launcher& launcher, parallel::Team& team,
                                               device::Precision precision, std::vector<CutNeighbour> neighbours);

}  // namespace galerna::dg
