/// \file
/// Right-hand side and stage of element/residual.hpp with viscosity on hexahedra, line by line (residual.hpp,
/// viscous.hpp). The jumps at the two ends e of a line along ξ_d are lifted to its own points x_i alone,
///   r_e(x_i) = |J|_i^{-½} ℓ_i(e)/ω_i |J|_e^{-½} (n ds)_e ½ (u⁺ − u⁻),
/// so that every direction adds its part of |J| z = |J| (∇u + Σ_e r_e) to that of the others; the last one has it all,
/// takes the fluxes along all three directions at the points, and integrates its own. What flows through the ends is
/// added to the integrals when the states there are known. The fields are 0: the solution at the points, 1: integrals,
/// 2, 3, 4: |J| z, and then in 2 and 3 the fluxes along ξ and η.
#pragma once

#include "kernels/line/viscous.hpp"

namespace galerna::kernels {

/// A line along a direction: the solution on it, what jumps lift to its points, and what flows through its ends.
template <class Config>
class ViscousLine {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  static constexpr int n = Operators::degree + 1, variables = State<Config>::size();
  Array<State<Config>, n> u;
  LineGeometry<Config> metric;
  LineEnds<Config> fluxes;  ///< −(F* − ½ (F_v⁻ + F_v⁺)·n) ds times the weight of the line's points

  ViscousLine(const LineTeam<Config>& team, const ElementArguments& a, int direction, int number)
      : metric(team, a.set, direction, number, V(1)) {
    const auto line = team.first.line(direction, number);
    auto inside = zero_ends<Config>();
    unrolled<n>([&](int i) {
      u[i] = state_at<Config>(team.first, line.at(i));
      add_to_ends<Config>(inside, i, u[i]);
    });
    const V weight = line_weight_across<Config>(number);
    unrolled<2>([&](int e) {
      const State<Config> outside = team.beyond(a, a.faces[0].traces, direction, e, number);
      jumps_[e] = half_jump(team, a, direction, e, number, inside[e], outside);
      Vector<Config> normal = metric.outward(e);
      const V root = positive_sqrt(metric.end_inverse(e));
      for (int k = 0; k < 3; ++k) lifts_[e][k] = root * normal[k];
      const V length = positive_sqrt(dot(normal, normal)), inverse = reciprocal(length);
      for (int k = 0; k < 3; ++k) normal[k] *= inverse;
      fluxes[e] = Config::Flux::template flux<typename Config::Equations>(inside[e], outside, normal);
      const State<Config> own = team.own(a, a.faces[0].viscous_traces, direction, e, number),
                          other = team.beyond(a, a.faces[0].viscous_traces, direction, e, number);
      for (int v = 0; v < variables; ++v)
        fluxes[e][v] = -(weight * length) * (fluxes[e][v] - kernels::number<V>(0.5) * (own[v] - other[v]));
    });
  }

  /// What the direction adds to |J| z at point i.
  void add_gradient(StateGradients<Config>& z, int i) const {
    State<Config> slope;
    for (int v = 0; v < variables; ++v) slope[v] = V(Operators::line_slope(i, 0)) * u[0][v];
    unrolled<n - 1>([&](int k) {
      for (int v = 0; v < variables; ++v) slope[v] += V(Operators::line_slope(i, k + 1)) * u[k + 1][v];
    });
    add_along<Config>(z, metric.along(i), slope);
    const V root = positive_sqrt(metric.jacobian(i));
    unrolled<2>([&](int e) {
      const V factor = root * V(Operators::line_end(e, i) / Operators::line_weight(i));
      Vector<Config> lift = lifts_[e];
      for (int k = 0; k < 3; ++k) lift[k] *= factor;
      add_along<Config>(z, lift, jumps_[e]);
    });
  }

 private:
  LineEnds<Config> jumps_;          ///< ½ (u⁺ − u⁻)
  Array<Vector<Config>, 2> lifts_;  ///< |J|^{-½} n ds
};

/// What the lines along ξ (direction 0), with which |J| z and the integrals begin, or along η (1) add to both.
template <class Config>
void add_gradients(const LineTeam<Config>& team, const ElementArguments& a, const StageShape& stage, int direction) {
  using V = typename Config::Value;
  constexpr int n = Config::Operators::degree + 1, variables = State<Config>::size();
  const auto& integrals = team.second;
  team.each_line([&](int number) {
    team.ask_for_stage(a, stage, direction, number);
    const auto line = team.first.line(direction, number);
    const ViscousLine<Config> at(team, a, direction, number);
    unrolled<n>([&](int i) {
      StateGradients<Config> z{};
      if (direction > 0)
        for (int k = 0; k < 3; ++k) z[k] = state_at<Config>(team.field(2 + k), line.at(i));
      at.add_gradient(z, i);
      for (int v = 0; v < variables; ++v) {
        for (int k = 0; k < 3; ++k) team.field(2 + k).at(v, line.at(i)) = z[k][v];
        V sum = direction == 0 ? V(0) : integrals.at(v, line.at(i));
        for (int e = 0; e < 2; ++e) sum += V(Config::Operators::line_end(e, i)) * at.fluxes[e][v];
        integrals.at(v, line.at(i)) = sum;
      }
    });
  });
  team.wait();
}

/// (F − F_v)·|J| ∇ξ_d at point i of a line along ζ, d = 0, 1, 2.
template <class Config>
StateGradients<Config> point_fluxes(const State<Config>& u, StateGradients<Config> z,
                                    const LineGeometry<Config>& metric, int i) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  const V inverse = metric.inverse(i);
  for (int k = 0; k < 3; ++k)
    for (int v = 0; v < u.size(); ++v) z[k][v] *= inverse;
  const auto w = Equations::primitive(u);
  StateGradients<Config> fluxes;
  unrolled<3>([&](int d) {
    const Vector<Config> along = d == 2 ? metric.along(i) : metric.across(d, i);
    fluxes[d] = Equations::flux(u, w, along);
    const State<Config> viscous = Equations::viscous_flux(u, w, z, along);
    for (int v = 0; v < u.size(); ++v) fluxes[d][v] -= viscous[v];
  });
  return fluxes;
}

/// Gradients and fluxes at the points by the lines along ζ, and what those along ζ make of the integrals.
template <class Config>
void take_fluxes(const LineTeam<Config>& team, const ElementArguments& a, const StageShape& stage) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1, variables = State<Config>::size();
  const auto& integrals = team.second;
  team.each_line([&](int number) {
    team.ask_for_stage(a, stage, 2, number);
    const auto line = team.first.line(2, number);
    const ViscousLine<Config> at(team, a, 2, number);
    const V weight = line_weight_across<Config>(number);
    LineIntegrals<Config> s;
    unrolled<n>([&](int m) {
      for (int v = 0; v < variables; ++v) {
        s[m][v] = integrals.at(v, line.at(m));
        for (int e = 0; e < 2; ++e) s[m][v] += V(Operators::line_end(e, m)) * at.fluxes[e][v];
      }
    });
    unrolled<n>([&](int i) {
      StateGradients<Config> z;
      for (int k = 0; k < 3; ++k) z[k] = state_at<Config>(team.field(2 + k), line.at(i));
      at.add_gradient(z, i);
      const auto fluxes = point_fluxes<Config>(at.u[i], z, at.metric, i);
      for (int v = 0; v < variables; ++v) {
        for (int d = 0; d < 2; ++d) team.field(2 + d).at(v, line.at(i)) = fluxes[d][v];
        const V along = weight * fluxes[2][v];
        unrolled<n>([&](int m) { s[m][v] += V(Operators::line_slope(i, m) * Operators::line_weight(i)) * along; });
      }
      if constexpr (HasSource<Config>) {
        const State<Config> source = source_at<Config>(a, a.set.nodes, team.item(), number * n + i, at.u[i]);
        const V volume = weight * V(Operators::line_weight(i)) * at.metric.jacobian(i);
        for (int v = 0; v < variables; ++v) s[i][v] += volume * source[v];
      }
    });
    unrolled<n>([&](int m) {
      for (int v = 0; v < variables; ++v) integrals.at(v, line.at(m)) = s[m][v];
    });
  });
  team.wait();
}

/// What the fluxes along η (direction 1) or ξ (0) make of the integrals; ξ goes on to modes.
template <class Config, int direction>
void integrate_fluxes(const LineTeam<Config>& team, const ElementArguments& a) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1, variables = State<Config>::size();
  const auto &integrals = team.second, fluxes = team.field(2 + direction);
  team.each_line([&](int number) {
    const auto line = integrals.line(direction, number);
    const V weight = line_weight_across<Config>(number);
    LineIntegrals<Config> s;
    for (int v = 0; v < variables; ++v) {
      unrolled<n>([&](int m) { s[m][v] = integrals.at(v, line.at(m)); });
      unrolled<n>([&](int i) {
        const V along = weight * fluxes.at(v, line.at(i));
        unrolled<n>([&](int m) { s[m][v] += V(Operators::line_slope(i, m) * Operators::line_weight(i)) * along; });
      });
    }
    if constexpr (direction == 0) {
      const LineGeometry<Config> metric(team, a.set, 0, number, V(1));
      keep_correction<Config>(team, s, metric, number);
      change_line<Config>(s, metric);
    }
    unrolled<n>([&](int m) {
      for (int v = 0; v < variables; ++v) integrals.at(v, line.at(m)) = s[m][v];
    });
  });
  team.wait();
}

template <class Config, int inputs, int outputs>
void viscous_line_stage(const LineTeam<Config>& team, const ElementArguments& a) {
  constexpr StageShape stage = {inputs, outputs};
  load_values(team, a.state, team.second, team.first);
#pragma unroll 1
  for (int direction = 0; direction < 2; ++direction) add_gradients(team, a, stage, direction);
  take_fluxes(team, a, stage);
  integrate_fluxes<Config, 1>(team, a);
  integrate_fluxes<Config, 0>(team, a);
  finish_line_stage<Config, inputs, outputs>(team, a);
}

#ifdef __CUDACC_RTC__

template <class Config, int inputs, int outputs>
void viscous_line_residual(const ElementArguments& a) {
  if (!a.control->active) return;
  viscous_line_stage<Config, inputs, outputs>(line_team<Config>(a), a);
}

#else

template <class Config, int inputs, int outputs>
[[gnu::flatten]] void viscous_line_residual(const ElementArguments& a, const Item& item) {
  if (!a.control->active) return;
  viscous_line_stage<Config, inputs, outputs>(LineTeam<Config>(a.set, item), a);
}

#endif

}  // namespace galerna::kernels
