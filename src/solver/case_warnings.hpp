/// \file
/// What is allowed in a case, and most likely not meant.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "files/report.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

std::vector<files::Report::Warning> case_warnings(const case_file::Settings& settings);

/// Of a far field with lift_centre where the walls are no bodies with fluid all round: where they end, the pressure of
/// the free stream counts as lift. Empty where there is nothing to say.
std::vector<files::Report::Warning> lift_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// All that case and mesh tell before anything is computed, for `galerna check` and for a run. \param restarts a run
/// that goes on has no initial state
std::vector<files::Report::Warning> start_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                                   bool restarts);

}  // namespace galerna::solver
