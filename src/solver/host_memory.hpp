/// \file
/// The memory of a run's process, beside that of the device's arrays: program, mesh, outputs.
#pragma once

#include <string>

#include "case/settings.hpp"
#include "device/counting.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Bytes.
struct HostPlan {
  std::size_t before = 0;   ///< program and mesh: what a process has that has read the case
  std::size_t arrays = 0;   ///< of the device, if that is the CPU
  std::size_t outputs = 0;  ///< at most: the solution as numbers, checkpoint and VTU
  std::size_t pending = 0;  ///< at most: states that wait for being written
  std::size_t peak = 0;     ///< of the process, with what reading the mesh has taken for a while
};

/// To be called when the mesh has been read. \param plan of the device's arrays, \param kind of the device, \param
/// pending of RunOptions
HostPlan plan_host_memory(const case_file::Settings& settings, const mesh::Mesh& mesh, const device::MemoryPlan& plan,
                          device::Kind kind, int pending);

/// "process: 350.1 MB at most (75.2 MB program and mesh, 199.9 MB arrays, 70.0 MB outputs, 5.1 MB waiting for them)"
std::string describe(const HostPlan& memory);

}  // namespace galerna::solver
