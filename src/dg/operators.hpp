/// \file
/// Tables of basis and quadrature for one shape and degree, as the kernels need them.
#pragma once

#include <vector>

#include "basis/basis.hpp"

namespace galerna::dg {

struct Operators {
  Shape shape;
  int degree, modes;
  basis::Quadrature volume;                         ///< in elements
  basis::Matrix volume_basis;                       ///< [point][mode]
  std::vector<basis::Matrix> weighted_derivatives;  ///< [direction]: [point][mode] w_q ∂φ_j/∂ξ_d
  basis::Quadrature side;                           ///< on a side; weights sum to 1
  std::vector<basis::Matrix> side_basis;            ///< [side]: [point][mode]
  double side_scale;                                ///< |side| n / |det J| = −side_scale ∇λ
  basis::Quadrature formula;                        ///< for projections and error norms, degree ≥ 2p + 4
  basis::Matrix formula_basis;                      ///< [point][mode]

  /// Triangles: [k − 1][s]: [vertex][mode] ∂^{k−1}φ_j/∂ξ^{k−1−s}∂η^s at the vertices, of modes of degree ≤ k, for k = 1
  /// … max(p, 1).
  std::vector<std::vector<basis::Matrix>> vertex_derivatives() const;
  /// [side][mode] mean of φ_j over the side.
  basis::Matrix side_means() const;

  int sides() const { return side_count(shape); }
};

/// \param volume_quadrature, face_quadrature degrees of exactness, or −1 for 2p and 2p + 1.
Operators make_operators(Shape shape, int degree, int volume_quadrature = -1, int face_quadrature = -1);

}  // namespace galerna::dg
