/// \file
/// Viscous gases and smooth flow fields that the tests of viscous terms share.
#pragma once

#include "kernels/physics/navier_stokes.hpp"
#include "kernels/states.hpp"

namespace galerna::tests {

struct ConstantAir {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.03;
  static constexpr double sutherland = 0, reference_temperature = 1, sutherland_temperature = 0;
};

/// Air in kelvin: T_r = 288.15 K, μ_r = 1.716e-5 kg/(m s), S = 110.4 K (Gao et al. 2022).
struct SutherlandAir {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 1.716e-5;
  static constexpr double sutherland = 1, reference_temperature = 288.15, sutherland_temperature = 110.4;
};

template <int dimension>
using Viscous = kernels::EquationSystem<kernels::NavierStokes<dimension, ConstantAir>, dimension, true>;

template <int dimension>
using Gradients = kernels::Array<GasState<dimension>, dimension>;

/// A linear flow in primitive variables about a point: density, velocity and temperature with constant gradients.
template <int dimension>
struct LinearFlow {
  double density, temperature;
  Normal<dimension> velocity;
  Normal<dimension> density_gradient, temperature_gradient;
  kernels::Array<Normal<dimension>, dimension> velocity_gradient;  ///< [i][j] = ∂v_i/∂x_j

  static LinearFlow random(Random& random) {
    LinearFlow flow;
    flow.density = random.uniform(0.3, 3);
    flow.temperature = random.uniform(0.3, 3);
    for (int i = 0; i < dimension; ++i) {
      flow.velocity[i] = random.uniform(-2, 2);
      flow.density_gradient[i] = random.uniform(-1, 1);
      flow.temperature_gradient[i] = random.uniform(-1, 1);
      for (int j = 0; j < dimension; ++j) flow.velocity_gradient[i][j] = random.uniform(-1, 1);
    }
    return flow;
  }

  GasState<dimension> state(const Normal<dimension>& x) const {
    typename Viscous<dimension>::template Primitive<double> w;
    double t = temperature;
    w.density = density;
    w.velocity = velocity;
    for (int j = 0; j < dimension; ++j) {
      w.density += density_gradient[j] * x[j];
      t += temperature_gradient[j] * x[j];
      for (int i = 0; i < dimension; ++i) w.velocity[i] += velocity_gradient[i][j] * x[j];
    }
    w.pressure = w.density * t;
    return Viscous<dimension>::conservative(w);
  }

  /// ∇u at the origin by central differences, to about 1e-9.
  Gradients<dimension> gradients() const {
    Gradients<dimension> result;
    const double h = 1e-5;
    for (int j = 0; j < dimension; ++j) {
      Normal<dimension> ahead{}, behind{};
      ahead[j] = h;
      behind[j] = -h;
      const auto a = state(ahead), b = state(behind);
      for (int v = 0; v < dimension + 2; ++v) result[j][v] = (a[v] - b[v]) / (2 * h);
    }
    return result;
  }
};

/// The gradients of a flow that is turned by the angle, from those of the flow as it is (2D).
inline Gradients<2> rotated(const Gradients<2>& g, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Gradients<2> turned;
  for (int v = 0; v < 4; ++v) {
    turned[0][v] = c * g[0][v] - s * g[1][v];
    turned[1][v] = s * g[0][v] + c * g[1][v];
  }
  for (auto& state : turned.values) state = rotated(state, angle);
  return turned;
}

}  // namespace galerna::tests
