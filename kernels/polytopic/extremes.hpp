/// \file
/// Extreme values of the coefficients on each polytope: for penalties, and to tell what is wrong with a case.
#pragma once

#include "kernels/polytopic/facets.hpp"

namespace galerna::kernels::polytopic {

/// Least and largest eigenvalue of a symmetric matrix by Jacobi's rotations (G. H. Golub, C. F. Van Loan, Matrix
/// Computations, 4th ed., § 8.5).
template <int d>
Array<double, 2> eigenvalue_range(const Symmetric<d, double>& matrix) {
  double a[d][d];
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) a[i][j] = matrix[symmetric_entry(d, i, j)];
  for (int sweep = 0; sweep < 12; ++sweep)
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
  Array<double, 2> range = {{a[0][0], a[0][0]}};
  for (int i = 1; i < d; ++i) {
    range[0] = min(range[0], a[i][i]);
    range[1] = max(range[1], a[i][i]);
  }
  return range;
}

template <class Case>
void extremes_at(Array<double, extreme_values>& found, const double* x, double t) {
  constexpr int d = Case::dimension;
  const Array<double, 4> at = {{x[0], x[1], d == 3 ? x[d - 1] : 0, t}};
  const Array<double, 2> range = eigenvalue_range<d>(diffusion_at<Case, double>(at));
  found[0] = min(found[0], range[0]);
  found[1] = max(found[1], range[1]);
  const double reaction = Case::Data::template reaction<double>(at[0], at[1], at[2], t) -
                          Case::Data::template divergence<double>(at[0], at[1], at[2], t) / 2;
  found[2] = min(found[2], reaction);
}

/// Of polytope `polytope`, at the corners of its simplices and the ends of the time slab.
template <class Case>
void extremes(const PolytopicArguments& a, std::int64_t polytope) {
  constexpr int d = Case::dimension;
  const double infinity = 1e300;
  Array<double, extreme_values> found = {{infinity, 0, infinity, infinity}};
  const std::int64_t begin = a.mesh.first_simplices[polytope], end = a.mesh.first_simplices[polytope + 1];
  for (std::int64_t simplex = begin; simplex < end; ++simplex) {
    const double* corners = a.mesh.simplices + simplex * (d + 1) * d;
    for (int corner = 0; corner <= d; ++corner) {
      // A little inside: coefficients may jump at the corner.
      double x[d];
      for (int i = 0; i < d; ++i) {
        double centre = 0;
        for (int c = 0; c <= d; ++c) centre += corners[c * d + i] / (d + 1);
        x[i] = corners[corner * d + i] + 1e-12 * (centre - corners[corner * d + i]);
      }
      for (const double t : {a.begin, a.end}) extremes_at<Case>(found, x, t);
    }
  }
  if constexpr (Case::Data::moves) {
    for (std::int64_t k = a.mesh.first_own_facets[polytope]; k < a.mesh.first_own_facets[polytope + 1]; ++k) {
      const std::int64_t facet = a.mesh.own_facets[k] / 2;
      const int boundary = -1 - a.mesh.facet_polytopes[facet * 2 + 1];
      if (boundary < 0 || Case::Data::boundary_type(boundary) != BoundaryType::neumann) continue;
      const double* corners = a.mesh.facets + facet * (d + 1) * d;
      for (int point = 0; point < a.facet.count; ++point) {
        double x[3] = {};
        for (int c = 0; c < d; ++c)
          for (int i = 0; i < d; ++i) x[i] += a.facet.points[point * d + c] * corners[c * d + i];
        const auto velocity = velocity_at<Case, double>(Array<double, 4>{{x[0], x[1], x[2], a.begin}});
        double speed = 0;
        for (int i = 0; i < d; ++i) speed += velocity[i] * corners[d * d + i];
        found[3] = min(found[3], speed);
      }
    }
  }
  for (int k = 0; k < extreme_values; ++k) a.extremes[polytope * extreme_values + k] = found[k];
}

}  // namespace galerna::kernels::polytopic
