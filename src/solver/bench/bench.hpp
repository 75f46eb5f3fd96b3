/// \file
/// How fast a case runs on a device, kernel by kernel, and how near that is to what the device's memory allows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/processor.hpp"
#include "solver/bench/kernel_figures.hpp"
#include "solver/run/simulation.hpp"

namespace galerna::solver {

struct BenchSettings {
  int repetitions = 5;   ///< of which median, least and largest are reported
  double seconds = 0.5;  ///< least length of one repetition
  bool measure_ceilings = true;
  bool kernels = true;  ///< whether they are timed one by one, too
  std::string
      assembly;  ///< of polytopes: a row of polytopic::assemblies(), which alone is measured; empty: the best one
  std::string exclusive;  ///< of polytopes: file that is locked while anything runs on the device; empty: none
};

struct BenchResult {
  std::string title, device, precision, scheme;
  std::int64_t elements = 0, dof = 0;
  int order = 0, stages = 0;
  double step_seconds[3] = {};  ///< median, least, largest over the repetitions, per step
  double dof_per_second = 0;    ///< dof · stages / median step
  double floor_bytes = 0;       ///< per element and stage: state read and written once, geometry, connectivity
  double copy_bandwidth = 0;    ///< measured, bytes read + written per second; 0 if not measured
  double peak_flops = 0;        ///< measured in the precision, fused multiply–adds as two; 0 if not measured
  double floor_share = 0;       ///< time at copy_bandwidth for floor_bytes / time of a stage
  std::optional<device::Processor> processor;  ///< where that is the device
  std::vector<files::Report::Structure> structures;
  std::vector<KernelFigures> kernels;
};

BenchResult bench(Simulation& simulation, const BenchSettings& settings);

/// The case with every row of dg/structures.hpp that fits some of its elements, one after the other, whole steps only:
/// (row, result).
using Comparison = std::vector<std::pair<std::string, BenchResult>>;
Comparison bench_structures(const case_file::Settings& case_settings, RunOptions options, BenchSettings settings,
                            Observer& observer);

std::string to_text(const BenchResult& result);
std::string to_text(const Comparison& comparison);
std::string to_json(const BenchResult& result);
std::string to_json(const Comparison& comparison);

}  // namespace galerna::solver
