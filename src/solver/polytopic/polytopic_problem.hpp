/// \file
/// From a case of advection, diffusion and reaction to what is computed: polytopes, degrees, formulas.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "polytopic/discretization.hpp"
#include "solver/polytopic/polytopic_mesh.hpp"

namespace galerna::solver {

constexpr int highest_polytopic_degree = 6;

/// Reads, refines and agglomerates the case's mesh. \throws InputError
PolytopicMesh make_polytopic_mesh(const case_file::Settings& settings);

/// [polytope] p. \throws InputError for degrees that are no integers of 0 … 6, with the place
std::vector<int> make_degrees(const case_file::Settings& settings, const polytopic::Mesh& polytopes);

/// What the case says of a boundary of the mesh.
const case_file::PolytopicBoundary& boundary_named(const case_file::PolytopicSettings& settings,
                                                   const std::string& name);

/// \throws InputError where the formulas do not fit the mesh's dimension
polytopic::Spec make_polytopic_spec(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                    device::Precision precision);

/// The programs that the case needs on a kind of device, for `galerna cache --build`.
std::vector<device::ProgramSource> make_polytopic_programs(const case_file::Settings& settings,
                                                           const device::Target& target, device::Precision precision);

/// Whether the matrix is another one in each slab.
bool matrix_depends_on_time(const case_file::PolytopicSettings& settings);

/// What is wrong with the coefficients on some polytope.
/// \param warn is told what may be meant \throws InputError for what cannot be
void check_coefficients(const case_file::Settings& settings, const polytopic::Mesh& polytopes,
                        const std::vector<int>& degrees, const std::vector<polytopic::Extremes>& extremes,
                        const std::function<void(const std::string&)>& warn);

/// Where nothing holds the constants of a solution, sources and fluxes must add up to zero.
/// \param imbalance as polytopic::imbalance() \throws InputError
void require_balance(const case_file::Settings& settings, double imbalance);

/// What is to be said of eigenvalues for the penalty that neither shape nor diffusion explain: "" if nothing is.
/// \param eigenvalues [polytope] λ
std::string strange_penalties(const polytopic::Mesh& polytopes, const std::vector<int>& degrees,
                              const std::vector<polytopic::Extremes>& extremes, const std::vector<double>& eigenvalues);

/// What share of the polytopes has next to no diffusion in some direction: multigrid joins polytopes in all directions
/// and needs twice the iterations with every refinement there.
double one_sided_share(const std::vector<polytopic::Extremes>& extremes);

}  // namespace galerna::solver
