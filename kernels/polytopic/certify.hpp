/// \file
/// λ_κ = max over v in P_p(κ) of Σ_F m_F ∫_F (n·a∇v)² / ∫_κ a∇v·∇v, m_F = 1 between polytopes, 2 where u is given, 0
/// where the flux is (docs/theory.md, "The certified penalty").
#pragma once

#include "kernels/polytopic/batches.hpp"
#include "kernels/polytopic/eigenvalue.hpp"
#include "kernels/polytopic/product.hpp"
#ifdef __CUDACC_RTC__
#include "kernels/polytopic/team_eigenvalue.hpp"
#endif

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
  static constexpr int own = L::on_host && L::modes > 1 ? (L::modes - 1) * (L::modes - 1) : 1;
  Sum<L> stiffness[own], surface[own];  ///< on the CPU, before they come into `sums`
};

/// To add to one of the pair of matrices: on the CPU by way of sums over packs.
template <class L>
auto into_pair(Sum<L>* sums, double* pair, bool upper) {
  constexpr int n = L::modes - 1;
  return [=](int i, int j, const typename L::Value& sum) {
    if constexpr (L::on_host) {
      add_to<L>(sums[i * n + j], sum);
    } else {
      const MatrixPair<n> m{pair};
      (upper ? m.s(j, i) : m.k(i, j)) += sum;
    }
  };
}

template <class Config, class L>
void add_stiffness(CertifyWork<L>& w, double* pair, const PolytopicArguments& a, std::int64_t polytope,
                   const Box<L>& box) {
  using V = typename L::Value;
  constexpr int d = L::dimension;
  const auto add_batch = [&](int count) {
    evaluate_coefficients<Config>(w.volume.coefficients, w.volume.points, count);
    share_points<L>(L::modes, count, [&](int j, int q) {
      Array<V, d> gradient;
      for (int k = 0; k < d; ++k) gradient[k] = load_lanes<V>(&w.modes.part[1 + k][j][q]);
      Symmetric<d, V> tensor;
      for (int k = 0; k < tensor.size(); ++k) tensor[k] = load_lanes<V>(&w.volume.coefficients.diffusion[k][q]);
      const Array<V, d> flux = times_diffusion<d>(tensor, gradient);
      for (int k = 0; k < d; ++k) store_lanes<V>(&w.fluxes.part[1 + k][j][q], flux[k]);
    });
    add_products<L, true, 1>(w.modes.part + 1, w.fluxes.part + 1, d, count, into_pair<L>(w.stiffness, pair, false));
  };
  for_each_volume_batch<Config>(w.volume.points, w.lines, w.modes, a, polytope, box, Times<L>(a), true, add_batch);
}

/// add(i, j, sum) for the sums of m_F ∫_F n·a∇φ_i n·a∇φ_j, without the constant mode.
template <class Config, class L, class Add>
void add_normal_fluxes(FacetPoints<L>& facet, Lines<L>& lines, ModeValues<L>& modes, ModeValues<L>& fluxes,
                       const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box, const Add& add) {
  using V = typename L::Value;
  using Real = typename L::Real;
  for_each_own_facet_batch<Config>(facet, lines, modes, a, polytope, box, [&](int count) {
    form_normal_fluxes(modes, facet, count);
    share<L>(count, [&](int q) {
      const int boundary = facet.boundary[q];
      if (boundary < 0) return;
      const bool given = Config::Data::boundary_type(boundary) == BoundaryType::dirichlet;
      facet.points.weight[q] *= Real(given ? 2 : 0);
    });
    share_points<L>(L::modes, count, [&](int j, int q) {
      store_lanes<V>(&fluxes.part[1][j][q],
                     load_lanes<V>(&facet.points.weight[q]) * load_lanes<V>(&modes.part[1][j][q]));
    });
    add_products<L, true, 1>(modes.part + 1, fluxes.part + 1, 1, count, add);
  });
}

/// λ of polytope list[item]. \tparam Config of double precision
template <class Config, int degree>
void certify(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
#ifdef __CUDACC_RTC__
  __shared__ CertifyWork<L> w;
#else
  CertifyWork<L> w;
#endif
  constexpr int n = L::modes;
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  double* pair = L::staged ? w.sums : a.scratch + item * n * n;
  if constexpr (L::on_host) {
    set_to_zero<L>(w.stiffness, w.own);
    set_to_zero<L>(w.surface, w.own);
  } else {
    share<L>(n * n, [&](int k) { pair[k] = 0; });
  }
  add_stiffness<Config>(w, pair, a, polytope, box);
  add_normal_fluxes<Config>(w.facet, w.lines, w.modes, w.fluxes, a, polytope, box, into_pair<L>(w.surface, pair, true));
  if constexpr (L::on_host) {
    const MatrixPair<n - 1> m{pair};
    for (int i = 0; i < n - 1; ++i)
      for (int j = 0; j <= i; ++j) {
        m.k(i, j) = total<L>(w.stiffness[i * (n - 1) + j]);
        m.s(j, i) = total<L>(w.surface[i * (n - 1) + j]);
      }
  }
#ifdef __CUDACC_RTC__
  const double largest = largest_generalized_eigenvalue_by_team<L, n - 1>(pair, w.eigenvalue);
#else
  const double largest = largest_generalized_eigenvalue<n - 1>(pair, w.eigenvalue);
#endif
  if (team_rank() == 0) a.eigenvalues[polytope] = largest;
}

}  // namespace galerna::kernels::polytopic
