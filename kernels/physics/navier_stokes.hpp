/// \file
/// The compressible Navier–Stokes equations ∂u/∂t + ∇·(F(u) − F_v(u, ∇u)) = 0 of a perfect gas (docs/theory.md,
/// Navier–Stokes equations): the Euler equations of euler.hpp and the viscous flux
///   F_v = (0, τ, τv − q),  τ = μ (∇v + ∇vᵀ − ⅔ (∇·v) I),  q = −k ∇T,  k = γ/(γ − 1) μ/Pr,
/// with Stokes' hypothesis. Temperature is p/ρ (gas constant 1, so that c_p = γ/(γ − 1)). The viscosity is constant or
/// W. Sutherland's, Phil. Mag. 36 (1893) 507:  μ = μ_r (T/T_r)^{3/2} (T_r + S)/(T + S).
#pragma once

#include "kernels/physics/euler.hpp"

namespace galerna::kernels {

/// \tparam Parameters has `static constexpr double`
///   gamma, prandtl;  mu: the viscosity, at the reference temperature where it depends on temperature;
///   sutherland: 0 for constant viscosity, else 1;  reference_temperature, sutherland_temperature: T_r > 0 and S ≥ 0.
template <int dimension, class Parameters>
struct NavierStokes : Euler<dimension, Parameters> {
  using Inviscid = Euler<dimension, Parameters>;
  static constexpr int variables = Inviscid::variables;
  static constexpr double gamma = Parameters::gamma, prandtl = Parameters::prandtl;

  template <class V>
  using Primitive = typename Inviscid::template Primitive<V>;
  /// ∇u of the conservative variables: [direction][variable].
  template <class V>
  using Gradients = Array<Array<V, variables>, dimension>;

  /// What the viscous flux is made of.
  template <class V>
  struct FlowGradients {
    Array<Array<V, dimension>, dimension> velocity;  ///< [i][j] = ∂v_i/∂x_j
    Array<V, dimension> temperature;                 ///< ∂T/∂x_j
  };

  template <class V>
  static V temperature(const Primitive<V>& w) {
    return w.pressure * reciprocal(w.density);
  }

  /// Dynamic viscosity μ(T).
  template <class V>
  static V viscosity([[maybe_unused]] const V& temperature) {
    if constexpr (Parameters::sutherland == 0) {
      return number<V>(Parameters::mu);
    } else {
      constexpr double reference = Parameters::reference_temperature, constant = Parameters::sutherland_temperature;
      const V ratio = temperature * number<V>(1 / reference);
      const V factor = reciprocal(V(ratio + number<V>(constant / reference)));
      return number<V>(Parameters::mu * (1 + constant / reference)) * ratio * positive_sqrt(ratio) * factor;
    }
  }

  /// Gradients of velocity and temperature at a state w that go with gradients of the conservative variables:
  ///   ∂v_i = (∂(ρv_i) − v_i ∂ρ)/ρ,  ∂T = (γ − 1)/ρ (∂E − v·∂(ρv) + (½|v|² − e) ∂ρ),  e = T/(γ − 1).
  template <class V>
  static FlowGradients<V> flow_gradients(const Primitive<V>& w, const Gradients<V>& gradients) {
    FlowGradients<V> result;
    const V inverse_density = reciprocal(w.density);
    V square = V(0);
    for (int i = 0; i < dimension; ++i) square += w.velocity[i] * w.velocity[i];
    const V by_density = number<V>(0.5) * square - number<V>(1 / (gamma - 1)) * w.pressure * inverse_density;
    for (int j = 0; j < dimension; ++j) {
      const auto& du = gradients[j];
      V work = V(0);
      for (int i = 0; i < dimension; ++i) {
        result.velocity[i][j] = (du[1 + i] - w.velocity[i] * du[0]) * inverse_density;
        work += w.velocity[i] * du[1 + i];
      }
      result.temperature[j] = number<V>(gamma - 1) * inverse_density * (du[variables - 1] - work + by_density * du[0]);
    }
    return result;
  }

  /// τ·a of a gas of viscosity mu, for any vector a.
  template <class V>
  static Array<V, dimension> stress(const V& mu, const FlowGradients<V>& g, const Array<V, dimension>& a) {
    V divergence = V(0);
    for (int d = 0; d < dimension; ++d) divergence += g.velocity[d][d];
    Array<V, dimension> result;
    for (int i = 0; i < dimension; ++i) {
      V sum = number<V>(-2.0 / 3) * divergence * a[i];
      for (int j = 0; j < dimension; ++j) sum += (g.velocity[i][j] + g.velocity[j][i]) * a[j];
      result[i] = mu * sum;
    }
    return result;
  }

  /// −q·a = k ∇T·a of a gas of viscosity mu, for any vector a: heat that flows against a.
  template <class V>
  static V heat_against(const V& mu, const FlowGradients<V>& g, const Array<V, dimension>& a) {
    V along = V(0);
    for (int d = 0; d < dimension; ++d) along += g.temperature[d] * a[d];
    return number<V>(gamma / ((gamma - 1) * prandtl)) * mu * along;
  }

  /// F_v(u, ∇u)·a for any vector a; it enters the equations with the opposite sign of F(u)·a.
  /// \param w primitive(u); `gradients` ∇u of the conservative variables.
  template <class V>
  static Array<V, variables> viscous_flux(const Array<V, variables>&, const Primitive<V>& w,
                                          const Gradients<V>& gradients, const Array<V, dimension>& a) {
    const FlowGradients<V> g = flow_gradients(w, gradients);
    const V mu = viscosity(temperature(w));
    const Array<V, dimension> traction = stress(mu, g, a);
    Array<V, variables> f;
    f[0] = V(0);
    f[variables - 1] = heat_against(mu, g, a);
    for (int d = 0; d < dimension; ++d) {
      f[1 + d] = traction[d];
      f[variables - 1] += w.velocity[d] * traction[d];
    }
    return f;
  }

  /// Largest eigenvalue of the diffusion matrices ∂(F_v·n)/∂(∂u/∂n): max(4/3, γ/Pr) μ/ρ, for the step limit.
  template <class V>
  static V largest_diffusivity(const Array<V, variables>& u) {
    constexpr double factor = gamma / prandtl > 4.0 / 3 ? gamma / prandtl : 4.0 / 3;
    const auto w = Inviscid::primitive(u);
    return number<V>(factor) * viscosity(temperature(w)) * reciprocal(w.density);
  }
};

}  // namespace galerna::kernels
