#include "solver/bench/kernel_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace galerna::solver {
namespace {

/// A quantity of a kernel, its rate and that rate's share of what the device can do; dashes where it is not counted.
std::string quantity(double amount, double rate, double share) {
  if (amount == 0) return fmt::format("{:>9} {:>8} {:>6}", "-", "-", "-");
  return fmt::format("{:9.3f} {:8.1f} {:5.1f}%", amount / 1e6, rate / 1e9, 100 * share);
}

template <class T>
nlohmann::ordered_json json_of(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

void set_rates(KernelFigures& kernel, double copy_bandwidth, double peak_flops) {
  if (copy_bandwidth > 0) kernel.bandwidth_share = kernel.bandwidth() / copy_bandwidth;
  if (peak_flops > 0) kernel.flop_share = kernel.flop_rate() / peak_flops;
}

std::string kernel_table(const std::vector<KernelFigures>& kernels, const std::string& unit) {
  std::size_t width = 16;
  for (const KernelFigures& k : kernels) width = std::max(width, k.name.size());
  std::string text = fmt::format("  {:{}} {:>11} {:>10} {:>7} {:>9} {:>8} {:>6} {:>9} {:>8} {:>6} {:>9} {:>7}\n",
                                 "kernel", width, "us a launch", "a " + unit, "share", "MB", "GB/s", "", "MFLOP",
                                 "GFLOP/s", "", "registers", "spilled");
  for (const KernelFigures& k : kernels)
    text += fmt::format("  {:{}} {:11.2f} {:10.1f} {:6.1f}% {} {} {:>9} {:>7}\n", k.name, width, 1e6 * k.seconds,
                        k.launches, 100 * k.share, quantity(k.bytes, k.bandwidth(), k.bandwidth_share),
                        quantity(k.flops, k.flop_rate(), k.flop_share), k.registers ? std::to_string(k.registers) : "-",
                        k.registers ? std::to_string(k.local_bytes) : "-");
  return text;
}

nlohmann::ordered_json json_of(const std::vector<KernelFigures>& kernels) {
  auto json = nlohmann::ordered_json::array();
  for (const KernelFigures& k : kernels)
    json.push_back({{"name", k.name},
                    {"seconds", k.seconds},
                    {"launches_per_step", k.launches},
                    {"share", k.share},
                    {"bytes", k.bytes},
                    {"flops", k.flops},
                    {"bytes_per_second", k.bandwidth()},
                    {"flops_per_second", k.flop_rate()},
                    {"share_of_copy_bandwidth", k.bandwidth_share},
                    {"share_of_peak_flops", k.flop_share},
                    {"registers", k.registers},
                    {"local_bytes", k.local_bytes}});
  return json;
}

nlohmann::ordered_json json_of(const device::Processor& p) {
  return {{"model", p.model},
          {"family", json_of(p.family)},
          {"model_number", json_of(p.number)},
          {"simd", p.simd},
          {"threads", p.threads},
          {"cores", json_of(p.cores)},
          {"threads_share_cores", json_of(p.shares_cores())}};
}

}  // namespace galerna::solver
