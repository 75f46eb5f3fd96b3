/// \file
/// Integrals of formulas of a solution on simplices: [output.integral.NAME] of runs on polytopes, whose solutions are
/// on the host.
#pragma once

#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"

namespace galerna::solver {

/// [integral] With the rules of dg::FormulaIntegrals; the sums have the order of the mesh.
/// \param solution on all of a mesh of straight triangles or tetrahedra
std::vector<double> simplex_integrals(const std::vector<case_file::OutputSettings::Integral>& integrals,
                                      const analysis::Solution& solution);

}  // namespace galerna::solver
