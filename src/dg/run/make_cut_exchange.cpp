#include "dg/run/make_cut_exchange.hpp"

#include "dg/run/gpu_cut_exchange.hpp"
#include "dg/run/host_cut_exchange.hpp"

namespace galerna::dg {

std::unique_ptr<CutExchange> make_cut_exchange(device::Launcher& launcher, parallel::Team& team,
                                               device::Precision precision, std::vector<CutNeighbour> neighbours) {
  if (launcher.device().kind() == device::Kind::cuda)
    return std::make_unique<GpuCutExchange>(launcher, team, precision, std::move(neighbours));
  return std::make_unique<HostCutExchange>(launcher, team, precision, std::move(neighbours));
}

}  // namespace galerna::dg
