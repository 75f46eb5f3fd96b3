/// \file
/// Files that a run on polytopes writes.
#pragma once

#include <span>
#include <vector>

#include "analysis/solution.hpp"
#include "drawing/picture.hpp"
#include "solver/polytopic_problem.hpp"

namespace galerna::solver {

/// In the plane: facets between polytopes, as lines.
std::vector<drawing::Segment> outlines(const polytopic::Mesh& mesh);

/// The solution as a polynomial of the largest degree on each simplex, which it is. With slabs that at their end.
analysis::Solution solution_on_simplices(const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                         std::span<const int> degrees, std::span<const double> unknowns, double time);

/// solution.vtu with polytope, degree and defect of each cell, and solution.png with the polytopes' outlines (in the
/// plane), as the case asks for. \param defects [polytope] of polytopic::Balance
void write_polytopic_solution(const case_file::Settings& settings, const PolytopicMesh& mesh,
                              std::span<const int> degrees, const analysis::Solution& solution,
                              std::span<const double> defects);

/// matrix.mtx and right_hand_side.mtx in Matrix Market format (R. F. Boisvert, R. Pozo, K. A. Remington, NISTIR 5935).
void write_matrix_market(const std::filesystem::path& directory, const algebra::BlockMatrix<double>& matrix,
                         std::span<const double> right_hand_side);

}  // namespace galerna::solver
