/// \file
/// Jumps of the initial state that cut elements.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "files/report.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Where polynomials of a degree above 0 are projected from a state that jumps inside of elements, they overshoot, and
/// the filter, positivity or viscosity keep what the initial state has. Limiters cut it, and a steady state forgets it.
/// Looks at the formulas near the corners of all elements, and between two where they differ. Empty where there is
/// nothing to say.
std::vector<files::Report::Warning> jump_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
