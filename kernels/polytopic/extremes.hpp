/// \file
/// Extreme values of the coefficients on each polytope: for penalties, and to tell what is wrong with a case.
#pragma once

#include "kernels/polytopic/facets.hpp"

namespace galerna::kernels::polytopic {

/// Least and largest eigenvalue of a symmetric 2 × 2 matrix xx, xy, yy.
template <class V>
Array<V, 2> eigenvalue_range(const Symmetric<2, V>& matrix) {
  const V mean = number<V>(0.5) * (matrix[0] + matrix[2]), half = number<V>(0.5) * (matrix[0] - matrix[2]);
  const V radius = select(matrix[1] == V(0), abs(half), sqrt(half * half + matrix[1] * matrix[1]));
  return {{mean - radius, mean + radius}};
}

/// The same of a 3 × 3 matrix by Jacobi's rotations (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., § 8.5).
inline Array<double, 2> eigenvalue_range(const Symmetric<3, double>& matrix) {
  constexpr int d = 3;
  double a[d][d];
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) a[i][j] = matrix[symmetric_entry(d, i, j)];
  for (int sweep = 0; sweep < 12; ++sweep) {
    const double off = abs(a[0][1]) + abs(a[0][2]) + abs(a[1][2]);
    if (off <= 1e-17 * (abs(a[0][0]) + abs(a[1][1]) + abs(a[2][2]))) break;
    for (int p = 0; p < d; ++p)
      for (int q = p + 1; q < d; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (abs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < d; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < d; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
      }
  }
  return {{min(min(a[0][0], a[1][1]), a[2][2]), max(max(a[0][0], a[1][1]), a[2][2])}};
}

/// The same of a pack of them.
template <class V>
Array<V, 2> eigenvalue_range(const Symmetric<3, V>& matrix) {
  Scalar<V> least[LaneTraits<V>::size], largest[LaneTraits<V>::size];
  for (int i = 0; i < LaneTraits<V>::size; ++i) {
    Symmetric<3, double> own;
    for (int k = 0; k < own.size(); ++k) own[k] = lane_of(matrix[k], i);
    const Array<double, 2> range = eigenvalue_range(own);
    least[i] = range[0];
    largest[i] = range[1];
  }
  return {{load_lanes<V>(least), load_lanes<V>(largest)}};
}

/// At a pack of places.
template <class Config>
void extremes_at(Array<double, extreme_values>& found, const Array<typename Config::Value, 4>& x) {
  using V = typename Config::Value;
  const Array<V, 2> range = eigenvalue_range(diffusion_at<Config, V>(x));
  const V reaction = Config::Data::template reaction<V>(x[0], x[1], x[2], x[3]) -
                     number<V>(0.5) * Config::Data::template divergence<V>(x[0], x[1], x[2], x[3]);
  found[0] = min(found[0], lane_min(range[0]));
  found[1] = max(found[1], lane_max(range[1]));
  found[2] = min(found[2], lane_min(reaction));
}

/// Of polytope `polytope`, at the corners of its simplices and the ends of the time slab.
template <class Config>
void extremes(const PolytopicArguments& a, std::int64_t polytope) {
  using V = typename Config::Value;
  constexpr int d = Config::dimension, lanes = LaneTraits<V>::size;
  const double infinity = 1e300;
  Array<double, extreme_values> found = {{infinity, 0, infinity, infinity}};
  const std::int64_t begin = a.mesh.first_simplices[polytope], end = a.mesh.first_simplices[polytope + 1];
  for (std::int64_t first = begin; first < end; first += lanes) {
    double place[d + 1][3][lanes] = {};
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t simplex = first + lane < end ? first + lane : end - 1;
      const double* corners = a.mesh.simplices + simplex * (d + 1) * d;
      for (int i = 0; i < d; ++i) {
        double sum = 0;
        for (int c = 0; c <= d; ++c) sum += corners[c * d + i];
        // A little inside: coefficients may jump at the corner.
        for (int c = 0; c <= d; ++c) {
          const double x = corners[c * d + i];
          place[c][i][lane] = x + 1e-12 * (sum * (1.0 / (d + 1)) - x);
        }
      }
    }
    for (int c = 0; c <= d; ++c) {
      Array<V, 4> x = {
          {load_lanes<V>(place[c][0]), load_lanes<V>(place[c][1]), load_lanes<V>(place[c][2]), V(a.begin)}};
      extremes_at<Config>(found, x);
      x[3] = V(a.end);
      if (a.end != a.begin) extremes_at<Config>(found, x);
    }
  }
  if constexpr (Config::Data::moves || Config::Data::exchanges) {
    for (std::int64_t k = a.mesh.first_own_facets[polytope]; k < a.mesh.first_own_facets[polytope + 1]; ++k) {
      const std::int64_t facet = a.mesh.own_facets[k] / 2;
      const int boundary = -1 - a.mesh.facet_polytopes[facet * 2 + 1];
      if (boundary < 0 || Config::Data::boundary_type(boundary) == BoundaryType::dirichlet) continue;
      const double* corners = a.mesh.facets + facet * (d + 1) * d;
      for (int point = 0; point < a.facet.count; ++point) {
        double x[3] = {};
        for (int c = 0; c < d; ++c)
          for (int i = 0; i < d; ++i) x[i] += a.facet.points[c * a.facet.stride + point] * corners[c * d + i];
        const auto velocity = velocity_at<Config, double>(Array<double, 4>{{x[0], x[1], x[2], a.begin}});
        double speed = 0;
        for (int i = 0; i < d; ++i) speed += velocity[i] * corners[d * d + i];
        const double exchange = Config::Data::template exchange<double>(boundary, x[0], x[1], x[2], a.begin);
        found[3] = min(found[3], min(speed, 0.0) + 2 * exchange);
      }
    }
  }
  for (int k = 0; k < extreme_values; ++k) a.extremes[polytope * extreme_values + k] = found[k];
}

}  // namespace galerna::kernels::polytopic
