/// \file
/// Whether a user's equations stay within their arrays and give numbers.
#pragma once

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Calls each function of the header once, with the initial state in the middle of the first element, on the CPU.
/// Headers that the CPU's compiler does not take are for others to refuse. \throws InputError with function, line and
/// index of those that read or write past the end of an array, that give no finite number or a negative wave speed
void require_indices_in_range(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
