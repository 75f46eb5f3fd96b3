/// \file
/// Means over time of the flow and of forces (output.averages): how they are taken, kept and continued.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "analysis/solution.hpp"
#include "dg/flow_operator.hpp"
#include "files/checkpoint.hpp"
#include "solver/force_averages.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

class TimeMeans {
 public:
  /// Both must outlive it.
  TimeMeans(const case_file::Settings& settings, const mesh::Mesh& mesh)
      : settings_(settings), mesh_(mesh), forces_(settings) {}

  /// The time at which means begin, if that is still to come; infinity otherwise.
  static double next_start(time::Stepper& stepper);
  /// Makes the mean of the integral of a state over time, \param now the present state, \param since when it is summed.
  static void finish(analysis::Solution& integral, const analysis::Solution& now, const kernels::Control& control,
                     double since);

  using GetWalls = std::function<const std::vector<analysis::Wall>&()>;
  void sample_forces(time::Stepper& stepper, const GetWalls& walls);

  void write(files::Checkpoint& checkpoint, const kernels::Control& control, device::Memory* integral,
             const dg::FlowOperator& flow) const;
  /// Goes on with the means of the checkpoint unless the case wants later ones.
  void restart(const files::Checkpoint& checkpoint, time::Stepper& stepper, const dg::FlowOperator& flow);
  void report(files::Report& report, const time::Stepper& stepper) const;

 private:
  const case_file::Settings& settings_;
  const mesh::Mesh& mesh_;
  ForceAverages forces_;
};

/// Writes a state of another degree into one of the operator's.
void write_as_present_degree(const dg::FlowOperator& flow, const mesh::Mesh& mesh, device::Memory& state,
                             const std::vector<double>& coefficients, int degree);

}  // namespace galerna::solver
