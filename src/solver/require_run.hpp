/// \file
/// What a run needs beside a case and a mesh that are right: somewhere to write, and memory and programs on its device.
#pragma once

#include <vector>

#include "solver/polytopic/polytopic_problem.hpp"
#include "solver/run/observer.hpp"

namespace galerna::solver {

/// For `galerna check`, of a device that is here. Computes, compiles and writes nothing.
/// \throws SystemError, as the run would; InputError for options that fit neither case nor device
void require_run(const case_file::Settings& settings, const mesh::Mesh& mesh, const RunOptions& options);
/// The same of a run on polytopes. \param degrees [polytope]
void require_run(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                 const std::vector<int>& degrees, const RunOptions& options);

}  // namespace galerna::solver
