/// \file
/// Meshes, specs and states that tests of the discretization share.
#pragma once

#include <cmath>
#include <vector>

#include "dg/spec.hpp"
#include "kernels/states.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace galerna::tests {

/// The Euler equations with the local Lax–Friedrichs flux; no boundaries, no formulas.
inline dg::Spec bare_euler(int degree = 1) {
  dg::Spec spec;
  spec.title = "test";
  spec.degree = degree;
  spec.equations = {"kernels/physics/euler.hpp", "Euler"};
  spec.parameters = {{"gamma", 1.4}};
  spec.variables = {"density", "momentum_x", "momentum_y", "energy"};
  spec.flux = {"kernels/riemann/llf.hpp", "LocalLaxFriedrichs"};
  return spec;
}

inline dg::Spec bare_euler_in_space(int degree) {
  dg::Spec spec = bare_euler(degree);
  spec.shape = Shape::tetrahedron;
  spec.variables = {"density", "momentum_x", "momentum_y", "momentum_z", "energy"};
  return spec;
}

/// Integrals that look at everything, over the domain and along a boundary.
inline std::vector<dg::FormulaIntegral> integrals_of_solution() {
  const auto of_all = [](const std::string& name) {
    return "template <class V, class U> V " + name +
           "(const V& x, const V& y, const V& z, const V& t, const U& u) {\n"
           "  V sum = select(x < y, pow(u[0], z), mod(sin(t), V(2)));\n"
           "  for (int k = 0; k < U::size(); ++k) sum += sign(V(u[k])) * u[k];\n"
           "  return sum;\n}";
  };
  return {{of_all, true, {}, {}}, {of_all, true, {}, "boundary"}};
}

inline mesh::Mesh irregular_square(mesh::Index nx = 5, mesh::Index ny = 4) {
  mesh::Mesh mesh = mesh::make_rectangle(nx, ny, {0, 0}, {1, 0.7}, mesh::CellStyle::random_triangles, 0.2);
  mesh::prepare(mesh, {});
  return mesh;
}

/// A smooth but otherwise arbitrary state: all modes filled, the higher ones small.
inline std::vector<double> filled_modes(const mesh::Mesh& mesh, int modes) {
  Random random;
  std::vector<double> c;
  const double mean[4] = {1, 0.3, -0.4, 2.2};
  for (mesh::Index e = 0; e < mesh.element_count(); ++e)
    for (double value : mean)
      for (int j = 0; j < modes; ++j)
        c.push_back(j == 0 ? value / std::sqrt(2.0) + random.uniform(-0.05, 0.05)
                           : random.uniform(-0.02, 0.02) / (j + 1));
  return c;
}

}  // namespace galerna::tests
