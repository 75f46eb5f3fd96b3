/// \file
/// What each kernel must do, counted and not measured: bytes that have to move between memory and processor, and
/// floating-point operations (docs/user-guide.md, What bench prints).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dg/element_set.hpp"
#include "dg/spec.hpp"
#include "time/schemes.hpp"

namespace galerna::solver {

struct KernelCost {
  double bytes = 0, flops = 0;
};

/// What costs hang on.
struct CostProblem {
  const dg::Spec& spec;
  const std::vector<dg::ElementSet>& sets;
  const time::Scheme& scheme;
  dg::Target target;
  std::vector<std::int64_t> boundary_faces = {};  ///< of each boundary
  bool steady = false;                            ///< whether the change of every step is taken
  int vertex_slots = 0;                           ///< most elements around a vertex
  double limited_share = 0;                       ///< of elements and stages, where the limiter changes slopes
};

/// Of a launch of each kernel in a step, by the name under which it is launched; of kernels that several stages share
/// the mean. Every array counts once for being read and once for being written, however often caches let it be read.
/// Operations are those that the kernels' sources do for an element (kernels/counted.hpp), on the GPU once for all
/// threads that share it; products of tiles those of the matrices, without what fills blocks on matrix units.
/// \throws SystemError where no compiler for the CPU is, or equations use what cannot be counted.
std::map<std::string, KernelCost> kernel_costs(const CostProblem& problem);

}  // namespace galerna::solver
