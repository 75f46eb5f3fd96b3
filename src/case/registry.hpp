/// \file
/// The names that a case file may use for equations, numerical fluxes and boundary conditions, and the kernels behind
/// them. A new one is a header under kernels/ and a line here.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace galerna::case_file {

/// Of discretization.order.
inline constexpr int highest_degree = 6;

struct FluxEntry {
  std::string name, description, header, type;
  bool any_system = true;  ///< false: asks for a gas (IsGas of kernels/equations.hpp)
};

inline const std::vector<FluxEntry>& fluxes() {
  static const std::vector<FluxEntry> list = {
      {"llf", "local Lax–Friedrichs (Rusanov): robust, dissipative", "kernels/riemann/llf.hpp", "LocalLaxFriedrichs"},
      {"hllc", "HLLC: resolves contact and shear waves", "kernels/riemann/hllc.hpp", "Hllc", false},
      {"roe", "Roe with Harten's entropy fix: least dissipative", "kernels/riemann/roe.hpp", "Roe", false},
  };
  return list;
}

/// What a formula may give: any finite number, a positive one, or a component of a vector that is not 0.
enum class ValueRange { finite, positive, direction };

/// A formula that a boundary condition needs, a key of its section.
struct ValueEntry {
  std::string name;          ///< of a vector *_x and *_y; *_z in space follows from them
  std::string meaning = {};  ///< for the reference of keys; none for names that states have, too
  ValueRange range = ValueRange::finite;
};

struct BoundaryEntry {
  std::string name, description, header, type;
  bool state = false;                                  ///< takes a state by formulas
  std::vector<ValueEntry> values = {};                 ///< formulas that it needs beside
  bool wall = false;                                   ///< forces on it are reported
  bool viscous = false;                                ///< needs equations with viscosity
  bool any_system = false;                             ///< knows nothing of what the variables are
  bool mirrors = false;                                ///< needs a vector in variables 1 … d, which it mirrors
  std::string lifting_header = {}, lifting_type = {};  ///< in place of header and type where lift_centre is given
  bool data() const { return state || !values.empty(); }
  /// Names of `values` in so many dimensions: in three, vectors have a third component.
  std::vector<std::string> values_in(int dimension) const {
    std::vector<std::string> list;
    for (const auto& value : ranges_in(dimension)) list.push_back(value.first);
    return list;
  }
  /// The same with what each may be.
  std::vector<std::pair<std::string, ValueRange>> ranges_in(int dimension) const {
    std::vector<std::pair<std::string, ValueRange>> list;
    for (const ValueEntry& value : values) {
      list.emplace_back(value.name, value.range);
      if (dimension == 3 && value.name.ends_with("_y"))
        list.emplace_back(value.name.substr(0, value.name.size() - 1) + "z", value.range);
    }
    return list;
  }
};

inline const std::vector<BoundaryEntry>& boundary_types() {
  static const std::vector<BoundaryEntry> list = {
      {.name = "slip-wall",
       .description = "no flow through the wall",
       .header = "kernels/boundary/slip_wall.hpp",
       .type = "SlipWall",
       .wall = true,
       .mirrors = true},
      {.name = "symmetry",
       .description = "plane of symmetry",
       .header = "kernels/boundary/symmetry.hpp",
       .type = "Symmetry",
       .mirrors = true},
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
       {{"temperature", "isothermal walls; p/ρ", ValueRange::positive}},
       true,
       true},
      {"moving-wall-adiabatic",
       "sliding wall that takes no heat",
       "kernels/boundary/moving_wall_adiabatic.hpp",
       "MovingWallAdiabatic",
       false,
       {{"velocity_x"}, {"velocity_y"}},
       true,
       true},
      {"moving-wall-isothermal",
       "sliding wall of prescribed temperature",
       "kernels/boundary/moving_wall_isothermal.hpp",
       "MovingWallIsothermal",
       false,
       {{"velocity_x"}, {"velocity_y"}, {"temperature", {}, ValueRange::positive}},
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
       {{"total_pressure", "subsonic-inflow", ValueRange::positive},
        {"total_temperature", "subsonic-inflow; temperature is p/ρ", ValueRange::positive},
        {"direction_x", "subsonic-inflow: direction of the flow, any length", ValueRange::direction},
        {"direction_y", "subsonic-inflow", ValueRange::direction}}},
      {"subsonic-outflow",
       "prescribed pressure",
       "kernels/boundary/subsonic_outflow.hpp",
       "SubsonicOutflow",
       false,
       {{"pressure", {}, ValueRange::positive}}},
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

/// What limits slopes (kernels/limiter/limit.hpp).
struct LimiterEntry {
  std::string name, description, header, type;
  int most_degree = highest_degree;  ///< of the solutions that it limits
  bool chooses = false;              ///< shock.neighbours says whose means bound slopes; else those around vertices
  bool detects = false;              ///< works on troubled elements (kernels/limiter/detect.hpp)
};

inline const std::vector<LimiterEntry>& limiters() {
  static const std::vector<LimiterEntry> list = {
      {.name = "barth-jespersen",
       .description = "slopes of linear solutions between the means of neighbours",
       .header = "kernels/limiter/barth_jespersen.hpp",
       .type = "BarthJespersen",
       .most_degree = 1,
       .chooses = true},
      {.name = "hierarchical",
       .description = "derivatives degree by degree, in troubled elements",
       .header = "kernels/limiter/hierarchical.hpp",
       .type = "Hierarchical",
       .detects = true},
  };
  return list;
}

/// What is done where there are shocks (shock.method).
struct ShockMethodEntry {
  std::string name, description;
};

inline const std::vector<ShockMethodEntry>& shock_methods() {
  static const std::vector<ShockMethodEntry> list = {
      {"automatic", "filter for flow in time, viscosity where a steady state is sought"},
      {"filter", "entropy filter, on elements of any shape"},
      {"limiter", "of slopes, on straight triangles and tetrahedra"},
      {"none", "positivity alone"},
      {"viscosity", "artificial viscosity at shocks, on elements of any shape"},
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

/// A number of [equations] that becomes Parameters::NAME of the system; positive.
struct ParameterEntry {
  std::string name, fallback, description;  ///< without a fallback the case must give it
};

/// A definition of equations, of which kernels/physics/equation_system.hpp makes a system. Names of variables and of
/// primitives, by which states may be given instead, have * in place of the axis where they are vectors: "momentum_*".
struct EquationEntry {
  std::string name, description, header, type;
  std::vector<std::string> variables = {}, primitives = {};  ///< none: the case lists them
  bool gas = false;      ///< density, momentum and energy of a perfect gas, with gamma: walls have forces, …
  bool viscous = false;  ///< has viscous_flux(u, gradients, a); gases with the keys of viscosity_keys()
  bool source = false;   ///< has source(u, position, time)
  std::vector<ParameterEntry> parameters = {};
};

inline const std::vector<EquationEntry>& equation_types() {
  static const std::vector<std::string> conservative = {"density", "momentum_*", "energy"};
  static const std::vector<std::string> primitive = {"density", "velocity_*", "pressure"};
  static const std::vector<EquationEntry> list = {
      {"euler", "compressible Euler equations of a perfect gas", "kernels/physics/euler.hpp", "Euler", conservative,
       primitive, true},
      {"navier-stokes", "compressible Navier–Stokes equations of a perfect gas, laminar",
       "kernels/physics/navier_stokes.hpp", "NavierStokes", conservative, primitive, true, true},
      {.name = "acoustics",
       .description = "sound in a fluid at rest",
       .header = "kernels/physics/acoustics.hpp",
       .type = "Acoustics",
       .variables = {"pressure", "momentum_*"},
       .primitives = {"pressure", "velocity_*"},
       .parameters = {{"density", "1", "of the fluid at rest"}, {"sound_speed", "1", "of the fluid at rest"}}},
      {.name = "user", .description = "a system of the user's own, from a C++ header", .header = "", .type = ""},
  };
  return list;
}

/// Names in so many dimensions, one for each axis in place of those with *.
inline std::vector<std::string> names_in(int dimension, const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) {
    if (!name.ends_with('*')) {
      list.push_back(name);
      continue;
    }
    for (const char axis : std::string("xyz").substr(0, static_cast<std::size_t>(dimension)))
      list.push_back(name.substr(0, name.size() - 1) + axis);
  }
  return list;
}

/// Whether variables 1 … d are a vector.
inline bool has_vector(const EquationEntry& entry) {
  return entry.variables.size() > 1 && entry.variables[1].ends_with('*');
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
