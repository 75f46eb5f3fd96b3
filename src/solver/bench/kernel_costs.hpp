/// \file
/// What each kernel must do, by formula and not measured: bytes that have to move between memory and processor, and
/// floating-point operations (docs/user-guide.md, What bench prints).
#pragma once

#include <map>
#include <string>

#include "dg/flow_operator.hpp"
#include "time/schemes.hpp"

namespace galerna::solver {

struct KernelCost {
  double bytes = 0, flops = 0;
};

/// What costs hang on beside the discretization.
struct CostProblem {
  const time::Scheme& scheme;
  std::int64_t boundary_faces = 0;
  bool steady = false;       ///< whether the change of every step is taken
  double limited_share = 0;  ///< of elements and stages, where the limiter changes slopes
};

/// Of a launch of each kernel in a step, by the name under which it is launched; of kernels that several stages share
/// the mean. Every array counts once for being read and once for being written, however often caches let it be read.
/// Operations are those of products with basis and quadrature (dg/multiply_adds.hpp); 0 for kernels without any.
std::map<std::string, KernelCost> kernel_costs(dg::FlowOperator& flow, const CostProblem& problem);

}  // namespace galerna::solver
