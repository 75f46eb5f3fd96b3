/// \file
/// Fields that can be shown and written, derived from the conservative variables.
#pragma once

#include <string>
#include <vector>

#include "output/solution.hpp"

namespace galerna::solver {

/// Conservative variables of the Euler equations in `dimension` dimensions: density, momentum_x, …, energy.
std::vector<std::string> euler_variables(int dimension);

/// density, velocity_x, …, pressure, mach, temperature (p/ρ), entropy (p/ρ^γ), momentum_x, …, energy.
output::FieldSet euler_fields(int dimension, double gamma);

/// Pressure of a conservative state.
double euler_pressure(const double* variables, int dimension, double gamma);

}  // namespace galerna::solver
