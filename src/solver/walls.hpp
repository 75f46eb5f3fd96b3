/// \file
/// What a case says about its walls, for output/walls.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"

namespace galerna::solver {

/// Boundaries on which forces are taken.
std::vector<std::string> wall_names(const case_file::Settings& settings);

/// Pressure on a boundary, and friction where the fluid sticks to it.
output::WallModel wall_model(const case_file::Settings& settings, const std::string& boundary);

/// μ(T), as kernels/physics/navier_stokes.hpp.
double viscosity(const case_file::EquationSettings::Viscous& gas, double temperature);

/// τ·n of the conservative variables and their gradients in two dimensions, as kernels/physics/navier_stokes.hpp.
output::Traction traction(const case_file::EquationSettings& equations);

/// [output.forces]
std::optional<output::Reference> reference(const case_file::Settings& settings);

/// Forces, coefficients and separation of all walls, and lengths of reverse flow, for the report.
void report_walls(output::Report& report, const case_file::Settings& settings, const output::Solution& solution);

/// wall_NAME.csv of every wall, in the directory, where the case gives reference values.
void write_walls(const case_file::Settings& settings, const output::Solution& solution);

}  // namespace galerna::solver
