/// \file
/// Where the formulas of a case on polytopes have no finite value: asked once something is found to be no number.
#pragma once

#include <string>

#include "solver/polytopic/polytopic_problem.hpp"

namespace galerna::solver {

/// The first place at which a formula is not a finite number, polytope by polytope, at the points of the quadrature and
/// at the corners of simplices: "the source "log(x)" is nan on polytope 3 at (-1, 0.5)". \param begin, end of the slab
/// or, without slabs, the one time \return "" where all formulas are finite
std::string find_not_finite(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                            int largest_degree, double begin, double end);

}  // namespace galerna::solver
