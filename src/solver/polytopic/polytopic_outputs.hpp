/// \file
/// Files that a run on polytopes writes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algebra/block_matrix.hpp"
#include "analysis/solution.hpp"
#include "basis/box.hpp"
#include "case/formula.hpp"
#include "drawing/picture_frame.hpp"
#include "solver/outputs/output.hpp"
#include "solver/polytopic/polytopic_mesh.hpp"

namespace galerna::solver {

/// In the plane: facets between polytopes, as lines.
std::vector<drawing::Segment> outlines(const polytopic::Mesh& mesh);

/// The solution as a polynomial of the largest degree on each simplex, which it is. With slabs that at their end.
/// \param positions of the simplices that are wanted, in the mesh; none: all
analysis::Solution solution_on_simplices(const PolytopicMesh& mesh, const basis::BoxSpace& space,
                                         std::span<const int> degrees, std::span<const double> unknowns,
                                         const analysis::FieldSet& fields, double time,
                                         const std::optional<std::vector<mesh::Index>>& positions = {});

/// The initial state of slabs, projected on each simplex; the method itself takes the formula.
analysis::Solution initial_on_simplices(const PolytopicMesh& mesh, std::span<const int> degrees,
                                        const case_file::Formula& initial, const analysis::FieldSet& fields,
                                        const std::optional<std::vector<mesh::Index>>& positions = {});

/// solution.png, with the polytopes' outlines: in the plane, where the case does not say what its pictures are.
std::unique_ptr<Output> make_polytopic_picture_output(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// matrix.mtx and right_hand_side.mtx in Matrix Market format (R. F. Boisvert, R. Pozo, K. A. Remington, NISTIR 5935).
void write_matrix_market(const std::filesystem::path& directory, const algebra::BlockMatrix<double>& matrix,
                         std::span<const double> right_hand_side);

}  // namespace galerna::solver
