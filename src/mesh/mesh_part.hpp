/// \file
/// What each rank of a run on many devices holds of a mesh.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// What one rank computes: its own elements and, behind them in each block, copies of others' (ghosts). Both keep the
/// order of the whole mesh.
struct MeshPart {
  /// All blocks, regions and boundaries of the whole mesh, in the same order, also those of which the part has nothing.
  /// Nodes are those of its elements and those that stand for them (Mesh::image), in the order of the whole mesh;
  /// ElementBlock::source and Mesh::numbers are those of the whole mesh. Faces are those with an own element, in the
  /// order of the whole mesh, left and right as there.
  Mesh mesh;
  std::vector<Index> owned;                ///< [block] how many of the part's elements are its own, which come first
  std::vector<Index> whole;                ///< [element of the part, through all blocks] its number in the whole mesh
  std::vector<Index> whole_boundary_face;  ///< [boundary face of the part] its number in the whole mesh
  /// Faces of ghosts alone, with GhostLayer::vertices only: with them all elements around a vertex of an own element
  /// hang together as in the whole mesh. In its order, those on boundaries first.
  std::vector<Face> ghost_faces;
  std::vector<Index> whole_ghost_face;  ///< [of ghost_faces] its number in the whole mesh

  /// What goes to another rank and comes from it: elements of the part, in the order of the whole mesh, so that one
  /// rank sends in the order in which the other receives.
  struct Link {
    int rank = -1;
    std::vector<Index> send;     ///< own elements
    std::vector<Index> receive;  ///< ghosts
  };
  std::vector<Link> links;  ///< by increasing rank
};

/// Which elements of others a rank has copies of.
enum class GhostLayer {
  sides,    ///< those that share a side with one of its own, periodic sides too
  vertices  ///< those that share a vertex, or a periodic image of it: limiters look there
};

/// A part in numbers.
struct PartSize {
  Index owned = 0, ghosts = 0;
  int neighbours = 0;   ///< ranks that it exchanges with
  Index cut_sides = 0;  ///< faces between an own element and a ghost
};

/// Makes the parts of a mesh, which it searches once for all of them.
class PartMaker {
 public:
  /// \param whole prepared; kept by reference \param ranks [element] as from cut() (mesh/cut.hpp)
  /// \throws std::invalid_argument if there is not one rank ≥ 0 for each element
  PartMaker(const Mesh& whole, std::vector<int> ranks, GhostLayer layer);

  int count() const { return static_cast<int>(own_.starts.size()) - 1; }
  PartSize size(int rank) const;
  /// \throws std::invalid_argument for a rank without an element
  MeshPart make(int rank);

 private:
  /// Items of rank r are items[starts[r]] … items[starts[r + 1] − 1].
  struct ByRank {
    std::vector<std::size_t> starts{};
    std::vector<Index> items{};
    std::span<const Index> of(int rank) const;
  };
  /// An element that another rank has a copy of.
  struct Copy {
    Index element;
    int owner, holder;
  };

  void add_copies_beside_sides();
  void add_copies_around_vertices();
  void sort_copies();
  void find_ghost_faces();
  template <class ForEach>
  static ByRank sorted_by_rank(int ranks, const ForEach& for_each);
  std::span<const Copy> held_by(int rank) const;
  std::span<const Copy> owned_by(int rank) const;

  void add_elements(MeshPart& part, int rank);
  void add_nodes(MeshPart& part);
  void add_faces(MeshPart& part, int rank) const;
  void add_ghost_faces(MeshPart& part, int rank) const;
  void add_links(MeshPart& part, int rank) const;
  Face in_part(Face face) const;

  const Mesh& whole_;
  std::vector<int> ranks_;
  ByRank own_, faces_, ghost_faces_;
  std::vector<Copy> held_;   ///< by holder and element
  std::vector<Copy> given_;  ///< the same by owner, holder and element
  // Of the part that is being made:
  std::vector<Index> element_number_;  ///< [element of the whole mesh] number in the part, for its elements only
  std::vector<Index> node_number_;  ///< [node of the whole mesh] number in the part, −1 for others between two parts
};

/// The part of one rank; whoever wants all of them asks a PartMaker.
MeshPart make_part(const Mesh& whole, const std::vector<int>& ranks, int rank, GhostLayer layer);

/// A part as bytes, for sending it to its rank, which must be of the same build.
std::vector<std::byte> to_bytes(const MeshPart& part);

/// \throws SystemError for bytes that are not those of one whole part
MeshPart from_bytes(std::span<const std::byte> bytes);

}  // namespace galerna::mesh
