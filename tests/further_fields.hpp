/// \file
/// Fields that look at the place, the time and the gradient of a quadratic solution.
#pragma once

#include <vector>

#include "curved_solution.hpp"

namespace galerna::tests {

inline double slope_x(double x, double y) {
  return 2 + 2 * x - 3 * y;
}
inline double slope_y(double x, double y) {
  return -1 - 3 * x + y;
}

/// Its gradient, and a field of place, time and state.
inline std::vector<analysis::FurtherField> further_fields() {
  const auto along_x = [](double, double, double, double, const double* u) { return u[1]; };
  const auto along_y = [](double, double, double, double, const double* u) { return u[2]; };
  const auto everything = [](double x, double y, double, double t, const double* u) {
    return x + 10 * y + 100 * t + u[0];
  };
  return {{"slope_x", false, true, along_x}, {"slope_y", false, true, along_y}, {"mixed", true, false, everything}};
}

inline analysis::Solution quadratic_on(const mesh::Mesh& mesh, int degree) {
  analysis::Solution solution = project(mesh, degree, quadratic);
  solution.fields.further = further_fields();
  solution.time = 3;
  return solution;
}

struct MeshAndDegree {
  mesh::Mesh mesh;
  int degree;  // at which a quadratic function of place is a polynomial of the reference coordinates
};

inline std::vector<MeshAndDegree> all_meshes() {
  return {{triangles(5, 3), 2}, {quadrilaterals(5, 3), 2}, {mixed(6, 4), 2}, {curved_mixture(4, 2, 0.1, bent), 4}};
}

}  // namespace galerna::tests
