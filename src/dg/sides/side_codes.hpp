/// \file
/// The 32-bit codes by which kernels know what lies beyond the sides of elements (kernels/side_code.hpp): they are put
/// together here and nowhere else (dg/sides/code_counts.hpp refuses meshes whose codes would not fit).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "dg/sides/face_set.hpp"

namespace galerna::dg {

/// All codes are less.
inline constexpr std::int64_t code_limit = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;

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

}  // namespace galerna::dg
