/// \file
/// A polytope's block on the diagonal of the matrix, and its right-hand side (docs/theory.md, "Polytopes").
#pragma once

#include "kernels/polytopic/facets.hpp"
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
  typename L::Real block[L::staged ? L::modes * L::modes : 1];
  typename L::Real right_hand_side[L::modes];
};

/// Part 0: b·∇φ + ∂_t φ + c φ; parts 1 … d: a∇φ; with weights.
template <class Case, class L>
void form_fluxes(ModeValues<L>& fluxes, const ModeValues<L>& modes, const Points<L>& points, const Coefficients<L>& c,
                 int count) {
  using V = typename L::Value;
  constexpr int d = L::dimension;
  share_points<L>(L::modes, count, [&](int j, int q) {
    Array<V, d> gradient;
#pragma unroll
    for (int k = 0; k < d; ++k) gradient[k] = load_points<V>(&modes.part[1 + k][j][q]);
    Symmetric<d, V> a;
#pragma unroll
    for (int k = 0; k < a.size(); ++k) a[k] = load_points<V>(&c.diffusion[k][q]);
    const Array<V, d> flux = times_diffusion<d>(a, gradient);
#pragma unroll
    for (int k = 0; k < d; ++k) store_points<V>(&fluxes.part[1 + k][j][q], flux[k]);
    V low = load_points<V>(&c.reaction[q]) * load_points<V>(&modes.part[0][j][q]);
    if constexpr (Case::Data::moves)
#pragma unroll
      for (int k = 0; k < d; ++k) low += load_points<V>(&c.velocity[k][q]) * gradient[k];
    if constexpr (Case::slab) low += load_points<V>(&points.weight[q]) * load_points<V>(&modes.part[1 + d][j][q]);
    store_points<V>(&fluxes.part[0][j][q], low);
  });
}

template <class Case, class L, bool matrix>
void add_volume(DiagonalWork<L>& w, typename L::Real* block, const PolytopicArguments& a, std::int64_t polytope,
                const Box<L>& box) {
  const Times<L> times(a);
  const std::int64_t all = volume_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = volume_points(w.volume.points, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.volume.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count, matrix);
    evaluate_coefficients<Case>(w.volume.coefficients, w.volume.points, count);
    add_integrals<L>(w.modes.part[0], w.volume.coefficients.source, count, w.right_hand_side);
    if constexpr (!matrix) continue;
    form_fluxes<Case>(w.fluxes, w.modes, w.volume.points, w.volume.coefficients, count);
    constexpr int skipped = Case::Data::moves || Case::Data::reacts || Case::slab ? 0 : 1;
    add_products<L>(w.modes.part + skipped, w.fluxes.part + skipped, 1 + L::dimension - skipped, count, block);
  }
}

/// Part 0: c0 φ − c1 n·a∇φ; part 1: −c1 φ, to go with φ and n·a∇φ.
template <class L>
void form_facet_fluxes(ModeValues<L>& fluxes, const ModeValues<L>& modes, const FacetTerms<L>& terms, int count) {
  using V = typename L::Value;
  share_points<L>(L::modes, count, [&](int j, int q) {
    const V value = load_points<V>(&modes.part[0][j][q]), flux = load_points<V>(&modes.part[1][j][q]);
    const V c0 = load_points<V>(&terms.c0[q]), c1 = load_points<V>(&terms.c1[q]);
    store_points<V>(&fluxes.part[0][j][q], c0 * value - c1 * flux);
    store_points<V>(&fluxes.part[1][j][q], -c1 * value);
  });
}

template <class Case, class L, bool matrix>
void add_facets(DiagonalWork<L>& w, typename L::Real* block, const PolytopicArguments& a, std::int64_t polytope,
                const Box<L>& box) {
  const Times<L> times(a);
  const std::int64_t all = own_facet_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = own_facet_points(w.surface.facet, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.surface.facet.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count);
    evaluate_conormals<Case>(w.surface.facet, inside_step<L>(box), count);
    facet_terms<Case>(w.surface.terms, w.surface.facet, count);
    form_normal_fluxes(w.modes, w.surface.facet, count);
    add_integrals<L>(w.modes.part[0], w.surface.terms.r0, count, w.right_hand_side);
    add_integrals<L>(w.modes.part[1], w.surface.terms.r1, count, w.right_hand_side);
    if constexpr (!matrix) continue;
    form_facet_fluxes(w.fluxes, w.modes, w.surface.terms, count);
    add_products<L>(w.modes.part, w.fluxes.part, 2, count, block);
  }
}

/// The upwind term of the time direction at the slab's beginning: ∫ u v there, and ∫ u⁻ v with u⁻ from the slab before
/// or the initial state.
template <class Case, class L, bool matrix>
void add_beginning(DiagonalWork<L>& w, typename L::Real* block, const PolytopicArguments& a, std::int64_t polytope,
                   const Box<L>& box) {
  using V = typename L::Value;
  using Real = typename L::Real;
  const Times<L> times(a.begin);
  const std::int64_t all = volume_point_count<L>(a, polytope, times);
  const Real* previous = static_cast<const Real*>(a.previous) + a.first_unknowns[polytope];
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = volume_points(w.volume.points, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.volume.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count, false);
    share_points<L>(L::modes, count, [&](int j, int q) {
      store_points<V>(&w.fluxes.part[0][j][q],
                      load_points<V>(&w.volume.points.weight[q]) * load_points<V>(&w.modes.part[0][j][q]));
    });
    // At the end of its slab L_k(1) = 1 takes the place of L_k(−1) = (−1)^k at the beginning of this one.
    share_points<L>(1, count, [&](int, int q) {
      V before = V(0);
      if (a.first_slab) {
        const Array<V, 4> x = point_at<V>(w.volume.points, q);
        before = Case::Data::template initial<V>(x[0], x[1], x[2], x[3]);
      } else {
        for (int j = 0; j < L::modes; ++j) {
          const V value = load_points<V>(&w.modes.part[0][j][q]);
          before += number<V>(double(Case::mode(L::dimension, j) % 2 ? -previous[j] : previous[j])) * value;
        }
      }
      store_points<V>(&w.volume.coefficients.source[q], before * load_points<V>(&w.volume.points.weight[q]));
    });
    add_integrals<L>(w.modes.part[0], w.volume.coefficients.source, count, w.right_hand_side);
    if constexpr (matrix) add_products<L>(w.modes.part, w.fluxes.part, 1, count, block);
  }
}

/// The block of polytope list[item] on the diagonal and its right-hand side; without `matrix` the latter alone.
template <class Case, int degree, bool matrix>
void diagonal(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Case, degree>;
  using Real = typename L::Real;
#ifdef __CUDACC_RTC__
  __shared__ DiagonalWork<L> w;
#else
  DiagonalWork<L> w;
#endif
  constexpr int n = L::modes;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  Real* values = static_cast<Real*>(a.values) + (matrix ? a.diagonal_blocks[polytope] : 0);
  Real* block = L::staged ? w.block : values;
  if constexpr (matrix) share<L>(n * n, [&](int k) { block[k] = Real(0); });
  share<L>(n, [&](int k) { w.right_hand_side[k] = Real(0); });
  add_volume<Case, L, matrix>(w, block, a, polytope, box);
  if constexpr (Case::slab) add_beginning<Case, L, matrix>(w, block, a, polytope, box);
  add_facets<Case, L, matrix>(w, block, a, polytope, box);
  if constexpr (matrix && L::staged) share<L>(n * n, [&](int k) { values[k] = block[k]; });
  Real* right_hand_side = static_cast<Real*>(a.right_hand_side) + a.first_unknowns[polytope];
  share<L>(n, [&](int k) { right_hand_side[k] = w.right_hand_side[k]; });
}

}  // namespace galerna::kernels::polytopic
