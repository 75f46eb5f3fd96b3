/// \file
/// The Navier–Stokes equations in the plane and in space and their boundary conditions as docs/theory.md has them, in
/// plain vectors and independent of kernels/, for viscous_reference.hpp.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <functional>

namespace galerna::tests {

template <int d>
using FlowState = Eigen::Matrix<double, d + 2, 1>;  ///< ρ, ρv, E
template <int d>
using FlowSlopes = Eigen::Matrix<double, d + 2, d>;  ///< [variable][direction]; also fluxes
template <int d>
using FlowVector = Eigen::Matrix<double, d, 1>;
template <int d>
using FlowTensor = Eigen::Matrix<double, d, d>;

/// A viscous gas after Sutherland's law.
struct ReferenceGas {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.05;
  static constexpr double reference_temperature = 1, sutherland_temperature = 0.4;

  static double viscosity(double temperature) {
    return mu * std::pow(temperature / reference_temperature, 1.5) * (reference_temperature + sutherland_temperature) /
           (temperature + sutherland_temperature);
  }
};

/// States and fluxes in d dimensions.
template <int d>
struct ReferenceFlow {
  using State = FlowState<d>;
  using Slopes = FlowSlopes<d>;
  using Vector = FlowVector<d>;
  static constexpr int energy = d + 1;

  static Vector velocity(const State& u) { return u.template segment<d>(1) / u[0]; }
  static double pressure(const State& u) {
    return (ReferenceGas::gamma - 1) * (u[energy] - 0.5 * u.template segment<d>(1).squaredNorm() / u[0]);
  }
  static double temperature(const State& u) { return pressure(u) / u[0]; }

  static State state(double density, const Vector& velocity, double temperature) {
    State u;
    u << density, density * velocity,
        density * temperature / (ReferenceGas::gamma - 1) + 0.5 * density * velocity.squaredNorm();
    return u;
  }

  static Slopes inviscid_flux(const State& u) {
    Slopes flux = u * velocity(u).transpose();
    flux.template middleRows<d>(1) += pressure(u) * FlowTensor<d>::Identity();
    flux.row(energy) += pressure(u) * velocity(u).transpose();
    return flux;
  }

  static State lax_friedrichs_flux(const State& inside, const State& outside, const Vector& n) {
    const auto fastest = [&](const State& u) {
      return std::abs(velocity(u).dot(n)) + std::sqrt(ReferenceGas::gamma * temperature(u));
    };
    return 0.5 * (inviscid_flux(inside) + inviscid_flux(outside)) * n -
           0.5 * std::max(fastest(inside), fastest(outside)) * (outside - inside);
  }

  /// ∇v, [i][j] = ∂v_i/∂x_j, from v = ρv/ρ.
  static FlowTensor<d> velocity_slopes(const State& u, const Slopes& g) {
    return (g.template middleRows<d>(1) - velocity(u) * g.row(0)) / u[0];
  }

  /// ∇T from T = (γ − 1)(E/ρ − ½ |v|²).
  static Vector temperature_slopes(const State& u, const Slopes& g) {
    const Vector of_energy = (g.row(energy) - u[energy] / u[0] * g.row(0)).transpose() / u[0];
    return (ReferenceGas::gamma - 1) * (of_energy - velocity_slopes(u, g).transpose() * velocity(u));
  }

  static Slopes viscous_flux(const State& u, const FlowTensor<d>& of_velocity, const Vector& of_temperature) {
    const double mu = ReferenceGas::viscosity(temperature(u));
    const double conductivity = mu * ReferenceGas::gamma / (ReferenceGas::gamma - 1) / ReferenceGas::prandtl;
    const FlowTensor<d> stress =
        mu * (of_velocity + of_velocity.transpose() - 2.0 / 3 * of_velocity.trace() * FlowTensor<d>::Identity());
    Slopes flux = Slopes::Zero();
    flux.template middleRows<d>(1) = stress;
    flux.row(energy) = (stress * velocity(u) + conductivity * of_temperature).transpose();
    return flux;
  }

  static Slopes viscous_flux(const State& u, const Slopes& g) {
    return viscous_flux(u, velocity_slopes(u, g), temperature_slopes(u, g));
  }
};

/// A boundary condition: the table under In viscous flow.
template <int d>
struct Condition {
  using Flow = ReferenceFlow<d>;
  using State = typename Flow::State;
  using Vector = typename Flow::Vector;
  enum class Kind { adiabatic_wall, isothermal_wall, symmetry, given_state, pressure_outflow, outflow };
  Kind kind;
  std::function<Vector(const Vector&)> wall_velocity;  ///< none: at rest
  std::function<double(const Vector&)> number;         ///< temperature of the wall, or pressure
  std::function<State(const Vector&)> state;           ///< given_state

  /// u⁺
  State ghost(const State& inside, const Vector& x, const Vector& n) const {
    if (kind == Kind::given_state) return state(x);
    if (kind == Kind::outflow) return inside;
    if (kind == Kind::pressure_outflow) return ghost_at_pressure(inside, number(x), n);
    State mirrored = inside;
    mirrored.template segment<d>(1) -= 2 * inside.template segment<d>(1).dot(n) * n;
    return mirrored;
  }

  /// u_b
  State viscous_state(const State& inside, const Vector& x, const Vector& n) const {
    const auto along = [&](const Vector& v) -> Vector { return v - v.dot(n) * n; };
    const Vector of_wall = wall_velocity ? along(wall_velocity(x)) : Vector(Vector::Zero());
    if (kind == Kind::adiabatic_wall) return Flow::state(inside[0], of_wall, Flow::temperature(inside));
    if (kind == Kind::isothermal_wall) return Flow::state(inside[0], of_wall, number(x));
    if (kind == Kind::symmetry) return Flow::state(inside[0], along(Flow::velocity(inside)), Flow::temperature(inside));
    return ghost(inside, x, n);
  }

  /// F_v(u_b, ·)·n with the gradients that the condition lets through.
  State viscous_flux(const State& at, const FlowSlopes<d>& gradients, const Vector& n) const {
    FlowSlopes<d> g = gradients;
    if (kind == Kind::symmetry) {
      const FlowTensor<d> across = n * n.transpose(), along = FlowTensor<d>::Identity() - across;
      const FlowTensor<d> momentum = g.template middleRows<d>(1);
      for (int v : {0, d + 1}) g.row(v) = g.row(v) * along;
      g.template middleRows<d>(1) = along * momentum * along + n.dot(momentum * n) * across;
    }
    Vector heat = Flow::temperature_slopes(at, g);
    if (kind == Kind::adiabatic_wall) heat -= heat.dot(n) * n;
    return Flow::viscous_flux(at, Flow::velocity_slopes(at, g), heat) * n;
  }

 private:
  /// Entropy, tangential velocity and outgoing Riemann invariant from inside, of subsonic flow.
  static State ghost_at_pressure(const State& inside, double given, const Vector& n) {
    constexpr double gamma = ReferenceGas::gamma;
    const double density = inside[0] * std::pow(given / Flow::pressure(inside), 1 / gamma);
    const double speed = std::sqrt(gamma * Flow::temperature(inside)), beyond = std::sqrt(gamma * given / density);
    return Flow::state(density, Flow::velocity(inside) + 2 / (gamma - 1) * (speed - beyond) * n, given / density);
  }
};

}  // namespace galerna::tests
