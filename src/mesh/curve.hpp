/// \file
/// From straight elements at a wall to curved ones that follow its true shape.
#pragma once

#include "mesh/mesh.hpp"
#include "mesh/plane_curve.hpp"

namespace galerna::mesh {

/// Raises the elements that have a side on one of the boundaries to geometry order `order`, 2 … 6, and leaves all
/// others as they are: the raised elements stand in blocks of their own behind the straight ones; sides that are not on
/// a curved wall stay straight, so that elements meet as before.
///
/// Vertices of wall sides move onto the curve, and the nodes between them lie on it, equally spaced in its parameter.
/// Inside, the wall side's displacement δ from the straight side is blended to zero: with (1 − η) δ(ξ) in
/// quadrilaterals (W. J. Gordon, C. A. Hall, Int. J. Numer. Meth. Eng. 7 (1973) 461), and in triangles with λ_a λ_b
/// q((1 + λ_b − λ_a)/2), where δ(ξ) = ξ (1 − ξ) q(ξ) (B. Szabó, I. Babuška, Finite Element Analysis, 1991,
/// section 6.1), which is a polynomial of degree `order` whose derivatives decrease with h as optimal interpolation
/// asks (M. Lenoir, SIAM J. Numer. Anal. 23 (1986) 562). \param mesh in the plane, as it was read or refined, before
/// prepare() \throws InputError for other than straight elements, unknown boundaries, walls whose vertices lie off
/// their curve by more than allowed_off_shape (mesh/surface.hpp), sides that span too much of it, and elements that
/// fold (the worst first).
Mesh curve(const Mesh& mesh, const Curves& curves, int order);

}  // namespace galerna::mesh
