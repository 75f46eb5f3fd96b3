#include "mesh/counts.hpp"

#include <limits>
#include <stdexcept>

#include "mesh/subdivision.hpp"

namespace galerna::mesh {
namespace {

/// Nodes for each element of a large mesh.
double nodes_for_each(Shape shape) {
  switch (shape) {
    case Shape::triangle:
    case Shape::prism:
      return 0.5;
    case Shape::tetrahedron:
    case Shape::pyramid:
      return 0.2;
    default:
      return 1;
  }
}

}  // namespace

ElementCounts count_elements(const Mesh& mesh) {
  ElementCounts counts;
  for (const ElementBlock& block : mesh.blocks) counts[block.shape] += block.size();
  return counts;
}

ElementCounts refined(ElementCounts counts, int levels) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  for (int level = 0; level < levels; ++level) {
    ElementCounts next;
    for (const auto& [shape, count] : counts) {
      if (count > most) throw std::overflow_error("refined: too many elements");
      for (const Shape child : make_subdivision(shape).shapes) next[child] += count;
    }
    counts = std::move(next);
  }
  return counts;
}

std::int64_t sum(const ElementCounts& counts) {
  std::int64_t sum = 0;
  for (const auto& [shape, count] : counts) sum += count;
  return sum;
}

MeshBytes bytes_of(const ElementCounts& counts) {
  constexpr double node = sizeof(Point) + sizeof(Index);  // its place and its image
  double bytes = 0;
  for (const auto& [shape, count] : counts) {
    const double each = static_cast<double>(sizeof(Index)) * (corner_count(shape) + 1) + sizeof(int) +
                        static_cast<double>(sizeof(Face)) * 0.5 * side_count(shape) + node * nodes_for_each(shape);
    bytes += each * static_cast<double>(count);
  }
  // Measured on triangles, tetrahedra and hexahedra: with what allocation keeps, and with what finding faces takes.
  constexpr double kept = 1.1, most = 1.35;
  return {static_cast<std::size_t>(kept * bytes), static_cast<std::size_t>(most * bytes)};
}

}  // namespace galerna::mesh
