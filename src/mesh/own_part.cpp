#include "mesh/own_part.hpp"

namespace galerna::mesh {
namespace {

/// [element of the part with ghosts] its number among the own ones, or −1.
std::vector<Index> own_numbers(const MeshPart& part) {
  std::vector<Index> numbers;
  Index next = 0;
  for (std::size_t b = 0; b < part.mesh.blocks.size(); ++b)
    for (Index i = 0; i < part.mesh.blocks[b].size(); ++i) numbers.push_back(i < part.owned[b] ? next++ : -1);
  return numbers;
}

/// [element of the part with ghosts] whose it is; −1 for own ones.
std::vector<int> owners(const MeshPart& part) {
  std::vector<int> result(part.whole.size(), -1);
  for (const MeshPart::Link& link : part.links)
    for (const Index ghost : link.receive) result[static_cast<std::size_t>(ghost)] = link.rank;
  return result;
}

/// A block's own elements.
ElementBlock own_block(const ElementBlock& block, Index owned) {
  ElementBlock own = block;
  const auto count = static_cast<std::size_t>(owned);
  own.nodes.resize(count * static_cast<std::size_t>(block.nodes_per_element()));
  own.region.resize(std::min(own.region.size(), count));
  own.source.resize(std::min(own.source.size(), count));
  return own;
}

}  // namespace

OwnPart own_part(const MeshPart& part) {
  const std::vector<Index> numbers = own_numbers(part);
  const std::vector<int> owner = owners(part);
  const auto number = [&](Index element) { return element < 0 ? -1 : numbers[static_cast<std::size_t>(element)]; };
  OwnPart own;
  own.mesh = part.mesh;
  own.mesh.faces.clear();
  for (std::size_t b = 0; b < part.mesh.blocks.size(); ++b)
    own.mesh.blocks[b] = own_block(part.mesh.blocks[b], part.owned[b]);
  for (Boundary& boundary : own.mesh.boundaries)
    for (Side& side : boundary.sides) side.element = number(side.element);
  for (std::size_t e = 0; e < numbers.size(); ++e)
    if (numbers[e] >= 0) own.whole.push_back(part.whole[e]);
  own.whole_boundary_face = part.whole_boundary_face;
  for (const Face& face : part.mesh.faces) {
    const Side left{number(face.left.element), face.left.side}, right{number(face.right.element), face.right.side};
    if (face.right.element >= 0 && right.element < 0)
      own.cut.push_back({left, owner[static_cast<std::size_t>(face.right.element)]});
    else if (left.element < 0)
      own.cut.push_back({right, owner[static_cast<std::size_t>(face.left.element)]});
    else
      own.mesh.faces.push_back({left, right, face.boundary});
  }
  return own;
}

}  // namespace galerna::mesh
