/// \file
/// Tables of basis and quadrature for one shape and degree, as the kernels need them.
#pragma once

#include <vector>

#include "basis/basis.hpp"
#include "kernels/tile/element_counts.hpp"

namespace galerna::dg {

struct Operators {
  Shape shape;
  int degree, modes;
  basis::Quadrature volume;                         ///< in elements
  basis::Matrix volume_basis;                       ///< [point][mode]
  std::vector<basis::Matrix> weighted_derivatives;  ///< [direction]: [point][mode] w_q ∂φ_j/∂ξ_d
  std::vector<basis::Quadrature> side_rules;        ///< [side]; weights sum to 1
  basis::Quadrature side;                 ///< that of the first side, and of all others but on prisms and pyramids
  std::vector<basis::Matrix> side_basis;  ///< [side]: [point][mode]
  double side_scale;                      ///< |side| n / |det J| = −side_scale ∇λ

  /// Triangles and tetrahedra: [k − 1][s]: [vertex][mode] the derivatives of order k − 1 of φ_j by reference
  /// coordinates at the vertices, numbered by s as in kernels/limiter/derivatives.hpp, of modes of degree ≤ k, for k =
  /// 1 … max(p, 1).
  std::vector<std::vector<basis::Matrix>> vertex_derivatives() const;
  /// [side][mode] mean of φ_j over the side.
  basis::Matrix side_means() const;

  int sides() const { return side_count(shape); }
  /// Points of the sides before `side`; of all, if that is their number.
  int first_side_point(int side) const;
  /// Whether sides are of different shapes.
  bool has_unlike_sides() const { return shape == Shape::prism || shape == Shape::pyramid; }
};

/// How many sides of an element are like `side`, and how many of these come before it.
int like_sides(Shape shape, Shape side);
int side_rank(Shape shape, int side);
/// The shapes of an element's sides, each once.
std::vector<Shape> side_kinds(Shape shape);

/// Degree of exactness on the sides of a shape where nothing is asked for: 2p + 1 in the plane, 2p in space, where the
/// step to the next rule of triangles is dear.
int default_face_quadrature(Shape shape, int degree);

/// \param volume_quadrature, face_quadrature degrees of exactness, or −1 for 2p and default_face_quadrature().
Operators make_operators(Shape shape, int degree, int volume_quadrature = -1, int face_quadrature = -1);

/// Whether values at quadrature points are computed line by line (kernels/element/tensor.hpp): quadrilaterals with
/// (p + 1)² points.
bool is_tensor(const Operators& operators);

/// What the sizes of tile kernels follow from.
kernels::ElementCounts element_counts(const Operators& operators, int variables);

}  // namespace galerna::dg
