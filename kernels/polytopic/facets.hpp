/// \file
/// Points on facets: normals, coefficients, and what the boundary condition makes of them point by point.
#pragma once

#include "kernels/polytopic/coefficients.hpp"

namespace galerna::kernels::polytopic {

/// u is given, n·a∇u is, or n·a∇u + h u is.
enum class BoundaryType : int { dirichlet, neumann, robin };

/// A batch of points on facets of a polytope.
template <class L>
struct FacetPoints {
  Points<L> points;
  PointValues<L> normal[L::dimension];      ///< outward
  PointValues<L> conormal[L::dimension];    ///< a n
  PointValues<L> speed;                     ///< b·n
  PointValues<L> penalty;                   ///< σ
  PointValues<L> inner;                     ///< 1 between polytopes, 0 on the boundary
  Array<std::int32_t, L::stride> boundary;  ///< −1 inside
};

/// How far inside a polytope coefficients on its inner facets are taken, so that those that jump there are its own.
template <class L>
double inside_step(const Box<L>& box) {
  double size = 0;
  for (int k = 0; k < L::dimension; ++k) size = max(size, box.half[k]);
  return sizeof(typename L::Real) == 8 ? 1e-12 * size : 1e-5 * size;
}

/// Batch of the points on the polytope's own facets; as points_in().
template <class L, class Arguments>
int own_facet_points(FacetPoints<L>& f, const Arguments& a, std::int64_t polytope, const Box<L>& box,
                     const Times<L>& times, std::int64_t first) {
  constexpr int d = L::dimension;
  using V = typename L::Value;
  const std::int32_t* own = a.mesh.own_facets + a.mesh.first_own_facets[polytope];
  const std::int64_t facets = a.mesh.first_own_facets[polytope + 1] - a.mesh.first_own_facets[polytope];
  return points_in<d>(
      f.points, box, a.facet, times, facets, first,
      [&](std::int64_t i) { return a.mesh.facets + std::int64_t(own[i] / 2) * (d + 1) * d; },
      [&](std::int64_t i) { return a.mesh.facet_measures[own[i] / 2]; },
      [&](int q, std::int64_t i, auto&&...) {
        const std::int64_t facet = own[i] / 2;
        const double sign = own[i] % 2 ? -1 : 1;
        for (int k = 0; k < d; ++k)
          store_lanes<V>(&f.normal[k][q], number<V>(sign * a.mesh.facets[facet * (d + 1) * d + d * d + k]));
        store_lanes<V>(&f.penalty[q], number<V>(a.penalty ? a.penalty[facet] : 0));
        const std::int32_t other = a.mesh.facet_polytopes[facet * 2 + 1];
        for (int lane = 0; lane < L::width; ++lane) f.boundary[q + lane] = other < 0 ? -1 - other : -1;
        store_lanes<V>(&f.inner[q], number<V>(other < 0 ? 0 : 1));
      });
}

template <class L, class Arguments>
std::int64_t own_facet_point_count(const Arguments& a, std::int64_t polytope, const Times<L>& times) {
  return (a.mesh.first_own_facets[polytope + 1] - a.mesh.first_own_facets[polytope]) * a.facet.count * times.count();
}

/// a n and b·n at the points. \param step how far against the normal they are taken on inner facets
template <class Config, class L>
void evaluate_conormals(FacetPoints<L>& f, double step, int count) {
  using V = typename L::Value;
  constexpr int d = L::dimension;
  share_points<L>(1, count, [&](int, int q) {
    auto x = point_at<V>(f.points, q);
    Array<V, d> normal;
    const V inside = number<V>(step) * load_lanes<V>(&f.inner[q]);
    for (int k = 0; k < d; ++k) {
      normal[k] = load_lanes<V>(&f.normal[k][q]);
      x[k] -= inside * normal[k];
    }
    const Array<V, d> conormal = times_diffusion<d>(diffusion_at<Config, V>(x), normal);
    for (int k = 0; k < d; ++k) store_lanes<V>(&f.conormal[k][q], conormal[k]);
    V speed = V(0);
    if constexpr (Config::Data::moves) {
      const Array<V, d> velocity = velocity_at<Config, V>(x);
      for (int k = 0; k < d; ++k) speed += velocity[k] * normal[k];
    }
    store_lanes<V>(&f.speed[q], speed);
  });
}

/// What the polytope's own values add to the matrix at a point, [c0 φ_j − c1 n·a∇φ_j] φ_i − c1 n·a∇φ_i φ_j, and what
/// boundary data add to the right-hand side, r0 φ_i + r1 n·a∇φ_i; all with the weight of the point.
template <class L>
struct FacetTerms {
  PointValues<L> c0, c1, r0, r1;
};

/// The same of one point.
template <class Real>
struct PointTerms {
  Real c0, c1, r0, r1;
};

/// Whether data are taken at a point of the boundary: a flux wherever it is given, others where the boundary is
/// elliptic, nᵀ a n > 0, or the flow enters.
template <class Real>
bool takes_data(BoundaryType type, Real speed, Real normal_diffusion) {
  return type == BoundaryType::neumann || normal_diffusion > Real(0) || speed < Real(0);
}

/// At one point of the boundary, without its data.
template <class Config, class Real>
PointTerms<Real> boundary_point_coefficients(Real w, Real speed, Real penalty, Real normal_diffusion, int boundary,
                                             const Array<Real, 4>& x) {
  PointTerms<Real> terms = {Real(0), Real(0), Real(0), Real(0)};
  const BoundaryType type = Config::Data::boundary_type(boundary);
  if (type == BoundaryType::robin && takes_data(type, speed, normal_diffusion))
    terms.c0 = w * Config::Data::template exchange<Real>(boundary, x[0], x[1], x[2], x[3]);
  if (type != BoundaryType::dirichlet) return terms;
  const Real inflow = speed < Real(0) ? -speed : Real(0);
  const bool elliptic = normal_diffusion > Real(0);
  terms.c0 = w * (elliptic ? penalty + inflow : inflow);
  terms.c1 = elliptic ? w : Real(0);
  return terms;
}

/// With them.
template <class Config, class Real>
PointTerms<Real> boundary_point_terms(Real w, Real speed, Real penalty, Real normal_diffusion, int boundary,
                                      const Array<Real, 4>& x) {
  PointTerms<Real> terms = boundary_point_coefficients<Config, Real>(w, speed, penalty, normal_diffusion, boundary, x);
  const BoundaryType type = Config::Data::boundary_type(boundary);
  if (!takes_data(type, speed, normal_diffusion)) return terms;
  const Real g = Config::Data::template boundary_data<Real>(boundary, x[0], x[1], x[2], x[3]);
  terms.r0 = (type == BoundaryType::dirichlet ? terms.c0 : w) * g;
  terms.r1 = -terms.c1 * g;
  return terms;
}

template <class Config, class L>
void boundary_terms(FacetTerms<L>& terms, const FacetPoints<L>& f, int q) {
  using Real = typename L::Real;
  Real normal_diffusion = Real(0);
  for (int k = 0; k < L::dimension; ++k) normal_diffusion += f.normal[k][q] * f.conormal[k][q];
  const PointTerms<Real> point = boundary_point_terms<Config, Real>(
      f.points.weight[q], f.speed[q], f.penalty[q], normal_diffusion, f.boundary[q], point_at<Real>(f.points, q));
  terms.c0[q] = point.c0;
  terms.c1[q] = point.c1;
  terms.r0[q] = point.r0;
  terms.r1[q] = point.r1;
}

template <class Config, class L>
void facet_terms(FacetTerms<L>& terms, const FacetPoints<L>& f, int count) {
  using V = typename L::Value;
  share_points<L>(1, count, [&](int, int q) {
    const V weight = load_lanes<V>(&f.points.weight[q]), speed = load_lanes<V>(&f.speed[q]);
    const V inflow = select(speed < V(0), V(-speed), V(0));
    store_lanes<V>(&terms.c0[q], weight * (load_lanes<V>(&f.penalty[q]) + inflow));
    store_lanes<V>(&terms.c1[q], number<V>(0.5) * weight);
    store_lanes<V>(&terms.r0[q], V(0));
    store_lanes<V>(&terms.r1[q], V(0));
    if (lane_min(load_lanes<V>(&f.inner[q])) > 0) return;
    for (int i = 0; i < L::width; ++i)
      if (f.boundary[q + i] >= 0) boundary_terms<Config>(terms, f, q + i);
  });
}

/// Puts n·a∇φ in the place of the first derivative.
template <class L>
void form_normal_fluxes(ModeValues<L>& modes, const FacetPoints<L>& f, int count) {
  using V = typename L::Value;
  share_points<L>(L::modes, count, [&](int j, int q) {
    V flux = V(0);
#pragma unroll
    for (int k = 0; k < L::dimension; ++k)
      flux += load_lanes<V>(&f.conormal[k][q]) * load_lanes<V>(&modes.part[1 + k][j][q]);
    store_lanes<V>(&modes.part[1][j][q], flux);
  });
}

}  // namespace galerna::kernels::polytopic
