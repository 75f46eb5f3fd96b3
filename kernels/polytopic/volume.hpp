/// \file
/// A polytope's block on the diagonal of the matrix, and its right-hand side (docs/theory.md, "Polytopes").
#pragma once

#include "kernels/polytopic/batches.hpp"
#include "kernels/polytopic/product.hpp"

namespace galerna::kernels::polytopic {

/// Team memory of `diagonal`.
template <class L>
struct DiagonalWork {
  ModeValues<L> modes, fluxes;
  Lines<L> lines;
  union {
    struct {
      Points<L> points;
      Coefficients<L> coefficients;
    } volume;
    struct {
      FacetPoints<L> facet;
      FacetTerms<L> terms;
    } surface;
  };
  Sum<L> block[L::staged ? L::modes * L::modes : 1];                 ///< on the CPU below the diagonal alone
  Sum<L> low[L::on_host && L::low_order ? L::modes * L::modes : 1];  ///< there terms beside diffusion
  Sum<L> right_hand_side[L::modes];
};

/// Part 0: b·∇φ + ∂_t φ + c φ; parts 1 … d: a∇φ; with weights.
template <class Config, class L>
void form_fluxes(ModeValues<L>& fluxes, const ModeValues<L>& modes, const Points<L>& points, const Coefficients<L>& c,
                 int count) {
  using V = typename L::Value;
  constexpr int d = L::dimension;
  share_points<L>(L::modes, count, [&](int j, int q) {
    Array<V, d> gradient;
#pragma unroll
    for (int k = 0; k < d; ++k) gradient[k] = load_lanes<V>(&modes.part[1 + k][j][q]);
    Symmetric<d, V> a;
#pragma unroll
    for (int k = 0; k < a.size(); ++k) a[k] = load_lanes<V>(&c.diffusion[k][q]);
    const Array<V, d> flux = times_diffusion<d>(a, gradient);
#pragma unroll
    for (int k = 0; k < d; ++k) store_lanes<V>(&fluxes.part[1 + k][j][q], flux[k]);
    V low = load_lanes<V>(&c.reaction[q]) * load_lanes<V>(&modes.part[0][j][q]);
    if constexpr (Config::Data::moves)
#pragma unroll
      for (int k = 0; k < d; ++k) low += load_lanes<V>(&c.velocity[k][q]) * gradient[k];
    if constexpr (Config::slab) low += load_lanes<V>(&points.weight[q]) * load_lanes<V>(&modes.part[1 + d][j][q]);
    store_lanes<V>(&fluxes.part[0][j][q], low);
  });
}

template <class Config, class L, bool matrix>
void add_volume(DiagonalWork<L>& w, Sum<L>* block, const PolytopicArguments& a, std::int64_t polytope,
                const Box<L>& box) {
  const auto add_batch = [&](int count) {
    evaluate_coefficients<Config>(w.volume.coefficients, w.volume.points, count);
    add_integrals<L>(w.modes.part[0], w.volume.coefficients.source, count, w.right_hand_side);
    if constexpr (!matrix) return;
    form_fluxes<Config>(w.fluxes, w.modes, w.volume.points, w.volume.coefficients, count);
    constexpr bool apart = L::on_host && L::low_order;
    constexpr int first = !apart && L::low_order ? 0 : 1;
    add_products<L, L::on_host>(w.modes.part + first, w.fluxes.part + first, 1 + L::dimension - first, count,
                                into<L>(block));
    if constexpr (apart) add_products<L, !L::flows>(w.modes.part, w.fluxes.part, 1, count, into<L>(w.low));
  };
  for_each_volume_batch<Config>(w.volume.points, w.lines, w.modes, a, polytope, box, Times<L>(a), matrix, add_batch);
}

/// Part 0: c0 φ − c1 n·a∇φ; part 1: −c1 φ, to go with φ and n·a∇φ.
template <class L>
void form_facet_fluxes(ModeValues<L>& fluxes, const ModeValues<L>& modes, const FacetTerms<L>& terms, int count) {
  using V = typename L::Value;
  share_points<L>(L::modes, count, [&](int j, int q) {
    const V value = load_lanes<V>(&modes.part[0][j][q]), flux = load_lanes<V>(&modes.part[1][j][q]);
    const V c0 = load_lanes<V>(&terms.c0[q]), c1 = load_lanes<V>(&terms.c1[q]);
    store_lanes<V>(&fluxes.part[0][j][q], c0 * value - c1 * flux);
    store_lanes<V>(&fluxes.part[1][j][q], -c1 * value);
  });
}

template <class Config, class L, bool matrix>
void add_facets(DiagonalWork<L>& w, Sum<L>* block, const PolytopicArguments& a, std::int64_t polytope,
                const Box<L>& box) {
  for_each_own_facet_batch<Config>(w.surface.facet, w.lines, w.modes, a, polytope, box, [&](int count) {
    facet_terms<Config>(w.surface.terms, w.surface.facet, count);
    form_normal_fluxes(w.modes, w.surface.facet, count);
    add_integrals<L>(w.modes.part[0], w.surface.terms.r0, count, w.right_hand_side);
    add_integrals<L>(w.modes.part[1], w.surface.terms.r1, count, w.right_hand_side);
    if constexpr (!matrix) return;
    form_facet_fluxes(w.fluxes, w.modes, w.surface.terms, count);
    add_products<L, L::on_host>(w.modes.part, w.fluxes.part, 2, count, into<L>(block));
  });
}

/// The upwind term of the time direction at the slab's beginning: ∫ u v there, and ∫ u⁻ v with u⁻ from the slab before
/// or the initial state.
template <class Config, class L, bool matrix>
void add_beginning(DiagonalWork<L>& w, Sum<L>* block, const PolytopicArguments& a, std::int64_t polytope,
                   const Box<L>& box) {
  using V = typename L::Value;
  const auto add_batch = [&](int count) {
    share_points<L>(L::modes, count, [&](int j, int q) {
      store_lanes<V>(&w.fluxes.part[0][j][q],
                     load_lanes<V>(&w.volume.points.weight[q]) * load_lanes<V>(&w.modes.part[0][j][q]));
    });
    share_points<L>(1, count, [&](int, int q) {
      const V before = value_before<Config, L, V>(w.modes, a, polytope, q, [&] {
        const Array<V, 4> x = point_at<V>(w.volume.points, q);
        return Config::Data::template initial<V>(x[0], x[1], x[2], x[3]);
      });
      store_lanes<V>(&w.volume.coefficients.source[q], before * load_lanes<V>(&w.volume.points.weight[q]));
    });
    add_integrals<L>(w.modes.part[0], w.volume.coefficients.source, count, w.right_hand_side);
    if constexpr (matrix) add_products<L, L::on_host>(w.modes.part, w.fluxes.part, 1, count, into<L>(block));
  };
  for_each_volume_batch<Config>(w.volume.points, w.lines, w.modes, a, polytope, box, Times<L>(a.begin), false,
                                add_batch);
}

/// The sums of the block, where they are not in the matrix already.
/// \tparam add to what is there \tparam low whether there are such terms
template <bool add, bool low, class L>
void store_block(const DiagonalWork<L>& w, typename L::Real* values) {
  using Real = typename L::Real;
  constexpr int n = L::modes;
  if constexpr (L::on_host) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        Real sum = total<L>(w.block[i * n + j]);
        if constexpr (low && !L::flows) sum += total<L>(w.low[i * n + j]);
        values[i * n + j] = add ? values[i * n + j] + sum : sum;
        if (j < i) values[j * n + i] = add ? values[j * n + i] + sum : sum;
      }
    if constexpr (low && L::flows)
      for (int k = 0; k < n * n; ++k) values[k] += total<L>(w.low[k]);
  } else if constexpr (L::staged) {
    share<L>(n * n, [&](int k) { values[k] = w.block[k]; });
  }
}

template <bool matrix, class L>
void clear(DiagonalWork<L>& w, Sum<L>* block) {
  if constexpr (matrix) set_to_zero<L>(block, L::modes * L::modes);
  if constexpr (matrix && L::on_host && L::low_order) set_to_zero<L>(w.low, L::modes * L::modes);
  set_to_zero<L>(w.right_hand_side, L::modes);
}

/// The block of polytope list[item] on the diagonal and its right-hand side; without `matrix` the latter alone.
template <class Config, int degree, bool matrix>
void diagonal(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
  using Real = typename L::Real;
#ifdef __CUDACC_RTC__
  __shared__ DiagonalWork<L> w;
#else
  DiagonalWork<L> w;
#endif
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  Real* values = static_cast<Real*>(a.values) + (matrix ? a.diagonal_blocks[polytope] : 0);
  Sum<L>* block = w.block;
  if constexpr (!L::staged) block = values;
  clear<matrix>(w, block);
  add_volume<Config, L, matrix>(w, block, a, polytope, box);
  if constexpr (Config::slab) add_beginning<Config, L, matrix>(w, block, a, polytope, box);
  add_facets<Config, L, matrix>(w, block, a, polytope, box);
  if constexpr (matrix) store_block<false, L::low_order>(w, values);
  Real* right_hand_side = static_cast<Real*>(a.right_hand_side) + a.first_unknowns[polytope];
  share<L>(L::modes, [&](int k) { right_hand_side[k] = total<L>(w.right_hand_side[k]); });
}

}  // namespace galerna::kernels::polytopic
