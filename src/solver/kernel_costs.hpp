/// \file
/// What each kernel must do, counted and not measured: bytes that have to move between memory and processor, and
/// floating-point operations (docs/user-guide.md, What bench prints).
#pragma once

#include <map>
#include <string>

#include "dg/operators.hpp"
#include "dg/spec.hpp"
#include "kernels/operations.hpp"
#include "time/schemes.hpp"

namespace galerna::solver {

/// Operations of the spec's equations, numerical flux and limited variables at one point, counted by a program that the
/// CPU's compiler makes of them. \throws SystemError where there is no compiler.
kernels::OperationCounts count_operations(const dg::Spec& spec);

struct KernelCost {
  double bytes = 0, flops = 0;
};

struct CostSettings {
  device::Kind kind = device::Kind::host;
  int lanes = 1;             ///< elements in a block: reductions leave one number each
  bool steady = false;       ///< whether the change of every step is taken
  bool embedded = false;     ///< whether steps are controlled by their error
  int vertex_slots = 0;      ///< most elements around a vertex
  double limited_share = 0;  ///< of elements and stages, where the limiter changes slopes
};

/// Per element; of `ghosts` per boundary face. Every array counts once, however often caches let it be read: states,
/// geometry and connectivity that the kernel reads, and what it writes. Operations are those of the kernels' loops.
/// Kernels that stages of different kinds share have the mean of those.
std::map<std::string, KernelCost> kernel_costs(const dg::Spec& spec, const dg::Operators& operators,
                                               const time::Scheme& scheme, const kernels::OperationCounts& operations,
                                               const CostSettings& settings);

}  // namespace galerna::solver
