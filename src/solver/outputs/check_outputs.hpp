/// \file
/// All outputs of a case, and whether what [output] asks for is there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/outputs/output.hpp"

namespace galerna::solver {

/// Every output that a run has beside checkpoints and report, in the order in which they are written. Both must outlive
/// them.
std::vector<std::unique_ptr<Output>> make_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// What is wrong with any of them.
std::vector<Problem> check_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Warnings of steps and outputs that would be so many that nobody can mean them.
std::vector<std::string> strange_counts(const case_file::Settings& settings);

/// Holds the output directory against what is to be written there: can it be made, can files be made in it, is none of
/// their names that of a folder, does no other run write there? Makes nothing. \throws SystemError, as writing would
void require_output_directory(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
