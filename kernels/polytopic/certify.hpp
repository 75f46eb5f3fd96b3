/// \file
/// λ_κ = max over v in P_p(κ) of Σ_F m_F ∫_F (n·a∇v)² / ∫_κ a∇v·∇v, m_F = 1 between polytopes, 2 where u is given, 0
/// where the flux is (docs/theory.md, "The certified penalty").
#pragma once

#include "kernels/polytopic/eigenvalue.hpp"
#include "kernels/polytopic/facets.hpp"
#include "kernels/polytopic/product.hpp"

namespace galerna::kernels::polytopic {

/// Team memory of `certify`.
template <class L>
struct CertifyWork {
  ModeValues<L> modes, fluxes;
  Lines<L> lines;
  union {
    struct {
      Points<L> points;
      Coefficients<L> coefficients;
    } volume;
    FacetPoints<L> facet;
    EigenvalueWork<L::modes - 1> eigenvalue;
  };
  double sums[L::staged ? L::modes * L::modes : 1];
};

/// Adds Σ_q p(i) q(j) to a triangle of the pair of matrices; the constant mode is left out.
template <class L>
void add_to_pair(double* pair, bool upper, const PointValues<L> (*p)[L::modes], const PointValues<L> (*q)[L::modes],
                 int parts, int count) {
  using V = typename L::Value;
  constexpr int n = L::modes - 1;
  share<L>(n * n, [&](int k) {
    const int i = k / n, j = k % n;
    if (j > i) return;
    V sum = V(0);
    for (int part = 0; part < parts; ++part)
      for (int point = 0; point < count; point += L::width)
        sum += load_points<V>(&p[part][1 + i][point]) * load_points<V>(&q[part][1 + j][point]);
    const MatrixPair<n> m{pair};
    (upper ? m.s(j, i) : m.k(i, j)) += lane_sum(sum);
  });
}

template <class Case, class L>
void add_stiffness(CertifyWork<L>& w, double* pair, const PolytopicArguments& a, std::int64_t polytope,
                   const Box<L>& box) {
  using V = typename L::Value;
  constexpr int d = L::dimension;
  const Times<L> times(a);
  const std::int64_t all = volume_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = volume_points(w.volume.points, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.volume.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count);
    evaluate_coefficients<Case>(w.volume.coefficients, w.volume.points, count);
    share_points<L>(L::modes, count, [&](int j, int q) {
      Array<V, d> gradient;
      for (int k = 0; k < d; ++k) gradient[k] = load_points<V>(&w.modes.part[1 + k][j][q]);
      Symmetric<d, V> tensor;
      for (int k = 0; k < tensor.size(); ++k) tensor[k] = load_points<V>(&w.volume.coefficients.diffusion[k][q]);
      const Array<V, d> flux = times_diffusion<d>(tensor, gradient);
      for (int k = 0; k < d; ++k) store_points<V>(&w.fluxes.part[1 + k][j][q], flux[k]);
    });
    add_to_pair<L>(pair, false, w.modes.part + 1, w.fluxes.part + 1, d, count);
  }
}

template <class Case, class L>
void add_normal_fluxes(CertifyWork<L>& w, double* pair, const PolytopicArguments& a, std::int64_t polytope,
                       const Box<L>& box) {
  using V = typename L::Value;
  using Real = typename L::Real;
  const Times<L> times(a);
  const std::int64_t all = own_facet_point_count<L>(a, polytope, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = own_facet_points(w.facet, a, polytope, box, times, first);
    evaluate_lines(w.lines, w.facet.points, box, count);
    evaluate_modes<Case>(w.modes, w.lines, count);
    evaluate_conormals<Case>(w.facet, inside_step<L>(box), count);
    form_normal_fluxes(w.modes, w.facet, count);
    share<L>(count, [&](int q) {
      const int boundary = w.facet.boundary[q];
      if (boundary < 0) return;
      const bool given = Case::Data::boundary_type(boundary) == BoundaryType::dirichlet;
      w.facet.points.weight[q] *= Real(given ? 2 : 0);
    });
    share_points<L>(L::modes, count, [&](int j, int q) {
      store_points<V>(&w.fluxes.part[1][j][q],
                      load_points<V>(&w.facet.points.weight[q]) * load_points<V>(&w.modes.part[1][j][q]));
    });
    add_to_pair<L>(pair, true, w.modes.part + 1, w.fluxes.part + 1, 1, count);
  }
}

/// λ of polytope list[item]. \tparam Case of double precision
template <class Case, int degree>
void certify(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Case, degree>;
#ifdef __CUDACC_RTC__
  __shared__ CertifyWork<L> w;
#else
  CertifyWork<L> w;
#endif
  constexpr int n = L::modes;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  double* pair = L::staged ? w.sums : a.scratch + item * n * n;
  share<L>(n * n, [&](int k) { pair[k] = 0; });
  add_stiffness<Case>(w, pair, a, polytope, box);
  add_normal_fluxes<Case>(w, pair, a, polytope, box);
  const double largest = largest_generalized_eigenvalue<L, n - 1>(pair, w.eigenvalue);
  if (team_rank() == 0) a.eigenvalues[polytope] = largest;
}

}  // namespace galerna::kernels::polytopic
