/// \file
/// Geometry of one block of elements, of any shape and geometry order, as kernels/element needs it (docs/theory.md,
/// Curved elements).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dg/operators.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// What is wanted of Metric: arrays of points take most of the memory and of the time. Others are always made.
struct MetricParts {
  bool volume = true;          ///< contravariant, jacobian and inverse
  bool positions = true;       ///< positions and side_positions
  bool normals = true;         ///< normals
  bool side_gradients = true;  ///< side_gradients
  bool own_order = false;      ///< points of sides are counted as the element itself counts them
};

/// All arrays in the order of the block's elements, row by row, the last extent running fastest.
///
/// Points of a side are counted as the neighbour counts them (mesh/side_order.hpp): from the corner that precedes the
/// others. The element's own point q is point number basis::turned_points(rule, orientation)[q].
struct Metric {
  Shape shape;
  int order;      ///< of the geometry
  int dimension;  ///< 2 or 3
  mesh::Index elements;
  int volume_points, sides;
  int side_points;                    ///< of the first side, and of all others but on prisms and pyramids
  std::vector<int> first_side_point;  ///< [side] points of the sides before; behind the last one, of all
  bool affine;                        ///< straight simplices: everything is constant in each element

  /// [element][volume_points][direction d][component k] |J| ∂ξ_d/∂x_k. In two dimensions that is
  /// sign(J) (∂y/∂η, −∂x/∂η) and sign(J) (−∂y/∂ξ, ∂x/∂ξ): derivatives of polynomials, whose divergence over ξ_d is zero
  /// identically. In three it is sign(J) ∂x/∂ξ_{d+1} × ∂x/∂ξ_{d+2}, or what dg/geometry/curl_form.hpp makes of it.
  std::vector<double> contravariant;
  std::vector<double> jacobian;   ///< [element][volume_points] |J| = |det ∂x/∂ξ| > 0
  std::vector<double> inverse;    ///< [element][volume_points] 1/|J|, of the weight-adjusted mass matrix
  std::vector<double> positions;  ///< [element][volume_points][k]

  /// [element][side][point][k] outward unit normal times ds, the side's length or area on a reference side of
  /// measure 1, to which the weights of Operators::side belong. Sums over all sides with these weights close to zero.
  std::vector<double> normals;
  std::vector<double> side_positions;      ///< [element][side][point][k]
  std::vector<double> side_gradients;      ///< [element][side][point][d][k] ∂ξ_d/∂x_k
  std::vector<std::uint8_t> orientations;  ///< [element][side] mesh::side_orientation()

  /// [element] 2 d |K| / |∂K|, the diameter of the inscribed circle or sphere of a straight simplex: the length h of
  /// step sizes.
  std::vector<double> diameters;

  /// [element][mode] ∫ φ_j dx over the element, exact: u's integral is Σ_j means_j c_j.
  std::vector<double> means;
};

/// Degrees of exactness that keep a uniform flow to round-off on elements of geometry order N with polynomials of
/// degree p, and are enough for order p + 1: in elements at least 2p and p + N − 1 (of each coordinate in
/// quadrilaterals; p + N − 2 would do in triangles), on sides at least 2p + 1 and p + N − 1; in space one less than
/// p + N − 1, on hexahedra, prisms and pyramids p + N where N > p + 1 (dg/geometry/curl_form.hpp). The defaults 2p and
/// 2p + 1 of make_operators() suffice where N ≤ p + 1.
struct QuadratureDegrees {
  int volume, side;
};
QuadratureDegrees curved_quadrature(Shape shape, int degree, int geometry_order);

/// Operators for each block of a mesh: [block]. Volume rules are those of the block's geometry order, the rule on sides
/// that of the highest order, the same in all blocks, since elements of different blocks meet at their points.
/// \param volume_quadrature, face_quadrature at least these degrees
std::vector<Operators> make_block_operators(const mesh::Mesh& mesh, int degree, int volume_quadrature = -1,
                                            int face_quadrature = -1);
/// The same for (shape, geometry order) of each block.
std::vector<Operators> make_block_operators(const std::vector<std::pair<Shape, int>>& blocks, int degree,
                                            int volume_quadrature = -1, int face_quadrature = -1);

/// \param mesh after prepare() \param block number of the block \param operators of the block's shape;
/// their quadrature points are those of the metric
/// \throws std::invalid_argument for operators of another shape
/// \throws InputError for elements with J ≤ 0 at a quadrature point
Metric make_metric(const mesh::Mesh& mesh, int block, const Operators& operators);

/// The same for some of the block's elements, given by their positions in the block.
Metric make_metric(const mesh::Mesh& mesh, int block, const Operators& operators,
                   const std::vector<mesh::Index>& positions, const MetricParts& parts = {});

}  // namespace galerna::dg
