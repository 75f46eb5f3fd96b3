/// \file
/// Elements that lie over one another though they share no side: a part of the domain that is meshed twice.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mesh/overlaps.hpp"

namespace galerna::mesh {

/// An element at the boundary, and one that it lies over.
struct Cover {
  Index element, other;
  Point place;  ///< inside both
};

/// Where two parts of a mesh lie over one another, the boundary of one runs through the other. So each node of the
/// boundary, in the plane each boundary side, too, is asked for a point close to it inside an element that it belongs
/// to, and other elements are sought that have the point inside. Both are held against the true maps of the elements:
/// no mesh is found that covers each point once. Parts go unseen that cover each other by less than 1/100 of the
/// elements' height, or have none of these points in one another.
///
/// Boundaries with sides in `overlaps` are left out: plates whose sides are meshed differently may have elements that
/// reach into one another by the bend of their sides.
/// \param mesh with faces, see prepare() \returns one for each element and other one, in the order of elements
std::vector<Cover> find_covers(const Mesh& mesh, std::span<const Overlap> overlaps);

/// How many elements, where, which, and the remedy; empty where there are none.
std::string describe_covers(const Mesh& mesh, std::span<const Cover> covers);

}  // namespace galerna::mesh
