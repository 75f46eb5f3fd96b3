/// \file
/// The device memory of a case, array by array, before anything is allocated.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dg/memory_plan.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

/// All arrays of a simulation, the largest first.
dg::MemoryPlan plan_memory(const dg::Spec& spec, const time::Scheme& scheme, const time::StepSettings& settings,
                           const dg::MeshSizes& sizes, const dg::Target& target);

/// The plan of the same case with another degree or precision.
using PlanOf = std::function<dg::MemoryPlan(int degree, device::Precision precision)>;

PlanOf plan_of(const dg::Spec& spec, const time::Scheme& scheme, const time::StepSettings& settings,
               const dg::MeshSizes& sizes, const std::function<dg::Target(device::Precision)>& target);

/// \throws SystemError if the plan takes more than `free` bytes, with the largest arrays and what would fit.
void require_memory(const PlanOf& plan, int degree, device::Precision precision, std::int64_t elements,
                    std::size_t free);

/// "123.4 MB (345 bytes per element)"
std::string memory_summary(const dg::MemoryPlan& plan, std::int64_t elements);

/// The plan as a table with bytes per element.
std::string memory_table(const dg::MemoryPlan& plan, std::int64_t elements);

}  // namespace galerna::solver
