/// \file
/// What formulas of [output] may use beside what all formulas may.
#pragma once

#include "case/settings.hpp"

namespace galerna::case_file {

/// The case's names, and the solution's variables, for gases velocity_x, velocity_y, pressure, mach, temperature (p/ρ)
/// and entropy (p/ρ^γ), and ddx(…) and ddy(…). They hide constants and functions of the same names.
Formula::Names output_names(Formula::Names of_case, const EquationSettings& equations);

/// Makes a field known to further formulas.
void add_field(Formula::Names& names, const std::string& name, const Formula& formula);

/// vorticity, divergence and schlieren, as far as the velocities and the density that they are made of are among the
/// variables, the quantities of gases and `fields`, and no field has the name; shown where they are asked for.
std::vector<OutputSettings::Field> ready_made_fields(const Formula::Names& names, const EquationSettings& equations,
                                                     const std::vector<OutputSettings::Field>& fields);

}  // namespace galerna::case_file
