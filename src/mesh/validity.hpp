/// \file
/// Whether the map from the reference shape onto an element is one-to-one: a certificate that its Jacobian determinant
/// keeps one sign everywhere, not only at sample points.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Bounds of the Jacobian determinant J over an element, of the map from the reference shape of base/shape.hpp, times
/// `sign`.
struct Validity {
  enum class Verdict {
    valid,     ///< J > 0 everywhere: proved
    invalid,   ///< J ≤ 0 at a point: found
    undecided  ///< the smallest J is zero as far as can be told
  };
  Verdict verdict = Verdict::undecided;
  int sign = 1;        ///< of the element's area or volume; −1 for mirrored elements
  double least = 0;    ///< lower bound of min J
  double reached = 0;  ///< smallest J found at a point: min J lies between `least` and this
  double most = 0;     ///< upper bound of max J

  /// Lower bound of min J / max J, the scaled Jacobian: 1 for affine elements, ≤ 0 for folded ones.
  double ratio() const { return most > 0 ? least / most : -1; }
};

/// J is a polynomial and lies between its smallest and largest Bernstein coefficients; those at corners are values of
/// J. Where that does not decide, the element is divided (de Casteljau), the part with the smallest coefficient first,
/// at most ten times over, until the sign is sure and, where the bound is to be tight, within 1 % of max J. (A. Johnen,
/// J.-F. Remacle, C. Geuzaine, J. Comput. Phys. 233 (2013) 359.) Values up to 10⁻⁹ of the largest count as zero:
/// rounding reaches 10⁻¹¹. \param nodes [node] in Gmsh's order, as many as the shape and geometry order have \throws
/// std::logic_error for shapes that can_certify() refuses.
enum class Bound { sign, tight };
Validity validity(Shape shape, int order, std::span<const Point> nodes, Bound bound = Bound::tight);
Validity validity(const Mesh& mesh, Index element, Bound bound = Bound::tight);

/// Triangles and quadrilaterals; solids up to geometry order 4.
bool can_certify(Shape shape, int order);
bool can_certify(const Mesh& mesh, Index element);

/// Where the element's nodes lie if it is straight-sided, with the same corners.
std::vector<Point> straight_places(const Mesh& mesh, Index element);

/// Whether a node of the element lies off the straight-sided one of the same corners, by more than 10⁻⁹ of its size.
bool is_curved(const Mesh& mesh, Index element);

/// Whether all elements are of geometry order 1.
bool is_straight(const Mesh& mesh);

/// [element] the sign of J of all elements of geometry order > 1 for which can_certify(); others are left as they are.
/// Empty for a straight mesh.
std::vector<Validity> certify(const Mesh& mesh);

/// What folded_elements() says of these.
std::vector<std::string> describe_folded(const Mesh& mesh, const std::vector<Validity>& certified,
                                         const std::string& remedy);

/// Texts for all elements of geometry order > 1 with J ≤ 0 somewhere, the worst first: which, where, how bad.
/// \param remedy ends each of them
std::vector<std::string> folded_elements(const Mesh& mesh, const std::string& remedy);

}  // namespace galerna::mesh
