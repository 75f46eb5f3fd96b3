/// \file
/// What the writers of output/ are given: a discontinuous polynomial field on a mesh, and how to turn it into numbers
/// to show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::output {

/// Fields derived from the variables at a point, e.g. pressure from the conservative state.
struct FieldSet {
  /// E.g. density, velocity_x, velocity_y, pressure, mach, temperature, momentum_x, …, energy.
  std::vector<std::string> names;
  /// variables[variable] -> values[field], one point.
  std::function<void(const double* variables, double* values)> evaluate;
  /// Index of the field; −1 if there is none of that name.
  int find(const std::string& name) const;
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
  long step = 0;
};

}  // namespace galerna::output
