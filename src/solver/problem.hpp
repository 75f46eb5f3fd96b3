/// \file
/// From a case to something that can be computed: discretization, time scheme.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "case/settings.hpp"
#include "dg/flow_operator.hpp"
#include "mesh/mesh.hpp"
#include "solver/make_mesh.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

/// Equations of a user's own are compiled from their header only, never from the text of it that a case records.
/// \throws InputError if there is no header.
void require_header(const case_file::Settings& settings);

/// What is wrong with the case and its mesh whether or not that is refined: boundaries, dimension, scheme, limiter.
std::vector<Problem> problems_at_any_refinement(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Holds the case against its mesh: boundaries, dimension, size, names that only the rooms below know.
/// \throws InputError with every problem.
void check_problem(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Whether limiters of slopes work on the mesh: straight triangles or tetrahedra.
bool slopes_can_be_limited(const mesh::Mesh& mesh);

/// What the kernels are instantiated from; boundaries in the order of the mesh's.
dg::Spec make_spec(const case_file::Settings& settings, const mesh::Mesh& mesh, device::Precision precision);
dg::Spec make_spec(const case_file::Settings& settings, const std::vector<std::string>& boundaries,
                   device::Precision precision);

/// (inputs, outputs) of all stages that a run calls.
std::set<std::pair<int, int>> stage_shapes(const case_file::Settings& settings);

/// [boundary] true shape of curved walls.
std::vector<std::optional<dg::WallShape>> make_walls(const case_file::Settings& settings, const mesh::Mesh& mesh);

/// Where the bound of positivity sets the step: what it does not cover (docs/theory.md, Positivity), "viscous terms";
/// empty if there is nothing.
std::string terms_outside_of_bound(const case_file::Settings& settings);

/// Without cfl, step and tolerance the step is that of the bound of positivity, times the scheme's strong-stability
/// coefficient. \param mesh for which the bound is wanted
time::StepSettings make_step_settings(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
