/// \file
/// Boundary sides that lie upon one another: where a mesh does not fit together, or on a plate of no thickness.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Two boundary sides that lie upon one another, whole or in part.
struct Overlap {
  Side first, second;  ///< in the order of elements
  int first_boundary, second_boundary;
  bool same_side;  ///< whether their elements lie on the same side of them, and so over one another
};

/// All pairs of boundary sides that lie upon one another, in the order of their first sides. Sides of a plate are among
/// them, periodic ones are not.
///
/// Two sides lie upon one another where
/// - the corners of one are those of the other, by their places, whatever lies between them; or
/// - they cover a common part, of at least 10⁻⁴ of the smaller one, and the gap there is at most 10⁻⁸ of its size (the
///   diagonal of the box around it); or
/// - that gap is at most a tenth of the size, the elements lie on either side, and two nodes of the sides are different
///   ones at one place: so interfaces begin that are curved and meshed twice.
/// A gap of 10⁻⁶ of the size is a gap. \param mesh with faces, see prepare()
std::vector<Overlap> find_overlaps(const Mesh& mesh);

/// A text for each pair of boundaries with such sides: how many, where, which elements, and the remedy.
/// \param plates names of boundaries that may lie upon one another, as long as elements are on either side
std::vector<std::string> describe_overlaps(const Mesh& mesh, std::span<const Overlap> overlaps,
                                           std::span<const std::string> plates);

}  // namespace galerna::mesh
