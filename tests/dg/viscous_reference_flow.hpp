/// \file
/// The Navier–Stokes equations in the plane and their boundary conditions as docs/theory.md has them, in plain vectors
/// and independent of kernels/, for viscous_reference.hpp.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <functional>

namespace galerna::tests {

using FlowState = Eigen::Vector4d;               ///< ρ, ρv, E
using FlowSlopes = Eigen::Matrix<double, 4, 2>;  ///< [variable][direction]; also fluxes
using FlowVector = std::function<Eigen::Vector2d(const Eigen::Vector2d& x)>;
using FlowNumber = std::function<double(const Eigen::Vector2d& x)>;

/// A viscous gas after Sutherland's law.
struct ReferenceGas {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.05;
  static constexpr double reference_temperature = 1, sutherland_temperature = 0.4;

  static double viscosity(double temperature) {
    return mu * std::pow(temperature / reference_temperature, 1.5) * (reference_temperature + sutherland_temperature) /
           (temperature + sutherland_temperature);
  }
};

inline Eigen::Vector2d velocity(const FlowState& u) {
  return u.segment<2>(1) / u[0];
}
inline double pressure(const FlowState& u) {
  return (ReferenceGas::gamma - 1) * (u[3] - 0.5 * u.segment<2>(1).squaredNorm() / u[0]);
}
inline double temperature(const FlowState& u) {
  return pressure(u) / u[0];
}

inline FlowState flow_state(double density, const Eigen::Vector2d& velocity, double temperature) {
  const Eigen::Vector2d momentum = density * velocity;
  const double energy = density * temperature / (ReferenceGas::gamma - 1) + 0.5 * density * velocity.squaredNorm();
  return {density, momentum[0], momentum[1], energy};
}

inline FlowSlopes inviscid_flux(const FlowState& u) {
  FlowSlopes flux = u * velocity(u).transpose();
  flux.middleRows<2>(1) += pressure(u) * Eigen::Matrix2d::Identity();
  flux.row(3) += pressure(u) * velocity(u).transpose();
  return flux;
}

inline FlowState lax_friedrichs_flux(const FlowState& inside, const FlowState& outside, const Eigen::Vector2d& n) {
  const auto fastest = [&](const FlowState& u) {
    return std::abs(velocity(u).dot(n)) + std::sqrt(ReferenceGas::gamma * temperature(u));
  };
  return 0.5 * (inviscid_flux(inside) + inviscid_flux(outside)) * n -
         0.5 * std::max(fastest(inside), fastest(outside)) * (outside - inside);
}

/// ∇v, [i][j] = ∂v_i/∂x_j, from v = ρv/ρ.
inline Eigen::Matrix2d velocity_slopes(const FlowState& u, const FlowSlopes& g) {
  return (g.middleRows<2>(1) - velocity(u) * g.row(0)) / u[0];
}

/// ∇T from T = (γ − 1)(E/ρ − ½ |v|²).
inline Eigen::Vector2d temperature_slopes(const FlowState& u, const FlowSlopes& g) {
  const Eigen::Vector2d of_energy = (g.row(3) - u[3] / u[0] * g.row(0)).transpose() / u[0];
  return (ReferenceGas::gamma - 1) * (of_energy - velocity_slopes(u, g).transpose() * velocity(u));
}

inline FlowSlopes viscous_flux(const FlowState& u, const Eigen::Matrix2d& of_velocity,
                               const Eigen::Vector2d& of_temperature) {
  const double mu = ReferenceGas::viscosity(temperature(u));
  const double conductivity = mu * ReferenceGas::gamma / (ReferenceGas::gamma - 1) / ReferenceGas::prandtl;
  const Eigen::Matrix2d stress =
      mu * (of_velocity + of_velocity.transpose() - 2.0 / 3 * of_velocity.trace() * Eigen::Matrix2d::Identity());
  FlowSlopes flux = FlowSlopes::Zero();
  flux.middleRows<2>(1) = stress;
  flux.row(3) = (stress * velocity(u) + conductivity * of_temperature).transpose();
  return flux;
}

inline FlowSlopes viscous_flux(const FlowState& u, const FlowSlopes& g) {
  return viscous_flux(u, velocity_slopes(u, g), temperature_slopes(u, g));
}

/// A boundary condition: the table under In viscous flow.
struct Condition {
  enum class Kind { adiabatic_wall, isothermal_wall, symmetry, given_state, pressure_outflow, outflow };
  Kind kind;
  FlowVector wall_velocity = [](const Eigen::Vector2d&) { return Eigen::Vector2d(0, 0); };
  FlowNumber number = {};                                       ///< temperature of the wall, or pressure
  std::function<FlowState(const Eigen::Vector2d&)> state = {};  ///< given_state

  /// u⁺
  FlowState ghost(const FlowState& inside, const Eigen::Vector2d& x, const Eigen::Vector2d& n) const {
    if (kind == Kind::given_state) return state(x);
    if (kind == Kind::outflow) return inside;
    if (kind == Kind::pressure_outflow) return ghost_at_pressure(inside, number(x), n);
    FlowState mirrored = inside;
    mirrored.segment<2>(1) -= 2 * inside.segment<2>(1).dot(n) * n;
    return mirrored;
  }

  /// u_b
  FlowState viscous_state(const FlowState& inside, const Eigen::Vector2d& x, const Eigen::Vector2d& n) const {
    const auto along = [&](const Eigen::Vector2d& v) -> Eigen::Vector2d { return v - v.dot(n) * n; };
    if (kind == Kind::adiabatic_wall) return flow_state(inside[0], along(wall_velocity(x)), temperature(inside));
    if (kind == Kind::isothermal_wall) return flow_state(inside[0], along(wall_velocity(x)), number(x));
    if (kind == Kind::symmetry) return flow_state(inside[0], along(velocity(inside)), temperature(inside));
    return ghost(inside, x, n);
  }

  /// F_v(u_b, ·)·n with the gradients that the condition lets through.
  FlowState viscous_flux(const FlowState& at, const FlowSlopes& gradients, const Eigen::Vector2d& n) const {
    FlowSlopes g = gradients;
    if (kind == Kind::symmetry) {
      const Eigen::Matrix2d across = n * n.transpose(), along = Eigen::Matrix2d::Identity() - across;
      const Eigen::Matrix2d momentum = g.middleRows<2>(1);
      for (int v : {0, 3}) g.row(v) = g.row(v) * along;
      g.middleRows<2>(1) = along * momentum * along + n.dot(momentum * n) * across;
    }
    Eigen::Vector2d heat = temperature_slopes(at, g);
    if (kind == Kind::adiabatic_wall) heat -= heat.dot(n) * n;
    return tests::viscous_flux(at, velocity_slopes(at, g), heat) * n;
  }

 private:
  /// Entropy, tangential velocity and outgoing Riemann invariant from inside, of subsonic flow.
  static FlowState ghost_at_pressure(const FlowState& inside, double given, const Eigen::Vector2d& n) {
    constexpr double gamma = ReferenceGas::gamma;
    const double density = inside[0] * std::pow(given / pressure(inside), 1 / gamma);
    const double speed = std::sqrt(gamma * temperature(inside)), beyond = std::sqrt(gamma * given / density);
    return flow_state(density, velocity(inside) + 2 / (gamma - 1) * (speed - beyond) * n, given / density);
  }
};

}  // namespace galerna::tests
