#include "mesh/mesh.hpp"

#include <stdexcept>

namespace galerna::mesh {

Index Mesh::element_count() const {
  Index count = 0;
  for (const ElementBlock& block : blocks) count += block.size();
  return count;
}

Mesh Mesh::without_elements() const {
  Mesh result;
  result.file = file;
  result.dimension = dimension;
  result.nodes = nodes;
  result.image = image;
  result.region_names = region_names;
  result.shared_regions = shared_regions;
  result.other_names = other_names;
  result.inner_sides = inner_sides;
  result.numbers = numbers;
  return result;
}

Mesh::Location Mesh::locate(Index element) const {
  Index position = element;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index size = blocks[b].size();
    if (position >= 0 && position < size) return {static_cast<int>(b), position};
    position -= size;
  }
  throw std::out_of_range("the mesh has no element " + std::to_string(element));
}

std::span<const Index> Mesh::element_nodes(Index element) const {
  const auto [b, position] = locate(element);
  const ElementBlock& block = blocks[static_cast<std::size_t>(b)];
  const auto n = static_cast<std::size_t>(block.nodes_per_element());
  return std::span(block.nodes).subspan(static_cast<std::size_t>(position) * n, n);
}

std::vector<int> Mesh::regions(int region) const {
  const auto single = static_cast<int>(region_names.size());
  if (region < 0) return {};
  if (region < single) return {region};
  return shared_regions[static_cast<std::size_t>(region - single)];
}

std::int64_t Mesh::number(Index element) const {
  const auto [b, position] = locate(element);
  const Index source = blocks[static_cast<std::size_t>(b)].source[static_cast<std::size_t>(position)];
  return numbers.empty() ? source + 1 : numbers[static_cast<std::size_t>(source)];
}

std::vector<Index> Mesh::corners(Index element) const {
  const auto first = element_nodes(element).first(static_cast<std::size_t>(corner_count(shape(element))));
  return {first.begin(), first.end()};
}

}  // namespace galerna::mesh
