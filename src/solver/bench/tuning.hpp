/// \file
/// Choosing among kernels of different structure for the same right-hand side by running them.
#pragma once

#include <functional>
#include <vector>

#include "device/cache.hpp"
#include "dg/structures.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Rows that are timed for a mesh of nothing but such elements, the one first that is taken untimed.
std::vector<const dg::Structure*> timed_structures(const dg::Elements& elements, const dg::Spec& spec,
                                                   const device::Target& target);

/// Of such rows, two or more, the one that was fastest when they were measured, once for each device, equations, flux,
/// degree and precision; the cache of compiled programs remembers it. Where none can be measured (a node without a
/// compiler), the first. \param beside gives programs that the caller will load: they compile at the same time where
/// anything is measured. \param directory instead of the cache, if not empty.
dg::Choice fastest_structure(device::Device& device, const dg::Spec& spec,
                             const std::vector<const dg::Structure*>& rows,
                             const std::function<std::vector<device::ProgramSource>()>& beside,
                             const std::filesystem::path& directory = {});

/// The choice for which `seconds` is least, from the cache if it is there. A choice that throws SystemError (it needs a
/// compiler that is missing, say) does not count; if none does not, the first error is thrown.
int fastest(const device::Recipe& recipe, const std::vector<int>& choices, const std::function<double(int)>& seconds,
            const std::filesystem::path& directory = {});

/// Cells of a mesh, two triangles each.
struct TuningCells {
  int nx, ny;
  std::int64_t triangles() const { return 2 * std::int64_t{nx} * ny; }
};
/// Of a mesh on which structures are to be compared: a kernel with a thread for each triangle, of which a GPU works on
/// `at_once` at a time, makes several rounds, the last of them nearly full, as many small tiles do on any mesh. On a
/// mesh of one round and a half it would seem to be a third slower than it is. \param at_once 0: on a CPU.
TuningCells tuning_cells(std::int64_t at_once);

/// A periodic mesh (no boundary conditions needed).
mesh::Mesh tuning_mesh(const TuningCells& cells);

/// Seconds of a right-hand side by a row of the table.
double time_residual(device::Device& device, const mesh::Mesh& mesh, const dg::Spec& spec,
                     const dg::Structure& structure);

}  // namespace galerna::solver
