/// \file
/// The memory of a run's process, beside that of the device's arrays: program, mesh, outputs.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "case/settings.hpp"
#include "device/counting.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Bytes.
struct HostPlan {
  std::size_t before = 0;     ///< program and mesh: what a process has that has read the case
  std::size_t arrays = 0;     ///< of the device, if that is the CPU
  std::size_t temporary = 0;  ///< beside them, while formulas are evaluated
  std::size_t outputs = 0;    ///< at most: a copy of the state, and pieces of files
  std::size_t pending = 0;    ///< at most: further states that wait for being written
  std::size_t copies = 0;     ///< of outputs and pending those of states, which a run can do without
  std::size_t peak = 0;       ///< of the process, with what reading the mesh has taken for a while
  /// What a process that has read the mesh takes more.
  std::size_t to_come() const { return arrays + std::max(temporary, outputs + pending); }
};

/// To be called when the mesh has been read. \param plan of the device's arrays, \param kind of the device, \param
/// pending of RunOptions
HostPlan plan_host_memory(const case_file::Settings& settings, const mesh::Mesh& mesh, const device::MemoryPlan& plan,
                          device::Kind kind, device::Precision precision, int pending);

/// The plan with as many moments waiting for their files as the host has room for: copies take no more than half of
/// what is free. With none the run waits. \param pending as many as are asked for; what fits
HostPlan fitting_host_plan(const std::function<HostPlan(int pending)>& plan, int& pending, std::size_t free);

/// \throws SystemError where the host has less than the plan takes, with what takes it
void require_host_memory(const HostPlan& plan, std::size_t free);

/// "process: 350.1 MB at most (75.2 MB program and mesh, 199.9 MB arrays, 70.0 MB outputs, 5.1 MB waiting for them)"
std::string describe(const HostPlan& memory);

}  // namespace galerna::solver
