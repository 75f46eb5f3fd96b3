/// \file
/// Whether a refined mesh and what is computed on it fit into memory, before the mesh is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "case/settings.hpp"
#include "device/counting.hpp"
#include "dg/sides/code_counts.hpp"
#include "mesh/counts.hpp"
#include "solver/memory.hpp"

namespace galerna::solver {

/// Of a case with mesh.refine.
struct MemoryForecast {
  mesh::ElementCounts counts;  ///< of the refined mesh
  PlanOf device;               ///< its arrays, from those of coarser meshes
  dg::CodeCounts codes;
};

/// Elements from which on refining and planning take long enough to look ahead.
constexpr std::int64_t elements_to_forecast = 200'000;

/// Elements of the case's mesh file; nothing where the refined mesh is small or none, for Newton's method, or where
/// walls follow shapes by elasticity, which takes long on coarse meshes, too. \throws InputError where there are more
/// than can be counted
std::optional<mesh::ElementCounts> counts_to_forecast(const case_file::Settings& settings);

/// Plans on coarser meshes of the case. Nothing where these cannot be made. \param coarse of counts_to_forecast()
/// \throws InputError with what is wrong whatever the refinement (problems_at_any_refinement())
std::optional<MemoryForecast> forecast_memory(const case_file::Settings& settings, const mesh::ElementCounts& coarse,
                                              device::Precision precision, const device::Traits& traits);

/// Memory that is there, bytes.
struct FreeMemory {
  std::size_t device, host;
};

/// \throws InputError where numbers of sides do not fit into 32 bits, SystemError where the device's arrays do not fit
/// on it, or the mesh and, of a CPU, these arrays not into the memory of the host, with what would
void require_forecast(const MemoryForecast& forecast, const case_file::Settings& settings, device::Precision precision,
                      device::Kind kind, const FreeMemory& free);

}  // namespace galerna::solver
