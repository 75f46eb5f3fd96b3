/// \file
/// How fast a case on polytopes runs on a device: pattern, assembly, its kernels one by one, set-up of the solver,
/// solution.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/bench/bench.hpp"

namespace galerna::solver {

struct PolytopicBenchResult {
  std::string title, device, precision, penalty, solver, assembly;
  int dimension = 2, least_order = 1, largest_order = 1;
  std::int64_t simplices = 0, polytopes = 0, interfaces = 0, facets = 0, dof = 0, nonzeros = 0;
  double pattern_seconds = 0;
  double assembly_seconds[3] = {};        ///< penalties, matrix, right-hand side: median, least, largest
  double assembly_processor_seconds = 0;  ///< of all threads together, in the mean; 0 on GPUs
  double first_set_up_seconds = 0;        ///< of the solver, with coarser polytopes
  double set_up_seconds = 0;              ///< once more, for another matrix
  std::int64_t iterations = 0;
  double solution_seconds = 0, tolerance = 0;
  double copy_bandwidth = 0, peak_flops = 0;   ///< as of BenchResult
  std::optional<device::Processor> processor;  ///< where that is the device
  std::vector<KernelFigures> kernels;          ///< of an assembly
};

/// With slabs, of the first one. \throws InputError for what check_coefficients() finds, Error where the solver fails
PolytopicBenchResult bench_polytopic(const case_file::Settings& case_settings, const RunOptions& options,
                                     const BenchSettings& settings, Observer& observer);

std::string to_text(const PolytopicBenchResult& result);
std::string to_json(const PolytopicBenchResult& result);

}  // namespace galerna::solver
