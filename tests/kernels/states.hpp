/// \file
/// Gas states and normals that the tests of kernels/ share.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "kernels/physics/equation_system.hpp"
#include "kernels/physics/euler.hpp"

namespace galerna::tests {

struct Air {
  static constexpr double gamma = 1.4;
};

template <int dimension>
using Gas = kernels::EquationSystem<kernels::Euler<dimension, Air>, dimension>;

template <int dimension>
using GasState = kernels::Array<double, dimension + 2>;

template <int dimension>
using Normal = kernels::Array<double, dimension>;

/// Deterministic random physical states and unit normals.
class Random {
 public:
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }

  template <int dimension>
  GasState<dimension> state(double speed = 2) {
    typename Gas<dimension>::template Primitive<double> w;
    w.density = uniform(0.1, 3);
    for (int d = 0; d < dimension; ++d) w.velocity[d] = uniform(-speed, speed);
    w.pressure = uniform(0.1, 3);
    return Gas<dimension>::conservative(w);
  }

  template <int dimension>
  Normal<dimension> normal() {
    Normal<dimension> n;
    double square = 0;
    for (int d = 0; d < dimension; ++d) {
      n[d] = std::normal_distribution<double>()(engine_);
      square += n[d] * n[d];
    }
    for (int d = 0; d < dimension; ++d) n[d] /= std::sqrt(square);
    return n;
  }

 private:
  std::mt19937 engine_{4711};
};

/// The state with its velocity replaced by `matrix` · velocity (2D).
inline GasState<2> rotated(const GasState<2>& u, double angle) {
  return {
      {u[0], std::cos(angle) * u[1] - std::sin(angle) * u[2], std::sin(angle) * u[1] + std::cos(angle) * u[2], u[3]}};
}

inline Normal<2> rotated(const Normal<2>& n, double angle) {
  return {{std::cos(angle) * n[0] - std::sin(angle) * n[1], std::sin(angle) * n[0] + std::cos(angle) * n[1]}};
}

}  // namespace galerna::tests
