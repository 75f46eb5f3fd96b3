#include "mesh/own_part.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace galerna::mesh {
namespace {

/// Calls visit(side of an own element, the ghost beyond it) for all sides at cuts, by the order of faces.
/// \param is_own [element of the part with ghosts]
template <class Visit>
void for_each_cut(const MeshPart& part, const std::vector<bool>& is_own, const Visit& visit) {
  for (const Face& face : part.mesh.faces) {
    if (face.right.element < 0) continue;
    if (!is_own[static_cast<std::size_t>(face.right.element)]) visit(face.left, face.right.element);
    if (!is_own[static_cast<std::size_t>(face.left.element)]) visit(face.right, face.left.element);
  }
}

std::vector<bool> own_elements(const MeshPart& part) {
  std::vector<bool> is_own;
  for (std::size_t b = 0; b < part.mesh.blocks.size(); ++b)
    for (Index i = 0; i < part.mesh.blocks[b].size(); ++i) is_own.push_back(i < part.owned[b]);
  return is_own;
}

/// Marks whole groups that have a mark, then further elements from the first one on, until they are a multiple.
void complete(std::vector<bool>& marks, const OuterFirst& order) {
  const auto count = static_cast<Index>(marks.size());
  Index marked = 0;
  for (Index first = 0; first < count; first += order.together) {
    const auto begin = marks.begin() + first, end = marks.begin() + std::min(count, first + order.together);
    if (std::find(begin, end, true) == end) continue;
    std::fill(begin, end, true);
    marked += end - begin;
  }
  for (Index i = 0; i < count && marked % order.unit != 0; ++i) {
    if (marks[static_cast<std::size_t>(i)]) continue;
    marks[static_cast<std::size_t>(i)] = true;
    ++marked;
  }
}

/// [block][own element] whether it is outer.
std::vector<std::vector<bool>> outer_elements(const MeshPart& part, const std::vector<bool>& is_own,
                                              const std::optional<OuterFirst>& order) {
  std::vector<std::vector<bool>> outer;
  for (const Index owned : part.owned) outer.emplace_back(static_cast<std::size_t>(owned), !order);
  if (!order) return outer;
  for_each_cut(part, is_own, [&](const Side& own, Index) {
    const auto [block, position] = part.mesh.locate(own.element);
    outer[static_cast<std::size_t>(block)][static_cast<std::size_t>(position)] = true;
  });
  for (std::vector<bool>& marks : outer) complete(marks, *order);
  return outer;
}

/// [own element of the block] the one that takes its place, as its position.
std::vector<Index> outer_before_inner(const std::vector<bool>& outer) {
  std::vector<Index> positions(outer.size());
  std::iota(positions.begin(), positions.end(), Index{0});
  std::stable_partition(positions.begin(), positions.end(),
                        [&](Index i) { return static_cast<bool>(outer[static_cast<std::size_t>(i)]); });
  return positions;
}

/// [element of the part with ghosts] whose it is; −1 for own ones.
std::vector<int> owners(const MeshPart& part) {
  std::vector<int> result(part.whole.size(), -1);
  for (const MeshPart::Link& link : part.links)
    for (const Index ghost : link.receive) result[static_cast<std::size_t>(ghost)] = link.rank;
  return result;
}

/// Some elements of a block. \param positions [element] its position in the block
ElementBlock block_of(const ElementBlock& block, const std::vector<Index>& positions) {
  ElementBlock own{block.shape, block.order, {}, {}, {}};
  const Index nodes = block.nodes_per_element();
  for (const Index i : positions) {
    own.nodes.insert(own.nodes.end(), block.nodes.begin() + i * nodes, block.nodes.begin() + (i + 1) * nodes);
    if (!block.region.empty()) own.region.push_back(block.region[static_cast<std::size_t>(i)]);
    if (!block.source.empty()) own.source.push_back(block.source[static_cast<std::size_t>(i)]);
  }
  return own;
}

/// A part with its own elements in another order and all faces in its mesh.
/// \param positions [block][own element] its position in the block
MeshPart in_order(const MeshPart& part, std::vector<std::vector<Index>> positions) {
  MeshPart result = part;
  std::vector<Index> numbers(part.whole.size());  // [element of the part] in the result
  Index first = 0;                                // of the block
  for (std::size_t b = 0; b < positions.size(); ++b) {
    const ElementBlock& block = part.mesh.blocks[b];
    for (Index ghost = part.owned[b]; ghost < block.size(); ++ghost) positions[b].push_back(ghost);
    result.mesh.blocks[b] = block_of(block, positions[b]);
    for (std::size_t i = 0; i < positions[b].size(); ++i) {
      const auto before = static_cast<std::size_t>(first + positions[b][i]);
      numbers[before] = first + static_cast<Index>(i);
      result.whole[static_cast<std::size_t>(numbers[before])] = part.whole[before];
    }
    first += block.size();
  }
  const auto number = [&](Index& element) {
    if (element >= 0) element = numbers[static_cast<std::size_t>(element)];
  };
  std::vector<Face>& faces = result.mesh.faces;
  const auto of_boundary = std::find_if(part.ghost_faces.begin(), part.ghost_faces.end(),
                                        [](const Face& face) { return face.right.element >= 0; });
  faces.insert(faces.begin() + part.mesh.boundary_faces, part.ghost_faces.begin(), of_boundary);
  faces.insert(faces.end(), of_boundary, part.ghost_faces.end());
  const std::size_t ghosts = static_cast<std::size_t>(of_boundary - part.ghost_faces.begin());
  result.mesh.boundary_faces += static_cast<Index>(ghosts);
  result.whole_boundary_face.insert(result.whole_boundary_face.end(), part.whole_ghost_face.begin(),
                                    part.whole_ghost_face.begin() + static_cast<std::ptrdiff_t>(ghosts));
  result.ghost_faces.clear();
  result.whole_ghost_face.clear();
  for (Face& face : faces) number(face.left.element), number(face.right.element);
  for (Boundary& boundary : result.mesh.boundaries)
    for (Side& side : boundary.sides) number(side.element);
  for (MeshPart::Link& link : result.links)
    for (std::vector<Index>* elements : {&link.send, &link.receive})
      for (Index& element : *elements) number(element);
  return result;
}

}  // namespace

OwnPart own_part(const MeshPart& part, const std::optional<OuterFirst>& order, bool keeps_ghosts) {
  const std::vector<bool> is_own = own_elements(part);
  const std::vector<std::vector<bool>> outer = outer_elements(part, is_own, order);
  const std::vector<int> owner = owners(part);
  std::vector<Index> numbers(is_own.size(), -1);  // [element of the part with ghosts] among the own ones
  OwnPart own;
  own.mesh = part.mesh;
  own.mesh.faces.clear();
  Index first = 0, next = 0;  // of the block with ghosts; of the own elements
  std::vector<std::vector<Index>> all_positions;
  for (std::size_t b = 0; b < part.mesh.blocks.size(); ++b) {
    const std::vector<Index>& positions = all_positions.emplace_back(outer_before_inner(outer[b]));
    own.mesh.blocks[b] = block_of(part.mesh.blocks[b], positions);
    own.outer.push_back(std::count(outer[b].begin(), outer[b].end(), true));
    for (const Index i : positions) {
      numbers[static_cast<std::size_t>(first + i)] = next++;
      own.whole.push_back(part.whole[static_cast<std::size_t>(first + i)]);
    }
    first += part.mesh.blocks[b].size();
  }
  const auto number = [&](const Side& side) {
    return Side{side.element < 0 ? -1 : numbers[static_cast<std::size_t>(side.element)], side.side};
  };
  for (Boundary& boundary : own.mesh.boundaries)
    for (Side& side : boundary.sides) side = number(side);
  own.whole_boundary_face = part.whole_boundary_face;
  for (const Face& face : part.mesh.faces)
    if (is_own[static_cast<std::size_t>(face.left.element)] &&
        (face.right.element < 0 || is_own[static_cast<std::size_t>(face.right.element)]))
      own.mesh.faces.push_back({number(face.left), number(face.right), face.boundary});
  for_each_cut(part, is_own, [&](const Side& side, Index ghost) {
    own.cut.push_back({number(side), owner[static_cast<std::size_t>(ghost)]});
  });
  if (keeps_ghosts) own.with_ghosts = in_order(part, std::move(all_positions));
  return own;
}

}  // namespace galerna::mesh
