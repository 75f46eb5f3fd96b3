/// \file
/// Boundaries whose given flow does not fit their place: the case and its mesh tell it before anything is computed.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "files/report.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Of subsonic inflows, at the centres of their sides at t = 0: directions that do not point into the domain.
std::vector<files::Report::Warning> direction_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Of supersonic inflows, in the same way: states that do not enter faster than sound. A run looks at those that depend
/// on the time itself (run/boundary_watch.hpp). \param restarts what depends on the time is left out
std::vector<files::Report::Warning> supersonic_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                                        bool restarts = false);

/// Of moving walls, in the same way: velocities that would move the wall from its place, of which a part is left out.
std::vector<files::Report::Warning> sliding_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
