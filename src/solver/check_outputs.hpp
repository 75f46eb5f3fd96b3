/// \file
/// All outputs of a case, and whether what [output] asks for is there.
#pragma once

#include <memory>
#include <vector>

#include "solver/output.hpp"

namespace galerna::solver {

/// Every output that a run has beside checkpoints and report, in the order in which they are written. Both must outlive
/// them.
std::vector<std::unique_ptr<Output>> make_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// What is wrong with any of them.
std::vector<Problem> check_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Holds the output directory against what is to be written there: can it be made, can files be made in it, is none of
/// their names that of a folder? Makes nothing. \throws SystemError, as writing would
void require_output_directory(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
