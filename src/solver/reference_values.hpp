/// \file
/// Reference values of [output.forces] that the case leaves to the body.
#pragma once

#include <string>

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Sets the length and the area where the case gives none (both are 0 then): those of the walls that follow true
/// shapes; without such of the walls that close round bodies, or of all (analysis/planform.hpp). \return what was
/// taken, for people; "" where the case gives both \throws InputError where the walls have no area or length
std::string complete_reference(case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
