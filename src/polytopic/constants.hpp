/// \file
/// Problems whose solution is known but for a constant: fluxes through all of the boundary, nothing else.
#pragma once

#include <span>
#include <vector>

#include "polytopic/discretization.hpp"

namespace galerna::polytopic {

/// Whether constants solve the problem without sources.
bool constants_are_free(const Spec& spec);

/// What sources and fluxes through the boundary add up to, by what they add up to in absolute terms, polytope by
/// polytope: zero if there is a solution.
double imbalance(const Discretization& discretization, std::span<const double> load);

/// Spreads the imbalance, what quadrature leaves of zero, over all polytopes.
void balance(const Discretization& discretization, std::vector<double>& load);

/// Takes the solution's mean over the domain out of it.
void remove_mean(Discretization& discretization, const Mesh& mesh, std::vector<double>& solution);

/// The matrix with a further entry on its diagonal that makes it regular. Solutions for balanced loads are ones of the
/// matrix as it was.
void fix_constant(algebra::BlockMatrix<double>& matrix);

}  // namespace galerna::polytopic
