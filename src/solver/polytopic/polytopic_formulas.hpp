/// \file
/// Where the formulas of a case on polytopes have no finite value: asked before a run, and once something is found to
/// be no number.
#pragma once

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "solver/polytopic/polytopic_problem.hpp"

namespace galerna::solver {

/// The first place at which a formula is not a finite number, polytope by polytope, at the points of the quadrature and
/// at the corners of simplices: "the source "log(x)" is nan on polytope 3 at (-1, 0.5)", with the formula's place in
/// the case. \param begin, end of the slab or, without slabs, the one time \return nothing where all formulas are
/// finite
std::optional<Problem> find_not_finite(const case_file::Settings& settings, const PolytopicMesh& mesh,
                                       const polytopic::Spec& spec, int largest_degree, double begin, double end);

/// The same of all slabs, for `galerna check`. \throws InputError with the place of the formula in the case
void require_finite_formulas(const case_file::Settings& settings, const PolytopicMesh& mesh,
                             const polytopic::Spec& spec, const std::vector<int>& degrees);

}  // namespace galerna::solver
