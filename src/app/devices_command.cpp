#include <fmt/format.h>

#include "app/commands.hpp"
#include "device/ceilings.hpp"
#include "device/device.hpp"

namespace galerna::app {

Action add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "What galerna can run on, with measured bandwidth and peak");
  auto measure = std::make_shared<bool>(true);
  command->add_flag("!--no-measure", *measure, "only list, do not measure");
  return [measure] {
    for (const device::DeviceInfo& info : device::list_devices()) {
      const std::string name = info.kind == device::Kind::host ? "cpu" : fmt::format("cuda:{}", info.number);
      fmt::print("{:8} {}\n         {}\n", name, info.name, info.details);
      if (!*measure) continue;
      const auto opened = device::open_device(name);
      const device::Ceilings c = device::measure_ceilings(*opened);
      fmt::print(
          "         copy {:.0f} GB/s (read + written), fused multiply–add {:.0f} GFLOP/s double, {:.0f} GFLOP/s "
          "single\n",
          c.copy_bandwidth / 1e9, c.double_flops / 1e9, c.single_flops / 1e9);
    }
    const std::string absence = device::cuda_absence();
    if (!absence.empty()) fmt::print("no CUDA device: {}\n", absence);
    return 0;
  };
}

}  // namespace galerna::app
