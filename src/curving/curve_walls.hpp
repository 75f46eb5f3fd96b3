/// \file
/// From a straight mesh to one whose walls follow their true shapes, with a certificate.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/surface.hpp"

namespace galerna::curving {

struct Options {
  int order = 2;         ///< of the geometry, 2 … 4
  int layers = 2;        ///< see find_layers()
  double poisson = 0.3;  ///< ν
  bool split = true;     ///< elements that cannot be curved; else they are an error
};

/// A node of a wall that was not moved all the way to its shape.
struct HeldNode {
  mesh::Index node;   ///< of the curved mesh
  mesh::Point place;  ///< where it is
  double distance;    ///< from where it belongs
};

struct Report {
  mesh::Index curved = 0;      ///< elements that were raised
  mesh::Index wall_nodes = 0;  ///< nodes on the walls, corners among them
  mesh::Index unknowns = 0;    ///< of the elasticity problem: three, in the plane two, for each node
  int solves = 0, iterations = 0;
  bool converged = true;
  double least_ratio = 1;      ///< smallest lower bound of min J / max J of the raised elements
  mesh::Index worst = -1;      ///< the element that has it, in the curved mesh
  std::vector<HeldNode> held;  ///< the farthest first
  mesh::Index split = 0;       ///< edges that were split, see cramped.hpp
  mesh::Index cramped = 0;     ///< elements that could not be helped in this way
};

struct Curved {
  mesh::Mesh mesh;
  Report report;
};

/// Splits elements that cannot be curved (cramped.hpp). Then raises the elements of `layers` layers at the walls to
/// geometry order `order`, and moves the walls' nodes onto the true shapes. The rest of the layers follows as a
/// linearly elastic body (M. Siebenborn, V. Schulz, S. Schmidt, Comput. Visual. Sci. 15 (2012), section 3): it is held
/// where the layers end, and slides along other boundaries, which keep their shape.
///
/// All raised elements are then proved valid (mesh/validity.hpp). Where min J / max J < 0.05, or less than half of what
/// the straight element has, the displacement of the wall nodes at the element is halved and the body solved again,
/// at most five times; after that these nodes do not move at all. So a valid straight mesh gives a valid curved one.
/// \param mesh straight, before prepare() \throws InputError for other than straight elements, those that are invalid
/// before they are curved, those that cannot be curved where they may not be split, orders out of range, ν outside of
/// (−1, 0.5), layers < 1, and what place_wall_nodes() refuses
Curved curve_walls(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const Options& options);

/// Several lines for people.
std::string describe(const Curved& curved);

/// All nodes that were held back, as CSV: x, y, z and the distance from their shape.
std::string held_as_csv(const std::vector<HeldNode>& held);

}  // namespace galerna::curving
