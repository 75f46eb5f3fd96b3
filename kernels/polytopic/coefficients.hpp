/// \file
/// The case's formulas at points.
#pragma once

#include "kernels/polytopic/basis.hpp"

namespace galerna::kernels::polytopic {

/// Number of the entry (k, l) of a symmetric tensor stored as xx, xy, yy or xx, xy, xz, yy, yz, zz.
constexpr int symmetric_entry(int dimension, int k, int l) {
  const int low = k < l ? k : l, high = k < l ? l : k;
  return low * dimension - low * (low - 1) / 2 + high - low;
}

template <int d, class V>
using Symmetric = Array<V, d*(d + 1) / 2>;

/// x, y, z, t of point q, or of the pack that begins there.
template <class V, class L>
Array<V, 4> point_at(const Points<L>& points, int q) {
  return {{load_lanes<V>(&points.place[0][q]), load_lanes<V>(&points.place[1][q]), load_lanes<V>(&points.place[2][q]),
           load_lanes<V>(&points.time[q])}};
}

template <class Config, class V>
Symmetric<Config::dimension, V> diffusion_at(const Array<V, 4>& x) {
  Symmetric<Config::dimension, V> a;
  Config::Data::template diffusion<V>(x[0], x[1], x[2], x[3], a);
  return a;
}

template <class Config, class V>
Array<V, Config::dimension> velocity_at(const Array<V, 4>& x) {
  Array<V, Config::dimension> b;
  Config::Data::template velocity<V>(x[0], x[1], x[2], x[3], b);
  return b;
}

/// a v
template <int d, class V>
Array<V, d> times_diffusion(const Symmetric<d, V>& a, const Array<V, d>& v) {
  Array<V, d> result;
#pragma unroll
  for (int k = 0; k < d; ++k) {
    result[k] = V(0);
#pragma unroll
    for (int l = 0; l < d; ++l) result[k] += a[symmetric_entry(d, k, l)] * v[l];
  }
  return result;
}

/// Coefficients at a batch of points, times the points' weights.
template <class L>
struct Coefficients {
  PointValues<L> diffusion[L::dimension * (L::dimension + 1) / 2], velocity[L::dimension], reaction, source;
};

template <class Config, class L>
void evaluate_coefficients(Coefficients<L>& c, const Points<L>& points, int count) {
  using V = typename L::Value;
  using Data = typename Config::Data;
  share_points<L>(1, count, [&](int, int q) {
    const Array<V, 4> x = point_at<V>(points, q);
    const V weight = load_lanes<V>(&points.weight[q]);
    const auto diffusion = diffusion_at<Config, V>(x);
    for (int k = 0; k < diffusion.size(); ++k) store_lanes<V>(&c.diffusion[k][q], weight * diffusion[k]);
    if constexpr (Data::moves) {
      const auto velocity = velocity_at<Config, V>(x);
      for (int k = 0; k < velocity.size(); ++k) store_lanes<V>(&c.velocity[k][q], weight * velocity[k]);
    }
    store_lanes<V>(&c.reaction[q], weight * Data::template reaction<V>(x[0], x[1], x[2], x[3]));
    store_lanes<V>(&c.source[q], weight * Data::template source<V>(x[0], x[1], x[2], x[3]));
  });
}

}  // namespace galerna::kernels::polytopic
