/// \file
/// Where the nodes of a high-order element lie: integer positions of the complete Lagrange elements, in Gmsh's node
/// order.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/shape.hpp"

namespace galerna {

/// Position (i, j, k) of a node, in steps of 1/order. Triangles and tetrahedra: i, j, k weigh corners 1, 2, 3.
/// Quadrilaterals and hexahedra: steps along x, y, z. Prisms: the triangle's i, j and the step k along z. Pyramids:
/// layer k from the base, (i, j) in the square of order + 1 − k points a side that the layer is.
using LatticePoint = std::array<int, 3>;

/// [node] positions of the nodes of the complete element of order `order` ≥ 1, as Gmsh numbers them (Gmsh reference
/// manual, "Node ordering": corners, then edges, faces and interior, each again ordered like an element of lower
/// order).
std::vector<LatticePoint> node_lattice(Shape shape, int order);

/// The same positions on the reference domain of base/shape.hpp.
std::array<double, 3> reference_point(Shape shape, int order, const LatticePoint& point);

/// Local numbers of all nodes on side `side`, in increasing order (so its corners first).
std::vector<int> side_nodes(Shape shape, int order, int side);

/// The same in the order of the side's own nodes, as those of an element of the side's shape.
std::vector<int> side_in_order(Shape shape, int order, int side);

/// The permutation that a new order of a simplex's corners asks of its nodes: with new corner i = old corner
/// corners[i], new node n = old node result[n].
std::vector<int> permute_simplex(Shape shape, int order, std::span<const int> corners);

/// The permutation that mirrors an element of any shape (its first two lattice axes are exchanged): new node n = old
/// node result[n]. It turns a negatively oriented element into a positive one.
std::vector<int> mirror(Shape shape, int order);

}  // namespace galerna
