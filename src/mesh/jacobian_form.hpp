/// \file
/// The Jacobian determinant of the map of an element in Bernstein form, from which its sign follows everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/lattice.hpp"
#include "base/shape.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// What elements of one shape and one geometry order share. J is a polynomial: of total degree d (N − 1) in simplices
/// of dimension d, of degree d N − 1 along each axis of quadrilaterals and hexahedra, of degree 3N − 2 in the triangle
/// and 3N − 1 along the axis of prisms. A pyramid is a hexahedron one face of which has collapsed, x = (1 − z) a,
/// y = (1 − z) b: (1 − z)² divides the determinant in a, b, z, and what is left is J, of degree 3N − 1 in a and b and
/// 3N − 3 in z (raised to 3N − 1).
///
/// Coefficients are numbered factor by factor (mesh/bernstein_factors.hpp), the last factor running fastest. They come
/// from those of the map by products of differences with positive weights (G. Farin, Curves and Surfaces for CAGD, on
/// products and derivatives), so that rounding errors do not grow with the degree as they do where J is interpolated.
class JacobianForm {
 public:
  /// \param shape of two or three dimensions
  JacobianForm(Shape shape, int order);

  /// Of J over the reference shape of base/shape.hpp. \param nodes in Gmsh's order
  std::vector<double> coefficients(std::span<const Point> nodes) const;

  /// Those that are values of J, at the corners.
  const std::vector<std::size_t>& corners() const { return corners_; }

  /// Calls visit(coefficients) for each part of the element, divided as mesh/subdivision.hpp does.
  void divide(const std::vector<double>& coefficients, const std::function<void(std::vector<double>)>& visit) const;

 private:
  /// A coefficient of a product of two polynomials.
  struct Term {
    int first, second, result;
    double weight;
  };
  using Difference = std::array<int, 2>;  ///< of coefficients of the map, from and to
  struct Product {
    std::vector<Term> terms;
    std::size_t size;
  };

  std::vector<double> without_collapse(const std::vector<double>& coefficients) const;

  Shape shape_;
  int degree_;                              ///< along the axis of the last factor
  double scale_;                            ///< from lattice coordinates to those of the reference shape
  Table control_;                           ///< [coefficient][node] of the map
  std::vector<Difference> differences_[3];  ///< [axis] coefficients of ∂x/∂u, over the order
  Product first_, second_;                  ///< of the first two derivatives; of that and the third
  std::vector<std::size_t> corners_;
  std::vector<std::vector<Table>> parts_;  ///< [factor][child]: bernstein_subdivision()
};

/// Bernstein control points of the map of an element, of a pyramid those of the hexahedron that collapses: the element
/// lies in their convex hull. [control point][node] Made once a thread.
const Table& control_points(Shape shape, int order);

}  // namespace galerna::mesh
