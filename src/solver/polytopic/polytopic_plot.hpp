/// \file
/// Solutions on polytopes from their checkpoints, which know the polytopes and their degrees.
#pragma once

#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "files/checkpoint.hpp"
#include "solver/polytopic/polytopic_problem.hpp"

namespace galerna::solver {

/// Whether a checkpoint is of a run on polytopes.
bool is_polytopic(const files::Checkpoint& checkpoint);

/// What has to be taken out of its case, for --set: files that need not be there any more.
std::vector<std::string> without_polytopic_files(const files::Checkpoint& checkpoint);

/// \param settings the checkpoint's case \throws InputError where the mesh is another one
PolytopicMesh mesh_of(const files::Checkpoint& checkpoint, const case_file::Settings& settings);

/// \param mesh must outlive the solution
analysis::Solution solution_of(const files::Checkpoint& checkpoint, const case_file::Settings& settings,
                               const PolytopicMesh& mesh);

}  // namespace galerna::solver
