/// \file
/// Right-hand side and stage of element/residual.hpp without viscosity on hexahedra with (p + 1)³ Gauss points
/// in them and (p + 1)² on their sides, line by line (sum factorization). What tensor.hpp says of quadrilaterals holds
/// for three directions: modes P_a(ξ) P_b(η) P_c(ζ), number (a n + b) n + c, n = p + 1, points (x_i, x_j, x_k), and
/// with V the values of the modes at the points Vᵀ |J|⁻¹ s the change that the integrals s against the Lagrange
/// polynomials of the points make. Config::Operators has line_mode, line_end, line_slope as there, and
///   line_place(i), line_weight(i)   the Gauss points x_i and their weights.
/// Along a line the fluxes at its points and through its ends change only what stands on it (metric terms:
/// line/metric.hpp). Of curved elements the rule does not give the change of the integral, and the first mode gets what
/// is missing (docs/theory.md, Mass matrix): with s_q the integrals at the points Σ_q s_q g_q, g_q the corrections.
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/element/prefetch.hpp"
#include "kernels/element/thread_group.hpp"
#include "kernels/line/metric.hpp"
#include "kernels/line/team.hpp"
#include "kernels/source.hpp"

namespace galerna::kernels {

/// Numbers i become Σ_k coefficient(i, k) number k, along all lines of a direction.
template <class Config, class Read, class Write, class Coefficient>
void transform_lines(const LineTeam<Config>& team, const Variables& of, const Read& read, const Write& write,
                     const Coefficient& coefficient) {
  using V = typename Config::Value;
  constexpr int n = Config::Operators::degree + 1;
  team.each_line([&](int line) {
#pragma unroll
    for (int v = of.first; v < of.last; ++v) {
      Array<V, n> before;
      unrolled<n>([&](int i) { before[i] = read(v, line, i); });
      unrolled<n>([&](int i) {
        V sum = V(coefficient(i, 0)) * before[0];
        unrolled<n - 1>([&](int k) { sum += V(coefficient(i, k + 1)) * before[k + 1]; });
        write(v, line, i, sum);
      });
    }
  });
  team.wait();
}

/// The same in place along one direction.
template <class Config, class Coefficient>
void transform_field(const LineTeam<Config>& team, const Variables& of, const typename LineTeam<Config>::Field& field,
                     int direction, const Coefficient& coefficient) {
  const auto number = [&](int v, int line, int i) -> auto& {
    return field.at(v, field.line(direction, line).at(i));
  };
  transform_lines(
      team, of, number, [&](int v, int line, int i, const auto& sum) { number(v, line, i) = sum; }, coefficient);
}

/// Values at the points from modes.
template <class Config>
void modes_to_points(const LineTeam<Config>& team, const Variables& of, const typename LineTeam<Config>::Field& modes,
                     const typename LineTeam<Config>::Field& values) {
  constexpr int n = Config::Operators::degree + 1;
  const auto to_points = [](int i, int a) { return Config::Operators::line_mode(i, a); };
  transform_lines(
      team, of, [&](int v, int line, int c) { return modes.mode(v, line * n + c); },
      [&](int v, int line, int k, const auto& sum) { values.at(v, values.line(2, line).at(k)) = sum; }, to_points);
  transform_field(team, of, values, 1, to_points);
  transform_field(team, of, values, 0, to_points);
}

/// Values of the state's modes at the points. \param room for modes
template <class Config>
void load_values(const LineTeam<Config>& team, const void* state, const typename LineTeam<Config>::Field& room,
                 const typename LineTeam<Config>::Field& values) {
  team.each_variable([&](const auto& of) {
    team.load_modes(of, room, state);
    team.wait();
    modes_to_points(team, of, room, values);
  });
}

template <class Config>
State<Config> state_at(const typename LineTeam<Config>::Field& field, int point) {
  State<Config> u;
  for (int v = 0; v < u.size(); ++v) u[v] = field.at(v, point);
  return u;
}

/// States at both ends of a line.
template <class Config>
using LineEnds = Array<State<Config>, 2>;

template <class Config>
LineEnds<Config> zero_ends() {
  LineEnds<Config> ends;
  for (int e = 0; e < 2; ++e)
    for (int v = 0; v < State<Config>::size(); ++v) ends[e][v] = typename Config::Value(0);
  return ends;
}

template <class Config>
void add_to_ends(LineEnds<Config>& ends, int i, const State<Config>& u) {
  using V = typename Config::Value;
  unrolled<2>([&](int e) {
    for (int v = 0; v < u.size(); ++v) ends[e][v] += V(Config::Operators::line_end(e, i)) * u[v];
  });
}

/// Traces of the numbers at the points, to memory. \param room for what is on its way
template <class Config>
void store_line_traces(const LineTeam<Config>& team, const typename LineTeam<Config>::Field& values,
                       const typename LineTeam<Config>::Field& room, const ElementArguments& a, void* traces) {
  constexpr int n = Config::Operators::degree + 1;
#pragma unroll 1
  for (int direction = 0; direction < 3; ++direction) {
    team.each_line([&](int number) {
      const Line line = values.line(direction, number);
      auto ends = zero_ends<Config>();
      unrolled<n>([&](int i) { add_to_ends<Config>(ends, i, state_at<Config>(values, line.at(i))); });
      for (int e = 0; e < 2; ++e) team.put_trace(room, a, traces, direction, e, number, ends[e]);
    });
    team.wait();
    team.write_traces(room, a, traces, direction);
    team.wait();
  }
}

/// Integrals against the Lagrange polynomials of a line's points, for all variables.
template <class Config>
using LineIntegrals = Array<State<Config>, Config::Operators::degree + 1>;

/// −F* ds through both ends of a line, outward.
template <class Config>
LineEnds<Config> end_fluxes(const LineEnds<Config>& inside, const LineEnds<Config>& outside,
                            const LineGeometry<Config>& metric) {
  using V = typename Config::Value;
  LineEnds<Config> fluxes;
  unrolled<2>([&](int e) {
    Vector<Config> normal = metric.outward(e);
    const V length = positive_sqrt(dot(normal, normal)), inverse = reciprocal(length);
    for (int k = 0; k < 3; ++k) normal[k] *= inverse;
    fluxes[e] = Config::Flux::template flux<typename Config::Equations>(inside[e], outside[e], normal);
    for (int v = 0; v < State<Config>::size(); ++v) fluxes[e][v] *= -length;
  });
  return fluxes;
}

/// The change of the modes along a line: over |J|, and from points to modes.
template <class Config>
void change_line(LineIntegrals<Config>& s, const LineGeometry<Config>& metric) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1;
  unrolled<n>([&](int i) {
    const V inverse = metric.inverse(i);
    for (int v = 0; v < State<Config>::size(); ++v) s[i][v] *= inverse;
  });
  const LineIntegrals<Config> before = s;
  unrolled<n>([&](int a) {
    for (int v = 0; v < State<Config>::size(); ++v) {
      V sum = V(Operators::line_mode(0, a)) * before[0][v];
      unrolled<n - 1>([&](int i) { sum += V(Operators::line_mode(i + 1, a)) * before[i + 1][v]; });
      s[a][v] = sum;
    }
  });
}

/// Of curved elements what the integrals along a line, ξ's, add to the first mode; kept where the solution was on the
/// line, which nobody needs any more.
template <class Config>
void keep_correction(const LineTeam<Config>& team, const LineIntegrals<Config>& s, const LineGeometry<Config>& metric,
                     int number) {
  if constexpr (!IsTrilinear<Config>) {
    State<Config> sum;
    for (int v = 0; v < sum.size(); ++v) sum[v] = typename Config::Value(0);
    unrolled<LineIntegrals<Config>::size()>([&](int i) {
      const auto factor = metric.correction(i);
      for (int v = 0; v < sum.size(); ++v) sum[v] += factor * s[i][v];
    });
    for (int v = 0; v < sum.size(); ++v) team.first.at(v, team.first.line(0, number).at(0)) = sum[v];
  }
}

/// Σ_q s_q g_q of the thread that has line 0, and nothing of others.
template <class Config>
State<Config> first_mode_correction(const LineTeam<Config>& team, const Variables& of) {
  using V = typename Config::Value;
  constexpr int n = Config::Operators::degree + 1;
  State<Config> sum;
  for (int v = 0; v < sum.size(); ++v) sum[v] = V(0);
  if constexpr (!IsTrilinear<Config>) {
    team.each_line([&](int own) {
      if (own != 0) return;
      for (int number = 0; number < n * n; ++number)
        for (int v = of.first; v < of.last; ++v) sum[v] += team.first.at(v, team.first.line(0, number).at(0));
    });
    team.wait();
  }
  return sum;
}

/// The weight of its points in the other two directions.
template <class Config>
typename Config::Value line_weight_across(int number) {
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1;
  return typename Config::Value(Operators::line_weight(number / n) * Operators::line_weight(number % n));
}

/// What the fluxes along the lines of one direction make of s; the last direction, ξ, goes on to modes.
template <class Config>
void add_direction(const LineTeam<Config>& team, const ElementArguments& a, const StageShape& stage, int direction) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int n = Operators::degree + 1;
  const auto &values = team.first, &integrals = team.second;
  team.each_line([&](int number) {
    team.ask_for_stage(a, stage, direction, number);
    const Line line = values.line(direction, number);
    LineEnds<Config> outside, inside = zero_ends<Config>();
    for (int e = 0; e < 2; ++e) outside[e] = team.beyond(a, a.faces[0].traces, direction, e, number);
    const V weight = line_weight_across<Config>(number);
    const LineGeometry<Config> metric(team, a.set, direction, number, weight);
    unrolled<n>([&](int i) { add_to_ends<Config>(inside, i, state_at<Config>(values, line.at(i))); });
    const LineEnds<Config> ends = end_fluxes<Config>(inside, outside, metric);
    LineIntegrals<Config> s;
    unrolled<n>([&](int m) {
      for (int v = 0; v < State<Config>::size(); ++v) {
        s[m][v] = direction == 2 ? V(0) : integrals.at(v, line.at(m));
        for (int e = 0; e < 2; ++e) s[m][v] += V(Operators::line_end(e, m)) * ends[e][v];
      }
    });
    unrolled<n>([&](int i) {
      const State<Config> u = state_at<Config>(values, line.at(i)),
                          flux = Equations::flux(u, Equations::primitive(u), metric.along(i));
      unrolled<n>([&](int m) {
        for (int v = 0; v < u.size(); ++v)
          s[m][v] += V(Operators::line_slope(i, m) * Operators::line_weight(i)) * flux[v];
      });
      if constexpr (HasSource<Config>)
        if (direction == 0) {
          const State<Config> source = source_at<Config>(a, a.set.nodes, team.item(), i * n * n + number, u);
          const V volume = V(Operators::line_weight(i)) * metric.jacobian(i);
          for (int v = 0; v < u.size(); ++v) s[i][v] += volume * source[v];
        }
    });
    if (direction == 0) {
      keep_correction<Config>(team, s, metric, number);
      change_line<Config>(s, metric);
    }
    unrolled<n>([&](int i) {
      for (int v = 0; v < State<Config>::size(); ++v) integrals.at(v, line.at(i)) = s[i][v];
    });
  });
  team.wait();
}

/// The modes of R in team.first.
template <class Config>
void finish_change(const LineTeam<Config>& team, const Variables& of) {
  constexpr int n = Config::Operators::degree + 1;
  const auto to_modes = [](int mode, int i) { return Config::Operators::line_mode(i, mode); };
  const State<Config> correction = first_mode_correction(team, of);
  transform_field(team, of, team.second, 1, to_modes);
  transform_lines(
      team, of, [&](int v, int line, int k) { return team.second.at(v, team.second.line(2, line).at(k)); },
      [&](int v, int line, int c, const auto& sum) {
        team.first.mode(v, line * n + c) = !IsTrilinear<Config> && line == 0 && c == 0 ? sum + correction[v] : sum;
      },
      to_modes);
}

/// The stage's linear combinations, and traces of the last of these, at which the next stage looks.
template <class Config, int inputs, int outputs>
void finish_line_stage(const LineTeam<Config>& team, const ElementArguments& a) {
  team.each_variable([&](const auto& of) {
    finish_change(team, of);
    team.template update<inputs, outputs>(of, team.first, a.update, *a.control);
    team.wait();
    if (a.faces[0].next_traces) modes_to_points(team, of, team.first, team.second);
  });
  if (a.faces[0].next_traces) store_line_traces(team, team.second, team.first, a, a.faces[0].next_traces);
}

/// R(state) and what the stage makes of it.
template <class Config, int inputs, int outputs>
void line_stage(const LineTeam<Config>& team, const ElementArguments& a) {
  load_values(team, a.state, team.second, team.first);
#pragma unroll 1
  for (int direction = 2; direction >= 0; --direction) add_direction(team, a, {inputs, outputs}, direction);
  finish_line_stage<Config, inputs, outputs>(team, a);
}

template <class Config>
void line_traces_of(const LineTeam<Config>& team, const ElementArguments& a) {
  load_values(team, a.state, team.second, team.first);
  store_line_traces(team, team.first, team.second, a, a.faces[0].traces);
}

#ifdef __CUDACC_RTC__

template <class Config, int inputs, int outputs>
void line_residual(const ElementArguments& a) {
  if (!a.control->active) return;
  line_stage<Config, inputs, outputs>(line_team<Config>(a), a);
}

template <class Config>
void line_traces(const ElementArguments& a) {
  if (!a.control->active) return;
  line_traces_of(line_team<Config>(a), a);
}

#else

template <class Config, int inputs, int outputs>
[[gnu::flatten]] void line_residual(const ElementArguments& a, const Item& item) {
  if (!a.control->active) return;
  line_stage<Config, inputs, outputs>(LineTeam<Config>(a.set, item), a);
}

template <class Config>
[[gnu::flatten]] void line_traces(const ElementArguments& a, const Item& item) {
  if (!a.control->active) return;
  line_traces_of(LineTeam<Config>(a.set, item), a);
}

#endif

}  // namespace galerna::kernels
