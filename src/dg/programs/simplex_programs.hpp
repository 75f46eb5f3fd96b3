/// \file
/// The programs of a discretization: short texts that instantiate the kernels for one case.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/program.hpp"
#include "dg/operators.hpp"
#include "dg/spec.hpp"
#include "dg/structure.hpp"

namespace galerna::dg {

/// Kernels of straight triangles by themselves (Structure::simplices) that do not depend on the case's formulas:
/// residual_I_O for each (inputs, outputs) of the time scheme's stages, traces (Host), monitor, change; embedded_error
/// with Spec::error_control, embedded_commit with Spec::candidate.
std::vector<device::ProgramSource> simplex_core_programs(const Spec& spec, const Operators& operators,
                                                         const Structure& structure, const device::Target& target,
                                                         const std::set<std::pair<int, int>>& stage_shapes);

/// The kernel `edges` alone, for cuts between ranks where no other traces of elements are stored.
device::ProgramSource simplex_edge_program(const Spec& spec, const Operators& operators, const device::Target& target);

/// Kernels with the case's formulas in them: ghosts, project (if there is an initial state), errors (if there is an
/// exact one), integrals of formulas (if there are any). \param stored_traces Structure::stores_traces
std::vector<device::ProgramSource> simplex_case_programs(const Spec& spec, const Operators& operators,
                                                         const device::Target& target, bool stored_traces);

/// One kernel for a whole sequence of launches of `entries` (kernels/launch_sequence.hpp), on meshes where it is faster
/// (Structure::steps_by_one_kernel).
struct Sequence {
  device::ProgramSource source;  ///< of the entry "sequence"
  std::vector<std::string> entries;
};
bool steps_by_one_kernel(const Structure& structure, int degree, std::int64_t elements);
Sequence sequence_program(const Spec& spec, const Operators& operators, const Structure& structure,
                          const device::Target& target, const std::set<std::pair<int, int>>& stage_shapes);

}  // namespace galerna::dg
