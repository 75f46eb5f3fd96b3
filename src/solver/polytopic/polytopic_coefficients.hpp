/// \file
/// What is wrong with the coefficients and data of a case on polytopes, found from the formulas alone: before anything
/// is compiled, and by `galerna check`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/polytopic/polytopic_problem.hpp"

namespace galerna::solver {

/// [polytope] what Discretization::extremes() finds, at the same places; what is no number does not count.
/// \param begin, end of the slab or, without slabs, the one time
std::vector<polytopic::Extremes> find_extremes(const case_file::Settings& settings, const PolytopicMesh& mesh,
                                               const polytopic::Spec& spec, int largest_degree, double begin,
                                               double end);

/// How much of sources and fluxes is left where all are added up, relative to the sum of their absolute values on
/// polytopes: what polytopic::imbalance() finds of a load.
double find_imbalance(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                      int largest_degree);

/// A warning where multigrid is slow, with what a direct solution takes; empty where it is not, or not what solves.
std::string slow_multigrid(const case_file::PolytopicSettings& settings, const PolytopicMesh& mesh,
                           const polytopic::Spec& spec, const std::vector<int>& degrees,
                           const std::vector<polytopic::Extremes>& extremes);

/// Refuses coefficients and data with which there is no solution, in the first `slabs` slabs.
/// \param warn is told what may be meant \throws InputError
void require_coefficients(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                          const std::vector<int>& degrees, long slabs,
                          const std::function<void(const std::string&)>& warn);

}  // namespace galerna::solver
