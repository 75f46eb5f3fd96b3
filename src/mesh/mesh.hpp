/// \file
/// An unstructured mesh of any mixture of shapes and geometry orders, and the connectivity that a discretization needs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/shape.hpp"

namespace galerna::mesh {

using Index = std::int64_t;
using Point = std::array<double, 3>;

/// Elements of one shape and one geometry order.
struct ElementBlock {
  Shape shape;
  int order;  ///< geometry order, ≥ 1
  std::vector<Index>
      nodes;  ///< [element][node], node numbers into Mesh::nodes, nodes in Gmsh's order for shape and order
  std::vector<int> region;  ///< [element] for Mesh::regions(), −1 for none
  /// [element] position (from 0) among all elements of the mesh's dimension, in the order of the file: a permutation of
  /// 0 … Mesh::element_count() − 1 over all blocks. Refined: children in the order of their parents.
  std::vector<Index> source;

  int nodes_per_element() const { return node_count(shape, order); }
  Index size() const { return static_cast<Index>(nodes.size()) / nodes_per_element(); }
};

/// A side of an element: elements are numbered through all blocks, in the order of the blocks.
struct Side {
  Index element = -1;
  int side = -1;  ///< local number, see base/shape.hpp
};

/// A named set of sides, from a physical group of dimension Mesh::dimension − 1. Sides in a group that lie inside the
/// domain (between two elements) are no boundary. prepare() collects the sides that no group names under the name "".
struct Boundary {
  std::string name;
  std::vector<Side> sides;
};

/// A face joins a left side to a right one, or to a boundary. Its normal points from left to right, outward on
/// boundaries.
struct Face {
  Side left;
  Side right;         ///< right.element = −1 on a boundary
  int boundary = -1;  ///< index into Mesh::boundaries, −1 for interior and periodic faces
};

/// Sides of a physical group that lie between two elements of the file.
struct InnerSides {
  std::string name;
  Index count;
  Point corner;  ///< a corner of the first of them
};

/// Mesh as it is computed on. Readers give nodes, blocks, names and boundary sides; `prepare` (mesh/prepare.hpp) adds
/// the rest.
struct Mesh {
  std::string file;   ///< where it came from, for messages
  int dimension = 0;  ///< of the elements; in 2D every z is equal
  std::vector<Point> nodes;
  std::vector<ElementBlock> blocks;
  std::vector<std::string> region_names;  ///< physical groups of the elements
  /// Sets of regions (indices into region_names, increasing, more than one) that elements lie in at once.
  std::vector<std::vector<int>> shared_regions;
  std::vector<std::string> other_names;  ///< physical groups of neither elements nor sides: curves in space, points
  std::vector<InnerSides> inner_sides;   ///< what of the physical groups of sides is no boundary
  /// [source] number of the element in the mesh file, for messages and outputs; of a refined mesh, that of the element
  /// that it is a part of. Empty where there is no file: elements then count from 1.
  std::vector<std::int64_t> numbers;
  std::vector<Boundary> boundaries;  ///< physical groups of the sides; after prepare(): without periodic sides

  /// [node] the node that stands for all of its periodic images (itself where there are none).
  /// Periodicity is by translation only.
  std::vector<Index> image;

  // What prepare() adds:
  std::vector<Face> faces;  ///< boundary faces first, sorted by boundary; then interior faces by left element
  Index boundary_faces = 0;
  Index turned = 0;  ///< elements that the file orients negatively, now positive

  Index element_count() const;

  /// Nodes with their images, and the names and numbers of elements: what a mesh of other elements on these nodes
  /// begins with.
  Mesh without_elements() const;

  /// The block that element `element` lies in and its position there.
  struct Location {
    int block;
    Index position;
  };
  Location locate(Index element) const;

  /// The element's corner nodes (the first corner_count nodes), in the element's own order.
  std::vector<Index> corners(Index element) const;

  /// All nodes of the element, in Gmsh's order.
  std::span<const Index> element_nodes(Index element) const;

  /// The regions that `region` of an element stands for: none for −1, one of region_names, or, for larger numbers, all
  /// of a set of shared_regions.
  std::vector<int> regions(int region) const;

  /// The element's number in the mesh file, see `numbers`.
  std::int64_t number(Index element) const;

  Shape shape(Index element) const { return blocks[static_cast<std::size_t>(locate(element).block)].shape; }
};

}  // namespace galerna::mesh
