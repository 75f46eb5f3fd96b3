/// \file
/// A warp's part of shared memory in tile/viscous_warp_residual.hpp, and gradients with lifted jumps (viscous.hpp) by
/// matrix products.
///
/// Jumps are u⁺ − u⁻ with u⁺ as stored, on the boundary 2 u_b − u⁻. Of straight elements u⁻ is a combination of modes:
/// lifting is a product of an operator with u⁺, and one with the modes that is part of the derivative's. Liftings are
/// scalars times a side's normal, n ds/|J| = Σ_d N_d ∇ξ_d with constants N of the reference tetrahedron: ½ for all d on
/// side 0, −½ for d on side d + 1 and 0 for others. So they are added to the reference gradients, what side 0 adds
/// being the same for all. Of curved elements the jumps take the place of u⁺, times |J|^{-½}, and their products with
/// the normals at points, one for each direction, are lifted.
///
/// Two points of a thread, one beside the other, are 2 · variables numbers that begin at a multiple of 16 bytes:
/// viscous fluxes and the next traces need no way through shared memory.
#pragma once

#include "kernels/tile/tile_geometry.hpp"
#include "kernels/tile/viscous_warp_sizes.hpp"

namespace galerna::kernels {

/// States at the two points of a thread.
template <class Config>
using TwoStates = Array<double, 2 * Config::Equations::variables>;

template <class Config>
TileState<Config> one_of(const TwoStates<Config>& two, int which) {
  constexpr int variables = Config::Equations::variables;
  TileState<Config> one;
#pragma unroll
  for (int v = 0; v < variables; ++v) one[v] = two[which * variables + v];
  return one;
}

template <class Config>
TwoStates<Config> two_of(const ResultBlock<Config::Equations::variables>& block) {
  constexpr int variables = Config::Equations::variables;
  TwoStates<Config> two;
#pragma unroll
  for (int k = 0; k < two.size(); ++k) two[k] = block[k / variables][k % variables];
  return two;
}

/// [direction][variable]
template <class Config>
using TileGradients = Array<TileState<Config>, Config::Equations::dimension>;

template <class Config>
class ViscousWarpTile : public WarpTile<Config, ViscousWarpSizes> {
 public:
  using Base = WarpTile<Config, ViscousWarpSizes>;
  using Base::Base, Base::sizes, Base::dimension, Base::variables, Base::sides, Base::side_points;
  using Left = LeftBlock<variables>;
  static constexpr int eights = sizes.trace_points().eights();
  static_assert(sizes.fit());

  /// Begins to bring what the sides need. \param slot slot_beyond()
  void begin_sides(std::int32_t slot) const {
    Base::store_slots(slot);
    copy_all_traces();
    fetch_fluxes(0);
    fetch_fluxes(1);
  }

  /// Begins to copy the states beyond all points of the sides.
  void copy_all_traces() const {
#pragma unroll 1
    for (int n = 0; n < eights; ++n) Base::copy_traces(n);
  }

  /// Of straight elements: normals, and the gradients of reference coordinates.
  void store_geometry() const {
    if constexpr (!Config::affine) return;
    Array<typename Base::DirectionVector, dimension> gradients;
#pragma unroll
    for (int d = 0; d < dimension; ++d) gradients[d] = Base::gradient(d);
    Base::normals().store(Base::part(), [&](int d) { return gradients[d]; });
    if (Base::part() == 0)
#pragma unroll
      for (int k = 0; k < dimension * dimension; ++k)
        Base::memory_[sizes.metric() + 8 * k + Base::own()] = gradients[k / dimension][k % dimension];
  }

  /// ∂ξ_d/∂x_k of straight elements
  double metric(int d, int k) const {
    return Base::memory_[sizes.metric() + 8 * (d * dimension + k) + Base::own()];
  }
  typename Base::DirectionVector gradient(int d) const {
    typename Base::DirectionVector result;
#pragma unroll
    for (int k = 0; k < dimension; ++k) result[k] = metric(d, k);
    return result;
  }

  /// The state beyond point 4k + t of the sides of thread t.
  Left beyond(int k) const {
    return load_together<double, variables>(Base::trace(k / 2, k % 2 * 4 + Base::part()));
  }

  /// Where the state beyond one of the thread's two points of eight lies, or of curved elements what store_jump() left.
  double* opposite(int n, int odd) const {
    return Base::trace(n, 2 * Base::part() + odd);
  }
  /// Leaves |J|^{-½} (u⁺ − u⁻) there. \param inside u⁻
  void store_jump(int n, int odd, const TileState<Config>& inside) const {
    auto jump = load_together<double, variables>(opposite(n, odd));
    const double root = Base::metric_at(Base::rows.side_roots(n), odd);
#pragma unroll
    for (int v = 0; v < variables; ++v) jump[v] = root * (jump[v] - inside[v]);
    store_together(opposite(n, odd), jump);
  }

  /// The first of the thread's two points of eight.
  int point(int n) const {
    return 8 * n + 2 * Base::part();
  }
  int side(int n) const {
    return point(n) / side_points;
  }
  /// Where the states of the thread's two points of eight begin among traces, its own or those beyond.
  std::int64_t own_traces(int n) const {
    return trace_offset<Config>(Base::a_.faces[0].first_slot + side_slot<Config>(Base::item(), side(n)),
                                point(n) % side_points);
  }
  std::int64_t traces_beyond(int n) const {
    return trace_offset<Config>(Base::slot_at(side(n)), point(n) % side_points);
  }
  bool on_boundary(int n) const {
    return Base::slot_at(side(n)) >= Base::a_.faces[0].first_ghost;
  }

  /// Asks the second-level cache for the viscous fluxes at the thread's points.
  void fetch_fluxes(int n) const {
    fetch_line(static_cast<const double*>(Base::a_.faces[0].viscous_traces) + own_traces(n));
    fetch_line(static_cast<const double*>(Base::a_.faces[0].viscous_traces) + traces_beyond(n));
  }
};

/// results[k] += modes · operator number k, for the eight points number n. \param first where these operators begin
template <class Config, int count>
void add_from_modes(Array<ResultBlock<Config::Equations::variables>, count>& results,
                    const ViscousWarpTile<Config>& tile, const Fragments& fragments, int first, const Columns& points,
                    int n) {
  constexpr int fours = element_counts<Config>().modes().fours();
#pragma unroll
  for (int i = 0; i < fours; ++i) {
    const auto left = tile.modes(i);
#pragma unroll
    for (int k = 0; k < count; ++k)
      multiply_add(results[k], left, fragments(first + (k * points.eights() + n) * fours + i));
  }
}

/// Σ_d ∇ξ_d g_d at one of the thread's points, [direction][variable]. \param metric of d, k: ∂ξ_d/∂x_k.
/// \param reference [d] g_d
template <class Config, class Metric>
TileGradients<Config> physical_gradients(const Metric& metric, const TileGradients<Config>& reference) {
  constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;
  TileGradients<Config> result;
#pragma unroll
  for (int k = 0; k < dimension; ++k) {
#pragma unroll
    for (int v = 0; v < variables; ++v) result[k][v] = 0;
#pragma unroll
    for (int d = 0; d < dimension; ++d) {
      const double factor = metric(d, k);
#pragma unroll
      for (int v = 0; v < variables; ++v) result[k][v] += factor * reference[d][v];
    }
  }
  return result;
}

/// One of the thread's two points of such blocks, one for each direction.
template <class Config>
TileGradients<Config> gradients_of(const ResultBlock<Config::Equations::variables>* blocks, int odd) {
  TileGradients<Config> result;
#pragma unroll
  for (int d = 0; d < result.size(); ++d) result[d] = blocks[d][odd];
  return result;
}

/// lifted[d] += what the jumps at eight points of the sides (store_jump()) lift along direction d.
/// \param fragment the operator's number of the even ones of the points; that of the odd ones follows
template <class Config>
void add_lifted(Array<ResultBlock<Config::Equations::variables>, Config::Equations::dimension>& lifted,
                const ViscousWarpTile<Config>& tile, int n, const Fragments& fragments, int fragment) {
  const auto normals = normals_of<Config>(tile, n);
#pragma unroll
  for (int odd = 0; odd < 2; ++odd) {
    const auto jump = load_together<double, Config::Equations::variables>(tile.opposite(n, odd));
    const double right = fragments(fragment + odd);
#pragma unroll
    for (int d = 0; d < lifted.size(); ++d) {
      auto along = jump;
#pragma unroll
      for (int v = 0; v < along.size(); ++v) along[v] *= normals[odd][d];
      multiply_add(lifted[d], along, right);
    }
  }
}

/// u⁻ and ∇u + η r_e at the thread's two points of eight of the sides e.
/// \tparam affine jumps are lifted with the normal of the side; where curved, with those at all points of it.
template <class Config, bool affine = Config::affine>
class SideGradients {
 public:
  static constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  static constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;

  /// \param lift fragment of the states beyond, left behind those that were used
  SideGradients(const ViscousWarpTile<Config>& tile, const Fragments& fragments, int n, int& lift) : tile_(tile) {
#pragma unroll
    for (int k = 0; k < results_.size(); ++k) results_[k] = zero_block<variables>();
    add_from_modes<Config>(results_, tile, fragments, 0, sizes.trace_points(), n);
    for (int k = sizes.first_four_at(n); k <= sizes.last_four_at(n); ++k)
      multiply_add(results_[1], tile.beyond(k), fragments(lift++));
  }
  TileState<Config> state(int odd) const {
    return results_[0][odd];
  }
  TileGradients<Config> gradients(const SideMetric<Config>& metric, int odd) const {
    const auto normal = metric.normal(odd);
    const double factor = Config::penalty * metric.length(odd);
    const auto lifted = results_[1][odd];
    auto result = physical_gradients<Config>([&](int d, int k) { return tile_.metric(d, k); },
                                             gradients_of<Config>(results_.values + 2, odd));
#pragma unroll
    for (int k = 0; k < dimension; ++k)
#pragma unroll
      for (int v = 0; v < variables; ++v) result[k][v] += factor * normal[k] * lifted[v];
    return result;
  }

 private:
  const ViscousWarpTile<Config>& tile_;
  Array<ResultBlock<variables>, 2 + dimension> results_;  ///< values, lifted jumps over ds/|J|, reference gradients
};

template <class Config>
class SideGradients<Config, false> {
 public:
  static constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  static constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;

  /// \param lift fragment of the jumps, left behind those that were used
  SideGradients(const ViscousWarpTile<Config>& tile, const Fragments& fragments, int n, int& lift)
      : tile_(tile), n_(n) {
#pragma unroll
    for (int k = 0; k < results_.size(); ++k) results_[k] = zero_block<variables>();
#pragma unroll
    for (int d = 0; d < dimension; ++d) lifted_[d] = zero_block<variables>();
    add_from_modes<Config>(results_, tile, fragments, 0, sizes.trace_points(), n);
#pragma unroll 1
    for (int m = sizes.first_eight_at(n); m <= sizes.last_eight_at(n); ++m, lift += 2)
      add_lifted<Config>(lifted_, tile, m, fragments, lift);
  }
  TileState<Config> state(int odd) const {
    return results_[0][odd];
  }
  TileGradients<Config> gradients(const SideMetric<Config>&, int odd) const {
    const int first = tile_.rows.side_gradients(n_);
    auto result =
        physical_gradients<Config>([&](int d, int k) { return tile_.metric_at(first + 64 * (d * dimension + k), odd); },
                                   gradients_of<Config>(results_.values + 1, odd));
    const double factor = Config::penalty * tile_.metric_at(tile_.rows.side_roots(n_), odd);
#pragma unroll
    for (int k = 0; k < dimension; ++k)
#pragma unroll
      for (int v = 0; v < variables; ++v) result[k][v] += factor * lifted_[k][odd][v];
    return result;
  }

 private:
  const ViscousWarpTile<Config>& tile_;
  int n_;
  Array<ResultBlock<variables>, 1 + dimension> results_;  ///< values, reference gradients
  Array<ResultBlock<variables>, dimension> lifted_;       ///< r_e |J|^½
};

/// u and z = ∇u + Σ_e r_e at the thread's two volume points of eight.
template <class Config, bool affine = Config::affine>
class PointGradients {
 public:
  static constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  static constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;

  PointGradients(const ViscousWarpTile<Config>& tile, const Fragments& fragments, int n,
                 const VolumeMetric<ViscousWarpTile<Config>>&)
      : tile_(tile) {
    results_[0] = results_[1] = zero_block<variables>();
    const int lift = sizes.point_lift() + n * sizes.side_fours();
    int at = 0;
#pragma unroll
    for (int side = 0; side <= dimension; ++side) {
      if (side == 1)
#pragma unroll
        for (int d = 1; d < dimension; ++d) results_[1 + d] = results_[1];
#pragma unroll
      for (int k = sizes.first_four(side); k <= sizes.last_four(side); ++k)
        multiply_add(results_[side == 0 ? 1 : side], tile.beyond(k), fragments(lift + at++));
    }
    add_from_modes<Config>(results_, tile, fragments, sizes.values(), sizes.volume_points(), n);
  }
  TileState<Config> state(int odd) const {
    return results_[0][odd];
  }
  TileGradients<Config> gradients(int odd) const {
    return physical_gradients<Config>([&](int d, int k) { return tile_.metric(d, k); },
                                      gradients_of<Config>(results_.values + 1, odd));
  }

 private:
  const ViscousWarpTile<Config>& tile_;
  Array<ResultBlock<variables>, 1 + dimension> results_;  ///< values, reference gradients
};

template <class Config>
class PointGradients<Config, false> {
 public:
  static constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  static constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;

  PointGradients(const ViscousWarpTile<Config>& tile, const Fragments& fragments, int n,
                 const VolumeMetric<ViscousWarpTile<Config>>& metric) {
    constexpr Columns points = sizes.volume_points();
#pragma unroll
    for (int d = 0; d < dimension; ++d) gradients_[d] = zero_block<variables>();
    values_[0] = zero_block<variables>();
    constexpr int derivatives = sizes.values() + points.eights() * sizes.modes().fours();
    add_from_modes<Config>(gradients_, tile, fragments, derivatives, points, n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      // ∇u = 1/|J| Σ_d |J| ∇ξ_d ∂u/∂ξ_d, here over |J|^{-½}, which comes with what is lifted.
      roots_[odd] = positive_sqrt(*tile.metric_at(tile.rows.inverses(2 * n + odd)));
      const auto physical =
          physical_gradients<Config>([&](int d, int k) { return roots_[odd] * metric.along(odd, d)[k]; },
                                     gradients_of<Config>(gradients_.values, odd));
#pragma unroll
      for (int d = 0; d < dimension; ++d) gradients_[d][odd] = physical[d];
    }
    const int lift = sizes.point_lift() + n * sizes.point_lift_fours();
#pragma unroll 1
    for (int m = 0; m < sizes.trace_points().eights(); ++m)
      add_lifted<Config>(gradients_, tile, m, fragments, lift + 2 * m);
    add_from_modes<Config>(values_, tile, fragments, sizes.values(), points, n);
  }
  TileState<Config> state(int odd) const {
    return values_[0][odd];
  }
  TileGradients<Config> gradients(int odd) const {
    TileGradients<Config> result = gradients_of<Config>(gradients_.values, odd);
#pragma unroll
    for (int d = 0; d < dimension; ++d)
#pragma unroll
      for (int v = 0; v < variables; ++v) result[d][v] *= roots_[odd];
    return result;
  }

 private:
  Array<ResultBlock<variables>, 1> values_;
  Array<ResultBlock<variables>, dimension> gradients_;  ///< z |J|^½
  Array<double, 2> roots_;                              ///< |J|^{-½}
};

}  // namespace galerna::kernels
