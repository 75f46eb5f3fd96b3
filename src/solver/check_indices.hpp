/// \file
/// Whether a user's equations stay within their arrays, give numbers and come back.
#pragma once

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Calls each function of the header with the initial state in the middle of up to 200 elements, on the CPU and in a
/// process of its own. Headers that the CPU's compiler does not take are for others to refuse.
/// \throws InputError with function and line of those that read or write past the end of an array, that give no finite
/// number or a negative wave speed, that do not admit the state, crash or do not end
void require_indices_in_range(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
