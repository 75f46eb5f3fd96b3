/// \file
/// Whether the initial state of a case can be one of its equations.
#pragma once

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Looks at the formulas of [initial] at points inside all elements, for `galerna check`: a run does so with their
/// projection on the device. \throws InputError where they are no numbers, or density or pressure of a gas is not
/// positive, with the place in the mesh
void require_physical_initial_state(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
