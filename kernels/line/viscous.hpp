/// \file
/// element/viscous.hpp on hexahedra, line by line: F_v(u⁻, ∇u + η r_e)·n at the points of all sides e. With
/// the points of line/residual.hpp the lifting r_e of a jump is, at a point of side e itself, what stands there alone:
///   r_e = |J|⁻¹ n ds C ½ (u⁺ − u⁻),   C = Σ_a P_a(1)²,
/// with n ds for each unit of the reference side.
/// Config::Operators adds line_end_slope(e, k) = ℓ_k′(±1) and end_lift = C/2.
#pragma once

#include "kernels/element/lifting.hpp"
#include "kernels/line/residual.hpp"

namespace galerna::kernels {

/// z[k] += vector[k] u
template <class Config>
void add_along(StateGradients<Config>& z, const Vector<Config>& vector, const State<Config>& u) {
  for (int k = 0; k < 3; ++k)
    for (int v = 0; v < u.size(); ++v) z[k][v] += vector[k] * u[v];
}

/// ½ (u⁺ − u⁻) at one end of a line, on the boundary u_b − u⁻.
template <class Config>
State<Config> half_jump(const LineTeam<Config>& team, const ElementArguments& a, int direction, int end, int number,
                        const State<Config>& inside, const State<Config>& outside) {
  State<Config> jump = team.opposite(a, direction, end, number, outside);
  for (int v = 0; v < jump.size(); ++v) jump[v] = kernels::number<typename Config::Value>(0.5) * (jump[v] - inside[v]);
  return jump;
}

/// The solution at the ends of all lines of a direction. \param to a field's place
template <class Config>
void put_ends(const LineTeam<Config>& team, const typename LineTeam<Config>::Field& values, int direction,
              const typename LineTeam<Config>::Field& to) {
  constexpr int n = Config::Operators::degree + 1;
  team.each_line([&](int number) {
    const auto line = values.line(direction, number);
    auto ends = zero_ends<Config>();
    unrolled<n>([&](int i) { add_to_ends<Config>(ends, i, state_at<Config>(values, line.at(i))); });
    for (int e = 0; e < 2; ++e)
      for (int v = 0; v < State<Config>::size(); ++v) to.end(e, v, number) = ends[e][v];
  });
  team.wait();
}

/// ∂u/∂ξ_o (across = 0) and ∂u/∂ξ_p (1) at one end of line `number`, from the ends of the lines in one row with it.
template <class Config>
State<Config> slope_across(const typename LineTeam<Config>::Field& ends, int end, int across, int number) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1;
  const int row = number / n, place = number % n;
  State<Config> slope;
  for (int v = 0; v < slope.size(); ++v) slope[v] = V(0);
  unrolled<n>([&](int k) {
    const V factor = V(Operators::line_slope(across == 0 ? row : place, k));
    for (int v = 0; v < slope.size(); ++v)
      slope[v] += factor * ends.end(end, v, across == 0 ? k * n + place : row * n + k);
  });
  return slope;
}

/// ∇u + η r_e at one end of a line. \param ends those of all lines of its direction \param jump half_jump()
template <class Config>
StateGradients<Config> end_gradient(const typename LineTeam<Config>::Field& values,
                                    const typename LineTeam<Config>::Field& ends, const LineGeometry<Config>& metric,
                                    int direction, int end, int number, const State<Config>& jump) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1;
  const auto line = values.line(direction, number);
  State<Config> along;
  for (int v = 0; v < along.size(); ++v) along[v] = V(0);
  unrolled<n>([&](int i) {
    const V factor = V(Operators::line_end_slope(end, i));
    for (int v = 0; v < along.size(); ++v) along[v] += factor * values.at(v, line.at(i));
  });
  StateGradients<Config> z{};
  const auto gradients = metric.end_gradients(end);
  add_along<Config>(z, gradients[0], along);
  Vector<Config> lift = metric.outward(end);
  const V factor = metric.end_inverse(end) * kernels::number<V>(Config::penalty * 2 * Operators::end_lift);
  for (int k = 0; k < 3; ++k) lift[k] *= factor;
  add_along<Config>(z, lift, jump);
  for (int across = 0; across < 2; ++across)
    add_along<Config>(z, gradients[1 + across], slope_across<Config>(ends, end, across, number));
  return z;
}

/// Leaves the viscous fluxes through the sides where the lines of a direction end.
template <class Config>
void store_viscous_fluxes(const LineTeam<Config>& team, const ElementArguments& a, int direction) {
  using V = typename Config::Value;
  const auto &values = team.first, &ends = team.second, room = team.field(2);
  put_ends(team, values, direction, ends);
  team.each_line([&](int number) {
    team.ask_for_viscous(a, direction, number);
    const LineGeometry<Config> metric(team, a.set, direction, number, V(1));
    for (int e = 0; e < 2; ++e) {
      State<Config> u;
      for (int v = 0; v < u.size(); ++v) u[v] = ends.end(e, v, number);
      const auto jump =
          half_jump(team, a, direction, e, number, u, team.beyond(a, a.faces[0].traces, direction, e, number));
      const auto z = end_gradient<Config>(values, ends, metric, direction, e, number, jump);
      team.put_gradient(a, direction, e, number, z);
      Vector<Config> normal = metric.outward(e);
      const V inverse = reciprocal(positive_sqrt(dot(normal, normal)));
      for (int k = 0; k < 3; ++k) normal[k] *= inverse;
      team.put_trace(room, a, a.faces[0].viscous_traces, direction, e, number,
                     Config::Equations::viscous_flux(u, z, normal));
    }
  });
  team.wait();
  team.write_traces(room, a, a.faces[0].viscous_traces, direction);
}

template <class Config>
void line_viscous_of(const LineTeam<Config>& team, const ElementArguments& a) {
  load_values(team, a.state, team.second, team.first);
#pragma unroll 1
  for (int direction = 0; direction < 3; ++direction) store_viscous_fluxes(team, a, direction);
}

#ifdef __CUDACC_RTC__

template <class Config>
void line_viscous(const ElementArguments& a) {
  if (!a.control->active) return;
  line_viscous_of(line_team<Config>(a), a);
}

#else

template <class Config>
[[gnu::flatten]] void line_viscous(const ElementArguments& a, const Item& item) {
  if (!a.control->active) return;
  line_viscous_of(LineTeam<Config>(a.set, item), a);
}

#endif

}  // namespace galerna::kernels
