/// \file
/// What the writers of output/ are given: a discontinuous polynomial field on a mesh, and how to turn it into numbers
/// to show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::output {

/// A field that may depend on the place, the time and the solution's gradients beside the state.
struct FurtherField {
  std::string name;
  bool listed = true;     ///< shown where no list of fields is given
  bool gradients = true;  ///< whether it looks at them
  /// \param values [variable], ∂/∂x [variable], ∂/∂y [variable], in space ∂/∂z [variable]
  std::function<double(double x, double y, double z, double time, const double* values)> evaluate;
};

/// Fields derived from the solution at a point, e.g. pressure from the conservative state.
struct FieldSet {
  /// Those of the state alone: density, velocity_x, velocity_y, pressure, mach, temperature, momentum_x, …, energy.
  std::vector<std::string> names;
  /// variables[variable] -> values[field] of `names`, one point.
  std::function<void(const double* variables, double* values)> evaluate;
  std::vector<FurtherField> further = {};  ///< numbered behind `names`

  /// Index of the field; −1 if there is none of that name.
  int find(const std::string& name) const;
  std::vector<std::string> all_names() const;
  std::vector<std::string> listed_names() const;
};

/// The discrete solution, canonical order [element][variable][mode] in the mesh's element order, modes of
/// basis/basis.hpp on each element's reference shape with the element's own node order.
struct Solution {
  const mesh::Mesh* mesh = nullptr;
  int degree = 0;
  std::vector<std::string> variables;  ///< density, momentum_x, momentum_y, energy
  std::vector<double> coefficients;
  FieldSet fields;
  double time = 0;
  bool accurate = true;  ///< false: elements had time steps of their own, and `time` is no time of the flow
  long step = 0;
};

}  // namespace galerna::output
