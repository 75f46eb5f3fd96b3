/// \file
/// Points of polytopes one by one, for kernels of GPUs in which a thread has a point: where it is and what is known
/// there.
#pragma once

#include "kernels/polytopic/facets.hpp"

namespace galerna::kernels::polytopic {

/// A thread with all of a block. Work is not shared: there is nobody to wait for.
template <class Config, int degree_>
struct OneThread : Layout<Config, degree_> {
  static constexpr int threads = 1;
};

/// Two numbers that a thread of a GPU reads together.
struct alignas(16) TwoNumbers {
  double first, second;
};

/// `count` numbers that begin where two do.
template <int count>
Array<double, count> load_pairs(const double* from) {
  static_assert(count % 2 == 0);
  Array<double, count> numbers;
#pragma unroll
  for (int k = 0; k < count; k += 2) {
    const TwoNumbers two = *reinterpret_cast<const TwoNumbers*>(from + k);
    numbers[k] = two.first;
    numbers[k + 1] = two.second;
  }
  return numbers;
}

/// Point q of the rule in a simplex, and the time.
template <int d, int corners, class Corners>
Array<double, 4> point_of_simplex(const Rule& rule, int q, const Corners& at, double time) {
  Array<double, 4> x = {{0, 0, 0, time}};
#pragma unroll
  for (int c = 0; c < corners; ++c)
#pragma unroll
    for (int i = 0; i < d; ++i) x[i] += rule.points[c * rule.stride + q] * at[c * d + i];
  return x;
}

/// Values and gradients of all modes at a point.
template <class Config, class L>
struct PointModes {
  static constexpr int d = L::dimension, modes = L::modes;
  double value[modes], gradient[d][modes];

  PointModes(const Box<L>& box, const Array<double, 4>& x) {
    double line[d][L::degree + 1], slope[d][L::degree + 1];
#pragma unroll
    for (int k = 0; k < d; ++k) {
      const double at = (x[k] - box.centre[k]) * box.inverse[k];
      for_each_legendre<L::degree>(at, [&](int n, double factor, double derivative) {
        line[k][n] = factor;
        slope[k][n] = derivative * box.inverse[k];
      });
    }
#pragma unroll
    for (int j = 0; j < modes; ++j) {
      value[j] = 1;
#pragma unroll
      for (int k = 0; k < d; ++k) value[j] *= line[k][Config::mode(k, j)];
#pragma unroll
      for (int k = 0; k < d; ++k) {
        gradient[k][j] = slope[k][Config::mode(k, j)];
#pragma unroll
        for (int l = 0; l < d; ++l)
          if (l != k) gradient[k][j] *= line[l][Config::mode(l, j)];
      }
    }
  }

  double along(const Array<double, d>& direction, int j) const {
    double sum = 0;
#pragma unroll
    for (int k = 0; k < d; ++k) sum += direction[k] * gradient[k][j];
    return sum;
  }
};

/// A point of a simplex or facet of a polytope.
template <class Config>
struct MomentPoint {
  Array<double, 4> x;  ///< and the time
  double weight;
  int simplex;  ///< of the polytope's
};

/// Point number k of simplices with `corners` each. \param corners_at(simplex) \return with the rule's weight
template <class Config, int corners, class At>
MomentPoint<Config> moment_point(const Rule& rule, double time, int k, const At& corners_at) {
  const int simplex = int(unsigned(k) / unsigned(rule.count)), q = k - simplex * rule.count;
  return {point_of_simplex<Config::dimension, corners>(rule, q, corners_at(simplex), time), rule.weights[q], simplex};
}

/// A point on an own facet of a polytope, with what is known there.
template <class Config>
struct OwnFacetPoint {
  MomentPoint<Config> point;
  Array<double, Config::dimension> normal, conormal;  ///< outward; a n
  double speed, penalty;                              ///< b·n; σ
  int boundary;                                       ///< −1 inside
};

/// What all points of an own facet of a polytope have in common.
template <int d>
struct OwnFacet {
  double measure, penalty, side;  ///< |F|, σ; −1 where the normal points into the polytope
  int boundary;                   ///< −1 inside

  /// \param own 2 · facet + side
  OwnFacet(const PolytopicArguments& a, std::int64_t own) {
    const std::int64_t facet = own / 2;
    measure = a.mesh.facet_measures[facet];
    penalty = a.penalty ? a.penalty[facet] : 0;
    side = own % 2 ? -1 : 1;
    boundary = facet < a.mesh.inner_facets ? -1 : -1 - a.mesh.facet_polytopes[facet * 2 + 1];
  }
};

/// An own facet of a polytope with its corners and its normal.
template <int d>
struct PlacedFacet : OwnFacet<d> {
  Array<double, (d + 1) * d> corners;

  PlacedFacet(const PolytopicArguments& a, std::int64_t own)
      : OwnFacet<d>(a, own), corners(load_pairs<(d + 1) * d>(a.mesh.facets + own / 2 * (d + 1) * d)) {}
};

/// \param corners of the facet, and its normal
template <class Config, class L, class Corners>
OwnFacetPoint<Config> own_facet_point(const OwnFacet<Config::dimension>& facet, const Corners& corners,
                                      const Box<L>& box, const MomentPoint<Config>& point) {
  constexpr int d = Config::dimension;
  OwnFacetPoint<Config> result;
  result.point = point;
  result.point.weight *= facet.measure;
  result.boundary = facet.boundary;
  result.penalty = facet.penalty;
  Array<double, 4> x = point.x;
  const double inside = facet.boundary >= 0 ? 0 : inside_step<L>(box);
#pragma unroll
  for (int k = 0; k < d; ++k) {
    result.normal[k] = facet.side * corners[d * d + k];
    x[k] -= inside * result.normal[k];
  }
  result.conormal = times_diffusion<d>(diffusion_at<Config, double>(x), result.normal);
  result.speed = 0;
  if constexpr (Config::Data::moves) {
    const Array<double, d> velocity = velocity_at<Config, double>(x);
#pragma unroll
    for (int k = 0; k < d; ++k) result.speed += velocity[k] * result.normal[k];
  }
  return result;
}

/// \param own 2 · facet + side
template <class Config, class L>
OwnFacetPoint<Config> own_facet_point(const PolytopicArguments& a, std::int64_t own, const Box<L>& box,
                                      const MomentPoint<Config>& point) {
  const PlacedFacet<Config::dimension> facet(a, own);
  return own_facet_point<Config>(facet, facet.corners, box, point);
}

template <class Config>
double normal_diffusion(const OwnFacetPoint<Config>& f) {
  double sum = 0;
#pragma unroll
  for (int k = 0; k < Config::dimension; ++k) sum += f.normal[k] * f.conormal[k];
  return sum;
}

/// c0, c1 of FacetTerms.
template <class Config>
PointTerms<double> point_coefficients(const OwnFacetPoint<Config>& f) {
  const double w = f.point.weight;
  if (f.boundary < 0) return {w * (f.penalty + (f.speed < 0 ? -f.speed : 0)), w / 2, 0, 0};
  return boundary_point_coefficients<Config, double>(w, f.speed, f.penalty, normal_diffusion(f), f.boundary, f.point.x);
}

/// c0, c1, r0, r1 of FacetTerms.
template <class Config>
PointTerms<double> point_terms(const OwnFacetPoint<Config>& f) {
  if (f.boundary < 0) return point_coefficients(f);
  return boundary_point_terms<Config, double>(f.point.weight, f.speed, f.penalty, normal_diffusion(f), f.boundary,
                                              f.point.x);
}

/// f(facet_point) for the points on those of the polytope's own facets that the thread has. A facet is read while
/// points of the one before it are computed.
template <class Config, class Threads, class L, class F>
void for_each_own_facet_point(const PolytopicArguments& a, std::int64_t polytope, const Box<L>& box, const F& f) {
  constexpr int d = Config::dimension;
  const std::int64_t begin = a.mesh.first_own_facets[polytope], end = a.mesh.first_own_facets[polytope + 1];
  const auto number = [&](std::int64_t k) { return std::int64_t(a.mesh.own_facets[k < end ? k : end - 1]); };
  const std::int64_t first = begin + Threads::rank();
  std::int64_t own = number(first + Threads::count);
  PlacedFacet<d> next(a, number(first));
  for (std::int64_t k = first; k < end; k += Threads::count) {
    const PlacedFacet<d> facet = next;
    next = PlacedFacet<d>(a, own);
    own = number(k + 2 * Threads::count);
    for (int q = 0; q < a.facet.count; ++q)
      f(own_facet_point<Config>(
          facet, facet.corners, box,
          {point_of_simplex<d, d>(a.facet, q, facet.corners, a.begin), a.facet.weights[q], int(k - begin)}));
  }
}

}  // namespace galerna::kernels::polytopic
