/// \file
/// What a bench tells of kernels, one by one, and of the machine: as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "device/processor.hpp"

namespace galerna::solver {

struct KernelFigures {
  std::string name;
  double seconds = 0;   ///< per launch
  double launches = 0;  ///< per step, or per assembly
  double share = 0;     ///< of it
  int registers = 0, local_bytes = 0;
  double bytes = 0, flops = 0;  ///< that a launch must move and do (kernel_costs.hpp); 0: unknown, or none
  double bandwidth_share = 0, flop_share = 0;  ///< reached of copy_bandwidth and peak_flops; 0 if not measured

  double bandwidth() const { return bytes / seconds; }  ///< bytes per second
  double flop_rate() const { return flops / seconds; }  ///< operations per second
};

/// Of a kernel whose name, times, bytes and operations are known. \param copy_bandwidth, peak_flops 0 if not measured
void set_rates(KernelFigures& kernel, double copy_bandwidth, double peak_flops);

/// \param unit what launches are counted in: "step"
std::string kernel_table(const std::vector<KernelFigures>& kernels, const std::string& unit);
nlohmann::ordered_json json_of(const std::vector<KernelFigures>& kernels);
/// What is not known is null.
nlohmann::ordered_json json_of(const device::Processor& processor);

}  // namespace galerna::solver
