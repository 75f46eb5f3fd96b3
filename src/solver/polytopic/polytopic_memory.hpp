/// \file
/// The device memory of a case on polytopes, array by array, before anything is allocated.
#pragma once

#include <string>
#include <vector>

#include "solver/memory.hpp"
#include "solver/polytopic/polytopic_problem.hpp"

namespace galerna::solver {

/// The plan of the same case with degrees no larger than one, or with another precision. The mesh must outlive it.
/// \param multigrid whether the equations are solved so: then its levels are in the plan
PlanOf plan_of(const PolytopicMesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
               const device::Traits& traits, bool multigrid);

/// What `galerna check` says: unknowns, non-zeros, memory by array, and the largest order that would fit into `free`
/// bytes, if they are known (not 0).
std::string forecast(const PolytopicMesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
                     const device::Traits& traits, bool multigrid, std::size_t free);

/// Bytes of the host that a direct solution takes at its worst moment: the matrix, its factors and what is at work on
/// them, found without numbers (algebra/fronts.hpp).
std::size_t direct_bytes(const PolytopicMesh& mesh, const basis::BoxSpace& space, const std::vector<int>& degrees);

/// Bytes that a run takes on the device, with a direct solution's where the device is the host.
std::size_t peak_bytes(const PlanOf& plan, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                       const std::vector<int>& degrees, device::Kind kind, bool multigrid);

/// \param free bytes of the device, 0: not known
/// \throws SystemError if the plan does not fit on the device, or a direct solution not beside it or on the host
void require_polytopic_memory(const PlanOf& plan, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                              const std::vector<int>& degrees, device::Kind kind, std::size_t free, bool multigrid);

}  // namespace galerna::solver
