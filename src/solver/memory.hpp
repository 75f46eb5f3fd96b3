/// \file
/// The device memory of a case, array by array, before anything is allocated.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "device/counting.hpp"
#include "dg/spec.hpp"
#include "mesh/mesh.hpp"
#include "steady/newton.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

/// All arrays of a simulation on such a device, the largest first: those of its set-up, which is run on a device that
/// only counts. \param mesh prepared (mesh/prepare.hpp)
device::MemoryPlan plan_memory(const mesh::Mesh& mesh, const dg::Spec& spec, const time::Scheme& scheme,
                               const time::StepSettings& settings, const device::Traits& traits,
                               const std::optional<steady::NewtonSettings>& newton = {});

/// The plan of the same case with another degree or precision.
using PlanOf = std::function<device::MemoryPlan(int degree, device::Precision precision)>;

/// \param mesh, scheme must outlive the result.
PlanOf plan_of(const mesh::Mesh& mesh, const dg::Spec& spec, const time::Scheme& scheme,
               const time::StepSettings& settings, const device::Traits& traits,
               const std::optional<steady::NewtonSettings>& newton = {});

/// \returns the plan \throws SystemError if it takes more than `free` bytes, with the largest arrays and what would
/// fit.
device::MemoryPlan require_memory(const PlanOf& plan, int degree, device::Precision precision, std::int64_t elements,
                                  std::size_t free);

/// "123.4 MB (345 bytes per element)"
std::string memory_summary(const device::MemoryPlan& plan, std::int64_t elements);

/// The plan as a table with bytes per element.
std::string memory_table(const device::MemoryPlan& plan, std::int64_t elements);

}  // namespace galerna::solver
