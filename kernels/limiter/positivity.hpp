/// \file
/// Positivity of density and pressure at the quadrature points of volume and sides, by scaling towards the mean: X.
/// Zhang, C.-W. Shu, J. Comput. Phys. 229 (2010) 8918; X. Zhang, Y. Xia, C.-W. Shu, J. Sci. Comput. 50 (2012) 29
/// (triangles); the factor for pressure, which is concave, as C. Wang, X. Zhang, C.-W. Shu, J. Ning, J. Comput. Phys.
/// 231 (2012) 653. Means are untouched; the time step bound under which they stay positive is in docs/theory.md
/// (Positivity). Where one did not, the step is marked and taken again, shorter.
#pragma once

#include "kernels/limiter/neighbours.hpp"
#include "kernels/side_points.hpp"

namespace galerna::kernels {

/// The state where modes have the values basis(mode).
template <class Config, class Basis>
State<Config> state_at(const Modes<Config>& c, const Basis& basis) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  State<Config> u;
  for (int v = 0; v < variables; ++v) u[v] = V(0);
#pragma unroll
  for (int j = 0; j < Config::Operators::modes; ++j)
    for (int v = 0; v < variables; ++v) u[v] += V(basis(j)) * c[v][j];
  return u;
}

/// Calls f(u) with the state at each quadrature point of the sides.
template <class Config, class F>
void for_each_side_point(const Modes<Config>& c, const F& f) {
  using Operators = typename Config::Operators;
#pragma unroll(Config::unroll_points)
  for (int k = 0; k < all_side_points<Operators>(); ++k)
    f(state_at<Config>(
        c, [&](int j) { return Operators::side_basis(side_at<Operators>(k), point_on_side<Operators>(k), j); }));
}

/// The same at all quadrature points.
template <class Config, class F>
void for_each_point(const Modes<Config>& c, const F& f) {
  using Operators = typename Config::Operators;
#pragma unroll(Config::unroll_points)
  for (int q = 0; q < Operators::volume_points; ++q)
    f(state_at<Config>(c, [&](int j) { return Operators::volume_basis(q, j); }));
  for_each_side_point<Config>(c, f);
}

/// The mean over the element: Σ_j c_j ∫ φ_j dx over its measure, in which only the constant counts where metric terms
/// are constant. \param a arguments of a kernel with `means`
template <class Config, class Arguments>
State<Config> mean_of(const Arguments& a, const Item& item, const Modes<Config>& c) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  State<Config> mean;
  for (int v = 0; v < variables; ++v) mean[v] = V(mean_scale<Config>()) * c[v][0];
  if constexpr (has_weighted_mean<Config>()) {
    const V inverse = V(mean_scale<Config>()) * reciprocal(load<Config>(a.means, item, modes, 0));
    for (int j = 1; j < modes; ++j) {
      const V weight = inverse * load<Config>(a.means, item, modes, j);
      for (int v = 0; v < variables; ++v) mean[v] += weight * c[v][j];
    }
  }
  return mean;
}

/// Marks the present step as one that lost a mean. Any thread may.
inline void mark(int* flag) {
#ifdef __CUDACC_RTC__
  *flag = 1;
#else
  __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
#endif
}

/// An element whose solution one thread has, as keep_positive() sees it; shared_element.hpp has one of several threads.
template <class Config>
struct WholeElement {
  using V = typename Config::Value;
  const Item& item;
  Modes<Config>& c;

  template <class Arguments>
  State<Config> mean(const Arguments& a) const {
    return mean_of<Config>(a, item, c);
  }
  template <class F>
  void for_each_point(const F& f) const {
    kernels::for_each_point<Config>(c, f);
  }
  V least(const V& number) const { return number; }
  template <class Mask>
  static bool any_of(const Mask& mask) {
    return any(mask);
  }
  void scale(int v, const V& factor, const State<Config>& mean) {
    if constexpr (has_weighted_mean<Config>()) {
      const V constant = mean[v] * reciprocal(V(mean_scale<Config>()));
      // Not where others of the pack are scaled: the number would be rounded.
      c[v][0] = select(factor < V(1), V(constant + factor * (c[v][0] - constant)), c[v][0]);
    }
    for (int j = 1; j < Config::Operators::modes; ++j) c[v][j] *= factor;
  }
};

/// Scales the modes so that density and pressure at all points are at least a tenth of those of the mean: thinner gas
/// would have waves so fast that steps collapse (docs/theory.md, Positivity).
/// \param a arguments of a kernel with `means` and `mean_lost` \return 1 in the lanes where something was scaled, else
/// 0.
template <class Config, class Arguments, class Element>
typename Config::Value keep_positive(const Arguments& a, Element& element) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  const V floor = number<V>(0.1);
  const State<Config> mean = element.mean(a);
  const V sound = select(Equations::admissible(mean), V(1), V(0));
  if (any(sound < V(1))) mark(a.mean_lost);
  const V mean_pressure = Equations::pressure(mean), least_density = floor * mean[0],
          least_pressure = floor * mean_pressure;

  V thin = V(0);  // 1 where density is scaled, else 0
  V low = V(0);   // the factor where pressure is too low, else 0
  // Once more where density was scaled; in a loop, as compilers take long for the states at all points.
#ifndef __clang__  // which knows both pragmas, and takes only one
#pragma GCC unroll 1
#endif
#pragma unroll 1
  for (int look = 0; look < 2; ++look) {
    V lowest = mean[0], lowest_pressure = mean_pressure;
    element.for_each_point([&](const State<Config>& u) {
      lowest = min(lowest, u[0]);
      lowest_pressure = min(lowest_pressure, Equations::pressure(u));
    });
    lowest = element.least(lowest);
    lowest_pressure = element.least(lowest_pressure);
    // θ (p(ū) − p(u)) ≤ p(ū) − floor at every point: the lowest pressure decides.
    const V falls = select(lowest_pressure < least_pressure, sound, V(0));
    low = select(falls > V(0), V((mean_pressure - least_pressure) / (mean_pressure - lowest_pressure)), V(0));
    if (look == 1) break;
    thin = select(lowest < least_density, sound, V(0));
    if (!element.any_of(thin > V(0))) break;
    element.scale(0, select(thin > V(0), V((mean[0] - least_density) / (mean[0] - lowest)), V(1)), mean);
  }
  if (element.any_of(low > V(0)))
    for (int v = 0; v < Equations::variables; ++v) element.scale(v, select(low > V(0), low, V(1)), mean);
  return max(thin, select(low > V(0), V(1), V(0)));
}

/// Stores modes of degree ≥ 1 and, where the mean of those need not vanish, the constant.
template <class Config>
void store_limited(void* state, const Item& item, const Modes<Config>& c) {
  constexpr int variables = Config::Equations::variables;
#pragma unroll
  for (int j = has_weighted_mean<Config>() ? 0 : 1; j < Config::Operators::modes; ++j) {
    State<Config> mode;
    for (int v = 0; v < variables; ++v) mode[v] = c[v][j];
    store_mode<Config>(state, item, j, mode);
  }
}

/// Adds the elements that were limited and those that were scaled to the counts of the item's block.
/// \param a arguments of a kernel with `counts`, `blocks`, `elements` \param limited, scaled 1 in such lanes, else 0
template <class Config, class Arguments>
void count_limited(const Arguments& a, const Item& item, const typename Config::Value& limited,
                   const typename Config::Value& scaled) {
  using V = typename Config::Value;
  const Integers<Config> own = own_elements<Config>(item);
  const V counted = generate<Config>([&](int i) { return typename Config::Real(own[i] < a.elements ? 1 : 0); });
  const int more_limited = block_count(V(limited * counted) > V(0)),
            more_scaled = block_count(V(scaled * counted) > V(0));
  if (item.lane == 0) {
    a.counts[item.block] += more_limited;
    a.counts[a.blocks + item.block] += more_scaled;
  }
}

}  // namespace galerna::kernels
