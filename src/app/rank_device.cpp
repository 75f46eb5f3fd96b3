#include "app/rank_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "device/device.hpp"
#include "device/program.hpp"

namespace galerna::app {
namespace {

/// That this process sees.
int count_gpus() {
  const auto all = device::list_devices();
  return static_cast<int>(std::count_if(all.begin(), all.end(),
                                        [](const device::DeviceInfo& one) { return one.kind == device::Kind::cuda; }));
}

}  // namespace

std::string device_of_rank(const std::string& asked, parallel::Team& team) {
  const bool chooses = asked == "auto" || asked == "cuda";
  int gpus = asked == "cpu" ? 0 : count_gpus();
  if (asked == "auto" && !device::cuda_compiler_absence().empty()) gpus = 0;
  gpus = team.minimum(gpus);
  if (asked == "cpu" || (asked == "auto" && gpus == 0)) return "cpu";
  if (!team.all(team.host_size() == team.size()))
    throw InputError({"--device"}, "ranks on GPUs are those of one host: --device cpu, or start them on one");
  if (!chooses) return asked;
  if (gpus < team.size())
    throw InputError(
        {"--ranks"},
        fmt::format("{} ranks on {}, where each rank sees {} GPU{}: a rank takes a GPU of its own and reaches "
                    "the others' (--ranks all takes them all; --device cpu computes without; with SLURM: "
                    "--gpu-bind=none)",
                    team.size(), team.host(), gpus, gpus == 1 ? "" : "s"));
  return fmt::format("cuda:{}", team.host_rank());
}

}  // namespace galerna::app
