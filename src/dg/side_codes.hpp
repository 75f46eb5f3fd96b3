/// \file
/// The 32-bit codes by which kernels know what lies beyond the sides of elements (kernels/side_code.hpp): they are put
/// together here and nowhere else, and a mesh whose codes would not fit is refused.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "dg/face_set.hpp"

namespace galerna::dg {

/// An element and one of its `sides` sides. \throws std::length_error where they do not fit
std::int32_t element_code(std::int64_t element, int side, int sides);
std::int64_t coded_element(std::int32_t code, int sides);
int coded_side(std::int32_t code, int sides);

/// A slot of traces on faces of `shape`, and how the face is turned (mesh/side_order.hpp).
/// \throws std::length_error where they do not fit
std::int32_t slot_code(std::int64_t slot, int orientation, Shape shape);

/// [element of the block][side] neighbours in the block by their positions there; −1 beyond which the block ends.
std::vector<std::int32_t> neighbour_codes(const mesh::Mesh& mesh, int block);
/// The same of a mesh of one block, with −1 − (padded lane of the boundary face).
std::vector<std::int32_t> neighbour_codes(const mesh::Mesh& mesh, const FaceSet& faces);

/// [element of set number `set`][side] what its kernels take (Structure::beyond): a neighbour in the set or −1 − slot,
/// a slot, or a slot and an orientation.
std::vector<std::int32_t> side_codes(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets, const FaceSets& faces,
                                     std::size_t set);

/// What codes count of a mesh.
struct CodeCounts {
  struct Set {
    Shape shape;
    std::int64_t elements;
  };
  std::vector<Set> sets;
  std::vector<std::int64_t> boundary_faces;  ///< of each boundary
  bool turned = false;                       ///< whether codes of slots have orientations beside them
};
/// \param mesh prepared (mesh/prepare.hpp).
CodeCounts code_counts(const mesh::Mesh& mesh, const Spec& spec);

/// All codes must be less than 2³¹, for any padding.
/// \throws InputError at `place` which says how many elements there are and how many of such a mesh fit.
void require_codes(const CodeCounts& counts, const SourcePlace& place);

}  // namespace galerna::dg
