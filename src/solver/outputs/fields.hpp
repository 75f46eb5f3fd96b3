/// \file
/// What the host derives from the conservative variables: fields that can be shown, and what failures are explained
/// with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"

namespace galerna::solver {

/// density, velocity_x, …, pressure, mach, temperature (p/ρ), entropy (p/ρ^γ), momentum_x, …, energy.
analysis::FieldSet euler_fields(int dimension, double gamma);

/// What a case's pictures, VTU files and probes show: fields of its equations (of a user's: its variables), then those
/// of [output.fields].
analysis::FieldSet case_fields(const case_file::Settings& settings);

/// What a field of elements that tells of shocks needs (dg::FlowOperator::shock_fields()); "" for other names.
std::string needed_by_shock_field(const std::string& name);

/// Whether an output of the case is of one of these.
bool shows_shock_fields(const case_file::Settings& settings);

/// What a system of equations says of itself on the host, for messages about failures.
struct Diagnostics {
  analysis::FieldSet positive;  ///< what must be positive; nothing known of a user's equations
  analysis::FieldSet flow;      ///< by which a state is described
  std::function<double(const double* variables)> wave_speed;   ///< largest; null for a user's equations
  std::function<double(const double* variables)> diffusivity;  ///< largest; null without viscosity
};
Diagnostics diagnostics(const case_file::EquationSettings& equations);

/// Pressure of a conservative state.
double euler_pressure(const double* variables, int dimension, double gamma);

/// μ(T), as kernels/physics/navier_stokes.hpp.
double viscosity(const case_file::EquationSettings::Viscous& gas, double temperature);

}  // namespace galerna::solver
