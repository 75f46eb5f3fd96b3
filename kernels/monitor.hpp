/// \file
/// Watches the solution at the quadrature points: the largest stable step of explicit time integration,
///   1 / ((2p + 1) W λ/h + D ν/h²),  h the inscribed diameter, λ = max |v| + c over the element's points, ν the largest
/// diffusivity of viscous equations there and of artificial viscosity, W and D as docs/theory.md says (Step limit), and
/// elements whose density or pressure is not positive and finite.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/diffusion.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// What is seen at the points of the item's element.
template <class Config>
struct PointWatch {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  static constexpr bool viscous = requires(const State<Config>& u) { Equations::largest_diffusivity(u); };
  V fastest = V(0), bad = V(0), most_diffusive = V(0);

  void see(const State<Config>& u) {
    bad = select(Equations::admissible(u), bad, V(1));
    fastest = max(fastest, Equations::largest_wave_speed(u));
    if constexpr (viscous) most_diffusive = max(most_diffusive, Equations::largest_diffusivity(u));
  }

  void join(const PointWatch& other) {
    bad = max(bad, other.bad);
    fastest = max(fastest, other.fastest);
    most_diffusive = max(most_diffusive, other.most_diffusive);
  }

  /// The element's stable step, which is also stored where elements have steps of their own.
  V step_limit(const MonitorArguments& a, const Item& item) const {
    const V factor = number<V>((2 * Config::Operators::degree + 1) * Config::Operators::wave_factor);
    const V h = load<Config>(a.diameters, item, 1, 0);
    V limit = h / (factor * fastest);
    if constexpr (viscous || has_shock_viscosity<Config>()) {
      constexpr int diffusion = Config::Operators::diffusion_factor;  // dg/geometry/step_limit.hpp
      V diffusivity = most_diffusive;
      if constexpr (has_shock_viscosity<Config>())
        diffusivity +=
            number<V>(largest_smoothing<Equations>()) * largest_shock_viscosity<Config>(a.corner_viscosity, item);
      limit = h / (factor * fastest + V(diffusion) * diffusivity / h);
    }
    if constexpr (Config::local_steps)
      if (a.element_limits) store<Config>(a.element_limits, item, 1, 0, limit);
    return limit;
  }

  void report(const MonitorArguments& a, const Item& item) const {
    const V limit = step_limit(a, item);
    // One number tells both: the stable step, or a number below that of any step, smallest for the first inadmissible
    // element.
    const V lane = generate<Config>([&](int i) { return typename Config::Real(item.lane + i); });
    const V none = number<V>(1e9);
    const double step_limit = block_min(limit), first_bad = block_min(select(bad > V(0), lane, none));
    const double least = group_min(
        first_bad < 1e9 ? bad_element_code(a.first_element + item.block * Config::width + std::int64_t(first_bad))
                        : step_limit);
    if (first_of_group()) a.step_limits[group_index(item)] = least;
  }
};

template <class Config>
void monitor(const MonitorArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int variables = Config::Equations::variables, modes = Operators::modes;
  PointWatch<Config> watch;
#pragma unroll(Config::unroll_points)
  for (int q = 0; q < Operators::volume_points; ++q) {
    State<Config> u;
    for (int v = 0; v < variables; ++v) u[v] = V(0);
#pragma unroll
    for (int j = 0; j < modes; ++j) {
      const State<Config> mode = load_mode<Config>(a.state, item, j);
      for (int v = 0; v < variables; ++v) u[v] += V(Operators::volume_basis(q, j)) * mode[v];
    }
    watch.see(u);
  }
  watch.report(a, item);
}

}  // namespace galerna::kernels
