/// \file
/// Whether the initial state of a case can be one of its equations.
#pragma once

#include <optional>
#include <string>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Where the formulas of [initial] are no numbers, or give a gas no positive density or pressure, at the points at
/// which they are projected: the first such point. Nothing where all is well.
std::optional<Problem> find_unphysical_formula(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Why an initial state is not physical although its formulas are, with the remedy.
std::string explain_overshoot(const case_file::Settings& settings, int degree);

/// What a run refuses: projects the state of a gas onto the polynomials of the first degree of the case, and looks at
/// density and pressure at the quadrature points; with a limiter at those of means, which it does not change. Of other
/// equations the formulas have to be finite.
/// \throws InputError with the place in the mesh
void require_physical_initial_state(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
