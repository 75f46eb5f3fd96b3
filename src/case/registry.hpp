/// \file
/// The names that a case file may use for equations, numerical fluxes and boundary conditions, and the kernels behind
/// them. A new one is a header under kernels/ and a line here.
#pragma once

#include <string>
#include <vector>

namespace galerna::case_file {

struct FluxEntry {
  std::string name, description, header, type;
  bool any_system = true;  ///< false: needs the primitive(u) and sound_speed(w) of a gas
};

inline const std::vector<FluxEntry>& fluxes() {
  static const std::vector<FluxEntry> list = {
      {"llf", "local Lax–Friedrichs (Rusanov): robust, dissipative", "kernels/riemann/llf.hpp", "LocalLaxFriedrichs"},
      {"hllc", "HLLC: resolves contact and shear waves", "kernels/riemann/hllc.hpp", "Hllc", false},
      {"roe", "Roe with Harten's entropy fix: least dissipative", "kernels/riemann/roe.hpp", "Roe", false},
  };
  return list;
}

struct BoundaryEntry {
  std::string name, description, header, type;
  bool state = false;                                  ///< takes a state by formulas
  std::vector<std::string> values = {};                ///< formulas that it needs beside
  bool wall = false;                                   ///< forces on it are reported
  bool viscous = false;                                ///< needs equations with viscosity
  bool any_system = false;                             ///< knows nothing of what the variables are
  std::string lifting_header = {}, lifting_type = {};  ///< in place of header and type where lift_centre is given
  bool data() const { return state || !values.empty(); }
  /// `values` in so many dimensions: in three, vectors have a third component.
  std::vector<std::string> values_in(int dimension) const {
    std::vector<std::string> list;
    for (const std::string& value : values) {
      list.push_back(value);
      if (dimension == 3 && value.ends_with("_y")) list.push_back(value.substr(0, value.size() - 1) + "z");
    }
    return list;
  }
};

inline const std::vector<BoundaryEntry>& boundary_types() {
  static const std::vector<BoundaryEntry> list = {
      {"slip-wall", "no flow through the wall", "kernels/boundary/slip_wall.hpp", "SlipWall", false, {}, true},
      {"symmetry", "plane of symmetry", "kernels/boundary/symmetry.hpp", "Symmetry"},
      {"no-slip-adiabatic",
       "wall at rest that takes no heat",
       "kernels/boundary/no_slip_adiabatic.hpp",
       "NoSlipAdiabatic",
       false,
       {},
       true,
       true},
      {"no-slip-isothermal",
       "wall at rest of prescribed temperature",
       "kernels/boundary/no_slip_isothermal.hpp",
       "NoSlipIsothermal",
       false,
       {"temperature"},
       true,
       true},
      {"moving-wall-adiabatic",
       "sliding wall that takes no heat",
       "kernels/boundary/moving_wall_adiabatic.hpp",
       "MovingWallAdiabatic",
       false,
       {"velocity_x", "velocity_y"},
       true,
       true},
      {"moving-wall-isothermal",
       "sliding wall of prescribed temperature",
       "kernels/boundary/moving_wall_isothermal.hpp",
       "MovingWallIsothermal",
       false,
       {"velocity_x", "velocity_y", "temperature"},
       true,
       true},
      {.name = "supersonic-inflow",
       .description = "prescribed state",
       .header = "kernels/boundary/dirichlet.hpp",
       .type = "Dirichlet",
       .state = true,
       .any_system = true},
      {.name = "supersonic-outflow",
       .description = "state from inside",
       .header = "kernels/boundary/supersonic_outflow.hpp",
       .type = "SupersonicOutflow",
       .any_system = true},
      {"subsonic-inflow",
       "prescribed total pressure, total temperature and direction",
       "kernels/boundary/subsonic_inflow.hpp",
       "SubsonicInflow",
       false,
       {"total_pressure", "total_temperature", "direction_x", "direction_y"}},
      {"subsonic-outflow",
       "prescribed pressure",
       "kernels/boundary/subsonic_outflow.hpp",
       "SubsonicOutflow",
       false,
       {"pressure"}},
      {.name = "far-field",
       .description = "free stream by Riemann invariants; lets waves out",
       .header = "kernels/boundary/far_field.hpp",
       .type = "FarField",
       .state = true,
       .lifting_header = "kernels/boundary/lifting_far_field.hpp",
       .lifting_type = "LiftingFarField"},
      {.name = "dirichlet",
       .description = "prescribed state, a function of place and time",
       .header = "kernels/boundary/dirichlet.hpp",
       .type = "Dirichlet",
       .state = true,
       .any_system = true},
      {.name = "user", .description = "ghost state of the user's header", .header = "", .type = "", .any_system = true},
  };
  return list;
}

/// Variables in which slopes are limited: types of kernels/limiter/variables.hpp.
struct LimitedVariablesEntry {
  std::string name, type;
};

inline const std::vector<LimitedVariablesEntry>& limited_variables() {
  static const std::vector<LimitedVariablesEntry> list = {{"conservative", "ConservativeVariables"},
                                                          {"primitive", "PrimitiveVariables"},
                                                          {"characteristic", "CharacteristicVariables"}};
  return list;
}

struct EquationEntry {
  std::string name, description, header, type;
  bool viscous = false;
};

inline const std::vector<EquationEntry>& equation_types() {
  static const std::vector<EquationEntry> list = {
      {"euler", "compressible Euler equations of a perfect gas", "kernels/physics/euler.hpp", "Euler"},
      {"navier-stokes", "compressible Navier–Stokes equations of a perfect gas, laminar",
       "kernels/physics/navier_stokes.hpp", "NavierStokes", true},
      {"user", "a system of the user's own, from a C++ header", "kernels/physics/user_system.hpp", "UserSystem"},
  };
  return list;
}

/// Names of a list, for messages.
template <class Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

/// The entry of that name; null if there is none.
template <class Entry>
const Entry* find_entry(const std::vector<Entry>& entries, const std::string& name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace galerna::case_file
