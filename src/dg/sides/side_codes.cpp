#include "dg/sides/side_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <tuple>

#include "base/parallel.hpp"
#include "kernels/side_code.hpp"
#include "mesh/side_order.hpp"

namespace galerna::dg {
namespace {

using kernels::orientation_bits;
using kernels::side_bits;

/// A number and, in its lowest bits, a small one beside it.
std::int32_t pack(std::int64_t number, int beside, int bits) {
  if (number < 0 || number >= code_limit >> bits || beside < 0 || beside >= 1 << bits)
    throw std::length_error(fmt::format("the numbers {} and {} have no code of 32 bits", number, beside));
  return static_cast<std::int32_t>(number << bits | beside);
}

/// −1 − number, for what lies beyond a set.
std::int32_t beyond_code(std::int64_t number) {
  return -1 - pack(number, 0, 0);
}

/// Calls visit(face) for all faces inside the domain, from any thread.
template <class Visit>
void for_each_interior(const mesh::Mesh& mesh, const Visit& visit) {
  const auto faces = std::span(mesh.faces).subspan(static_cast<std::size_t>(mesh.boundary_faces));
  in_parallel(static_cast<std::int64_t>(faces.size()), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (auto f = static_cast<std::size_t>(begin); f < static_cast<std::size_t>(end); ++f) visit(faces[f]);
  });
}

/// Calls visit(side of set number `set`, slot of the trace beyond it) for all sides of the set, from any thread.
template <class Visit>
void for_each_side(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets, const FaceSets& faces, std::size_t set,
                   const Visit& visit) {
  const mesh::Index first = sets[set].first_element, last = first + sets[set].blocks.items;
  const auto is_in = [&](const mesh::Side& side) { return side.element >= first && side.element < last; };
  const auto see = [&](const mesh::Side& at, const mesh::Side& beyond) {
    if (is_in(at)) visit(at, faces_of(faces, side_shape(sets[set].operators.shape, at.side)).slot_of(beyond));
  };
  for_each_interior(mesh, [&](const mesh::Face& face) {
    see(face.left, face.right);
    see(face.right, face.left);
  });
  for (const FaceSet& of_shape : faces)
    for (std::size_t k = 0; k < of_shape.cut().size(); ++k)
      if (const mesh::Side& at = of_shape.cut()[k].side; is_in(at))
        visit(at, of_shape.first_cut() + static_cast<std::int64_t>(k));
  for (const FaceSet& of_shape : faces)
    of_shape.for_each_face([&](std::size_t lane, mesh::Index face) {
      const mesh::Side& at = mesh.faces[static_cast<std::size_t>(face)].left;
      if (is_in(at)) visit(at, of_shape.first_ghost() + static_cast<std::int64_t>(lane));
    });
}

}  // namespace

std::int32_t element_code(std::int64_t element, int side, int sides) {
  return pack(element, side, side_bits(sides));
}
std::int64_t coded_element(std::int32_t code, int sides) {
  return code >> side_bits(sides);
}
int coded_side(std::int32_t code, int sides) {
  return code & ((1 << side_bits(sides)) - 1);
}

std::int32_t slot_code(std::int64_t slot, int orientation, Shape shape) {
  return pack(slot, orientation, orientation_bits(dimension(shape) + 1));
}

std::vector<std::int32_t> neighbour_codes(const mesh::Mesh& mesh, int block) {
  const mesh::ElementBlock& of = mesh.blocks[static_cast<std::size_t>(block)];
  const int sides = side_count(of.shape);
  std::vector<std::int32_t> result(static_cast<std::size_t>(of.size() * sides), -1);
  for_each_interior(mesh, [&](const mesh::Face& face) {
    const auto& [left, right] = std::tie(face.left, face.right);
    const mesh::Mesh::Location at_left = mesh.locate(left.element), at_right = mesh.locate(right.element);
    if (at_left.block != block || at_right.block != block) return;
    result[static_cast<std::size_t>(at_left.position * sides + left.side)] =
        element_code(at_right.position, right.side, sides);
    result[static_cast<std::size_t>(at_right.position * sides + right.side)] =
        element_code(at_left.position, left.side, sides);
  });
  return result;
}

std::vector<std::int32_t> neighbour_codes(const mesh::Mesh& mesh, const FaceSet& faces) {
  std::vector<std::int32_t> result = neighbour_codes(mesh, 0);
  faces.for_each_face([&](std::size_t lane, mesh::Index face) {
    const mesh::Side& at = mesh.faces[static_cast<std::size_t>(face)].left;
    result[static_cast<std::size_t>(at.element * side_count(mesh.blocks[0].shape) + at.side)] =
        beyond_code(static_cast<std::int64_t>(lane));
  });
  return result;
}

std::vector<std::int32_t> side_codes(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets, const FaceSets& faces,
                                     std::size_t set) {
  const ElementSet& of = sets[set];
  const Beyond kind = of.structure->beyond;
  const int sides = of.operators.sides();
  std::vector<std::int32_t> result;
  if (kind == Beyond::neighbour) result = neighbour_codes(mesh, static_cast<int>(set));
  result.resize(static_cast<std::size_t>(of.blocks.items * sides), -1);
  for_each_side(mesh, sets, faces, set, [&](const mesh::Side& at, std::int64_t slot) {
    std::int32_t& code = result[static_cast<std::size_t>((at.element - of.first_element) * sides + at.side)];
    if (kind == Beyond::turned_slot)
      code = slot_code(slot, mesh::side_orientation(mesh, at), side_shape(of.operators.shape, at.side));
    else if (kind == Beyond::slot)
      code = pack(slot, 0, 0);
    else if (code < 0)  // sides of triangles run with their traces (mesh/side_order.hpp)
      code = beyond_code(slot);
  });
  return result;
}

}  // namespace galerna::dg
