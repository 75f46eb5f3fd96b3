/// \file
/// What a discretization is made of: types of kernels/ by name, numbers, and formulas as C++ text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/shape.hpp"
#include "device/device.hpp"
#include "device/program.hpp"

namespace galerna::dg {

/// A type of kernels/ and the header that defines it, e.g. {"kernels/riemann/llf.hpp", "LocalLaxFriedrichs"}.
struct KernelType {
  std::string header;
  std::string type;
};

/// A definition of equations, of which kernels/physics/equation_system.hpp makes a system, and what the case says of
/// it.
struct EquationDefinition {
  std::string header, type;                 ///< template <int dimension, class Parameters>
  std::optional<device::Header> text = {};  ///< of the header, where it is a user's and not in kernels/
  bool from_primitive = false;              ///< states are given as primitives
  bool source = false;                      ///< there is source(u, position, time)
};

/// Gives the C++ text of `template <class V> V NAME(const V& x, const V& y, const V& z, const V& t)` for a name.
using FunctionText = std::function<std::string(const std::string& name)>;

/// A state by formulas, one for each variable: primitive (density, velocity, pressure) or conservative.
struct StateFunctions {
  bool primitive = true;
  std::vector<FunctionText> functions;
};

/// A boundary condition; templates take a struct with the prescribed state and values.
struct BoundaryCondition {
  KernelType kernel;
  bool takes_data = false;
  std::optional<StateFunctions> state;                       ///< Data::state
  std::vector<std::pair<std::string, FunctionText>> values;  ///< Data::NAME; NAME_x, NAME_y, … become a vector NAME
};

/// What limits slopes: a type of kernels/limiter/limit.hpp, and what it has to find on the device.
struct SlopeLimiter {
  KernelType kernel;
  bool around_vertices = false;  ///< the elements around vertices (LimitArguments::around)
  bool detects = false;  ///< kernels/limiter/detect.hpp before: troubled elements, means of derivatives of all elements
};

/// Sensor of artificial viscosity (kernels/shock/persson_peraire.hpp).
struct PerssonPeraire {
  std::optional<double> s0;  ///< if not given, −4 log10 p
  double kappa;
  double epsilon0;  ///< largest viscosity over λ h/p
};

/// What is done to every stage's result where solutions may have shocks (kernels/limiter/, kernels/filter/).
struct LimiterSpec {
  std::optional<SlopeLimiter> slopes;
  std::string variables = "ConservativeVariables";  ///< a type of kernels/limiter/variables.hpp
  bool positivity = false;
  bool entropy_filter = false;                         ///< kernels/filter/, in place of limited slopes
  bool viscosity = false;                              ///< kernels/shock/, in place of limited slopes
  std::optional<PerssonPeraire> persson_peraire = {};  ///< in place of the sensors of kernels/filter/
  bool newton = false;       ///< viscosity for Newton's method: smooth in the state, and near vacuum (kernels/shock/)
  bool bounds_step = false;  ///< the step is that of the bound of positivity, and points of sides are monitored, too

  /// Whether its kernels watch all points (point_monitor), in place of the row's own monitor: threads that limit slopes
  /// have whole elements anyway.
  bool watches_all_points() const { return bounds_step && slopes; }
  /// Whether the points of sides are watched apart (side_monitor), behind the row's own monitor.
  bool watches_sides() const { return bounds_step && !slopes; }
  /// Whether results of stages are changed.
  bool changes_stages() const { return slopes || positivity || entropy_filter; }
};

/// An integral of a formula of the solution, over the domain unless it says where.
struct FormulaIntegral {
  /// C++ text as that of Spec::source; behind the variables u has their derivatives by x, by y and, in space, by z; at
  /// a boundary then the two components of the unit normal out of the domain.
  FunctionText integrand;
  bool gradients = true;                        ///< whether it looks at derivatives
  std::optional<std::string> region, boundary;  ///< elements of a region, sides of a boundary in the plane
};

/// Everything that the kernels of a case are instantiated from.
struct Spec {
  std::string title;  ///< for people: "Euler 2D, llf"
  Shape shape = Shape::triangle;
  int degree = 1;
  int volume_quadrature = -1;  ///< degree of exactness; −1: 2p
  int face_quadrature = -1;    ///< degree of exactness; −1: default_face_quadrature()
  EquationDefinition equations;
  std::vector<std::pair<std::string, double>> parameters;  ///< static members of Parameters, e.g. {"gamma", 1.4}
  std::vector<std::string> variables;
  KernelType flux;
  std::vector<BoundaryCondition> boundaries;  ///< in the order of the mesh's boundaries
  std::optional<StateFunctions> initial, exact;
  std::optional<LimiterSpec> limiter;
  bool viscous = false;  ///< whether the equations have a viscous flux
  std::optional<double>
      penalty;  ///< η of the viscous terms (kernels/element/viscous.hpp); if not given, the sides of an element
  /// Source terms by formulas, one for each variable, as C++ text of `template <class V, class U> V NAME(x, y, z, t,
  /// u)`; empty: none.
  std::vector<FunctionText> source;
  std::vector<FormulaIntegral> integrals;
  /// Integrands over the domain that reports ask for: C++ text as that of `source`. Nothing of them stays on the
  /// device.
  std::vector<FunctionText> report_integrands;
  bool local_steps = false;    ///< every element takes the largest stable step of its own
  bool averages = false;       ///< whether time means are taken
  bool error_control = false;  ///< whether steps are chosen by their error
  bool candidate = false;      ///< whether a step's result is not written over the state, which it replaces if accepted
  device::Precision precision = device::Precision::double_precision;
  /// Row of dg/structures.hpp that computes the sets of elements that it fits; if not given, the first that does.
  std::optional<std::string> structure;
  std::string structure_why = "asked for";  ///< why that one, for people

  bool has_source() const { return !source.empty() || equations.source; }
  /// Whether what boundary conditions prescribe bounds slopes, too (kernels/limiter/boundary.hpp): with viscosity,
  /// where the flow has boundary layers.
  bool bounds_slopes_at_boundary() const { return viscous && limiter && limiter->slopes; }
  bool filters() const { return limiter && limiter->entropy_filter; }
  bool has_shock_viscosity() const { return limiter && limiter->viscosity; }
  /// Whether elements look for shocks by the sensors of kernels/filter/.
  bool senses() const { return filters() || has_shock_viscosity(); }
  /// Whether there are viscous terms: those of the equations, or at shocks.
  bool diffuses() const { return viscous || has_shock_viscosity(); }
  int variable_count() const { return static_cast<int>(variables.size()); }
};

}  // namespace galerna::dg
