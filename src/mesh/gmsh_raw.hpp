/// \file
/// What stands in an MSH file, before it becomes a Mesh. For the reader's own files only.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh/gmsh_cursor.hpp"
#include "mesh/gmsh_elements.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Node numbers of the file (any positive integers, with gaps) to positions in Mesh::nodes.
class NodeNumbers {
 public:
  void add(std::int64_t number, std::size_t position);
  /// Room for `count` more, and what stands there from then on. Any thread may set numbers of its own.
  std::size_t grow(std::size_t count);
  void set(std::size_t node, std::int64_t number, std::size_t position);
  void shrink(std::size_t size);
  /// Ends the adding. \throws InputError for a number that was added twice.
  void finish(const GmshCursor& cursor);
  /// The node's position, −1 where the file has no such node.
  Index find(std::int64_t number) const;
  std::int64_t number(Index node) const { return numbers_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<std::int64_t> numbers_;   ///< [node]
  std::vector<std::size_t> positions_;  ///< [node] byte in the file
  std::vector<Index> dense_;            ///< [number], −1 for none
  std::unordered_map<std::int64_t, Index> sparse_;
};

struct RawElement {
  std::int64_t number;  ///< in the file
  GmshElement type;
  int groups;            ///< index into RawMesh::group_sets
  Index first_node;      ///< index into RawMesh::element_nodes
  std::size_t position;  ///< byte in the file
};

struct PeriodicLink {
  std::size_t position;                        ///< byte in the file
  std::vector<std::pair<Index, Index>> nodes;  ///< node, node that it is the image of
};

struct RawMesh {
  std::vector<Point> nodes;
  NodeNumbers numbers;
  std::vector<RawElement> elements;
  std::vector<Index> element_nodes;
  std::vector<std::vector<int>> group_sets{{}};              ///< sets of physical groups; the first is empty
  std::map<std::vector<int>, int> group_set_index{{{}, 0}};  ///< set -> index into group_sets
  std::map<std::pair<int, int>, int> entity_groups;          ///< dimension, entity -> index into group_sets
  std::map<std::pair<int, int>, std::string> group_names;    ///< dimension, physical group -> name
  std::vector<PeriodicLink> periodic;
};

/// Reads the sections that hold the mesh, from the cursor's place behind $MeshFormat to the end.
/// \param version 2 or 4 (4.1)
void read_gmsh_sections(GmshCursor& cursor, int version, bool binary, RawMesh& raw);

/// Sections of format 4.1.
namespace gmsh_4 {
void read_entities(GmshCursor& cursor, RawMesh& raw);
void read_nodes(GmshCursor& cursor, RawMesh& raw);
void read_elements(GmshCursor& cursor, RawMesh& raw);
void read_periodic(GmshCursor& cursor, RawMesh& raw);
}  // namespace gmsh_4

/// Sections of format 2.2.
namespace gmsh_2 {
void read_nodes(GmshCursor& cursor, RawMesh& raw);
void read_elements(GmshCursor& cursor, RawMesh& raw);
void read_periodic(GmshCursor& cursor, RawMesh& raw);
}  // namespace gmsh_2

/// The index into group_sets of the set that holds exactly `groups`.
int group_set(RawMesh& raw, const std::vector<int>& groups);

/// The type, which must be one that is read.
GmshElement known_type(const GmshCursor& cursor, int type);

/// Position of the node with this number. `user` says who names it, for the message.
Index known_node(const GmshCursor& cursor, const RawMesh& raw, std::int64_t number, const std::string& user);

/// Turns what the file holds into a mesh: blocks, regions, boundary sides, periodic images.
/// \throws InputError (with the place in the file) for a mesh without elements of two or three dimensions, a non-planar
///         two-dimensional mesh, a side with two names or without an element, periodicity that is not a translation.
Mesh assemble_gmsh(const GmshCursor& cursor, const RawMesh& raw, const std::string& name);

}  // namespace galerna::mesh
