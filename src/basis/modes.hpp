/// \file
/// The orthonormal basis functions of each shape at one point, for any arithmetic type T (numbers, or numbers with
/// derivatives).
///
/// Everything is built from Jacobi polynomials in homogeneous form, T^n P_n(X/T), whose three-term recurrence has no
/// division: the collapsed coordinates of Dubiner (J. Sci. Comput. 6 (1991) 345) never appear, so nothing is singular
/// at collapsed vertices.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/shape.hpp"

namespace galerna::basis {

/// t^k P_k^{(alpha, 0)}(x / t) for k = 0 … n.
template <class T>
std::vector<T> homogeneous_jacobi(int n, int alpha, const T& x, const T& t) {
  std::vector<T> p = {T(1)};
  if (n >= 1) p.push_back(0.5 * ((alpha + 2.0) * x + static_cast<double>(alpha) * t));
  for (int k = 1; k < n; ++k) {
    // 2 (k+1) (k+1+α) (2k+α) P_{k+1} = (2k+1+α) [(2k+2+α)(2k+α) x + α²] P_k − 2 k (k+α) (2k+2+α) P_{k−1}
    const double a = alpha, s = 2 * k + a;
    const double denominator = 2 * (k + 1) * (k + 1 + a) * s;
    const T next =
        ((s + 1) * (s + 2) * s / denominator * x + (s + 1) * a * a / denominator * t) * p[static_cast<std::size_t>(k)] -
        2 * k * (k + a) * (s + 2) / denominator * t * t * p[static_cast<std::size_t>(k - 1)];
    p.push_back(next);
  }
  return p;
}

template <class T>
std::vector<T> line_modes(int degree, const T& x) {
  std::vector<T> modes = homogeneous_jacobi(degree, 0, x, T(1));
  for (int i = 0; i <= degree; ++i)
    modes[static_cast<std::size_t>(i)] = std::sqrt((2 * i + 1) / 2.0) * modes[static_cast<std::size_t>(i)];
  return modes;
}

/// Koornwinder–Dubiner on the unit triangle, ordered by total degree.
template <class T>
std::vector<T> triangle_modes(int degree, const T& r, const T& s) {
  const T edge = 1.0 - s;
  const std::vector<T> first = homogeneous_jacobi(degree, 0, 2.0 * r - edge, edge);
  std::vector<std::vector<T>> second;
  for (int i = 0; i <= degree; ++i) second.push_back(homogeneous_jacobi(degree - i, 2 * i + 1, 2.0 * s - 1.0, T(1)));
  std::vector<T> modes;
  for (int d = 0; d <= degree; ++d)
    for (int j = 0; j <= d; ++j) {
      const int i = d - j;
      modes.push_back(std::sqrt((2.0 * i + 1) * (2 * i + 2 * j + 2)) * first[static_cast<std::size_t>(i)] *
                      second[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    }
  return modes;
}

/// Koornwinder–Dubiner on the unit tetrahedron, ordered by total degree.
template <class T>
std::vector<T> tetrahedron_modes(int degree, const T& r, const T& s, const T& t) {
  const T edge = 1.0 - s - t, face = 1.0 - t;
  const std::vector<T> first = homogeneous_jacobi(degree, 0, 2.0 * r - edge, edge);
  std::vector<T> modes;
  for (int d = 0; d <= degree; ++d)
    for (int k = 0; k <= d; ++k)
      for (int j = 0; j + k <= d; ++j) {
        const int i = d - j - k;
        const T second = homogeneous_jacobi(j, 2 * i + 1, 2.0 * s - face, face).back();
        const T third = homogeneous_jacobi(k, 2 * i + 2 * j + 2, 2.0 * t - 1.0, T(1)).back();
        modes.push_back(std::sqrt((2.0 * i + 1) * (2 * i + 2 * j + 2) * (2 * i + 2 * j + 2 * k + 3)) *
                        first[static_cast<std::size_t>(i)] * second * third);
      }
  return modes;
}

/// Rational basis of the pyramid, P_i(x/(1−z)) P_j(y/(1−z)) (1−z)^m P_k^{(2m+2, 0)}(2z − 1) with m = max(i, j), k ≤ p −
/// m (M. Bergot, G. Cohen, M. Duruflé, J. Sci. Comput. 42 (2010) 345). Not defined at the apex itself.
template <class T>
std::vector<T> pyramid_modes(int degree, const T& x, const T& y, const T& z) {
  const T height = 1.0 - z;
  const std::vector<T> in_x = homogeneous_jacobi(degree, 0, x, height), in_y = homogeneous_jacobi(degree, 0, y, height);
  std::vector<T> modes;
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; j <= degree; ++j) {
      const int m = std::max(i, j);
      T plane = in_x[static_cast<std::size_t>(i)] * in_y[static_cast<std::size_t>(j)];
      for (int n = 0; n < std::min(i, j); ++n) plane = plane / height;
      const std::vector<T> in_z = homogeneous_jacobi(degree - m, 2 * m + 2, 2.0 * z - 1.0, T(1));
      for (int k = 0; k <= degree - m; ++k)
        modes.push_back(std::sqrt((2.0 * i + 1) / 2 * (2 * j + 1) / 2 * (2 * k + 2 * m + 3)) * plane *
                        in_z[static_cast<std::size_t>(k)]);
    }
  return modes;
}

/// All products, the second factor running fastest.
template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> result;
  for (const T& u : a)
    for (const T& v : b) result.push_back(u * v);
  return result;
}

/// The orthonormal basis of degree p at the point (x, y, z) of the shape's reference domain.
template <class T>
std::vector<T> modes(Shape shape, int degree, const T& x, const T& y, const T& z) {
  switch (shape) {
    case Shape::point:
      return {T(1)};
    case Shape::line:
      return line_modes(degree, x);
    case Shape::triangle:
      return triangle_modes(degree, x, y);
    case Shape::quadrilateral:
      return product(line_modes(degree, x), line_modes(degree, y));
    case Shape::tetrahedron:
      return tetrahedron_modes(degree, x, y, z);
    case Shape::pyramid:
      return pyramid_modes(degree, x, y, z);
    case Shape::prism:
      return product(triangle_modes(degree, x, y), line_modes(degree, z));
    case Shape::hexahedron:
      return product(product(line_modes(degree, x), line_modes(degree, y)), line_modes(degree, z));
  }
  throw std::logic_error("unknown shape");
}

}  // namespace galerna::basis
