/// \file
/// The limiter pass after a stage: slopes, then positivity, in place. Means do not change, so that an element may be
/// limited while its neighbours still read it. Config adds
///   using LimitedVariables   of variables.hpp
///   using Limits             tables vertex_derivative(k, s, vertex, mode), side_mean(side, mode)
///   using Limiter            of slopes, a struct with
///     where<Config>(a, item)                                  > 0 in the lanes that it works on; without it, all
///     limit<Config>(a, item, about, gradients, where, c)      changes modes of degree ≥ 1; 1 where it did, else 0
///                            of which each has a header here and a row in limiters() of src/case/registry.hpp
///   vertex_neighbours, keeps_positive   settings
///   watches_points           whether the result of a step is looked at, too (point_monitor.hpp)
///   boundary_bounds          whether boundary.hpp runs before
///   bounds_ease              of hierarchical.hpp
///   sensor_floor             of detect.hpp
#pragma once

#include "kernels/limiter/neighbours.hpp"
#include "kernels/limiter/point_monitor.hpp"
#include "kernels/limiter/positivity.hpp"
#include "kernels/limiter/shared_element.hpp"
#include "kernels/limiter/variables.hpp"
#include "kernels/limiter/wave_axis.hpp"

namespace galerna::kernels {

/// The direction in which waves are told apart: of the pressure's gradient, from the means of the face neighbours,
/// where the pressure changes by more than about a percent between them; where it changes less, a fixed one
/// (wave_axis.hpp). Neither the element's own slopes, which the limiter changes, nor tiny gradients may decide: the
/// solution would then hang on rounding errors.
template <class Config>
Vector<Config> wave_direction(const LimitArguments& a, const Item& item, const State<Config>& mean,
                              const BarycentricGradients<Config>& gradients) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  constexpr int dimension = Equations::dimension;
  const V pressure = Equations::pressure(mean);
  Vector<Config> gradient;
  for (int d = 0; d < dimension; ++d) gradient[d] = V(0);
  V largest = V(0);
  for (int side = 0; side < Config::Operators::sides; ++side) {
    // Green and Gauss: the outward normal of a side times its measure is a multiple of −∇λ.
    const auto beyond =
        gather_mean<Config>(a.state, inner_elements<Config>(item, face_neighbours<Config>(a, item, side)));
    const V change = Equations::pressure(beyond) - pressure;
    largest = max(largest, V(abs(change)));
    for (int d = 0; d < dimension; ++d) gradient[d] -= change * gradients[side][d];
  }
  V square = V(0);
  for (int d = 0; d < dimension; ++d) square += gradient[d] * gradient[d];
  const V tiny = number<V>(1e-30), length = sqrt(V(square + tiny));
  const V scale = largest * reciprocal(V(pressure * length));
  for (int d = 0; d < dimension; ++d) gradient[d] *= scale;
  return wave_axis(gradient);
}

template <class Config>
typename Config::Value limit_slopes(const LimitArguments& a, const Item& item, Modes<Config>& c) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Limiter = typename Config::Limiter;
  using About = typename Config::LimitedVariables::template About<Equations, V>;
  V where = V(1);
  if constexpr (requires { Limiter::template where<Config>(a, item); }) {
    where = Limiter::template where<Config>(a, item);
    if (!any(where > V(0))) return where;
  }
  State<Config> mean;
  for (int v = 0; v < Equations::variables; ++v) mean[v] = V(mean_scale<Config>()) * c[v][0];
  const auto gradients = barycentric_gradients<Config>(a.gradients, item);
  Vector<Config> direction = gradients[0];  // of no importance where there is no pressure
  if constexpr (HasPressure<Equations>) direction = wave_direction<Config>(a, item, mean, gradients);
  return Limiter::template limit<Config>(a, item, About(mean, direction), gradients, where, c);
}

template <class Config>
void limit(const LimitArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  Modes<Config> c = load_modes<Config>(a.state, item);
  const V limited = limit_slopes<Config>(a, item, c);
  V scaled = V(0);
  WholeElement<Config> element{item, c};
  if constexpr (Config::keeps_positive) scaled = keep_positive<Config>(a, element);
  if (any(limited + scaled > V(0))) store_limited<Config>(a.state, item, c);
  count_limited<Config>(a, item, limited, scaled);
  if constexpr (Config::watches_points)
    if (a.watch.step_limits) watch_points<Config>(a.watch, item, c);
}

/// Where slopes are not limited: positivity alone, by threads that share elements.
template <class Config>
void limit_positivity(const LimitArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  SharedElement<Config> element(item);
  element.read(a.state);
  const V scaled = keep_positive<Config>(a, element);
  if (element.any_of(scaled > V(0))) element.store(a.state);
  count_shared<Config>(a, element, V(0), scaled);
}

}  // namespace galerna::kernels
