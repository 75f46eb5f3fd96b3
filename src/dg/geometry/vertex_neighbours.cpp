#include "dg/geometry/vertex_neighbours.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace galerna::dg {
namespace {

/// Disjoint sets of (element, corner) pairs that are the same vertex.
class Vertices {
 public:
  explicit Vertices(std::int64_t count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int64_t find(std::int64_t i) {
    while (parent_[static_cast<std::size_t>(i)] != i) {
      std::int64_t& p = parent_[static_cast<std::size_t>(i)];
      p = parent_[static_cast<std::size_t>(p)];
      i = p;
    }
    return i;
  }
  void unite(std::int64_t i, std::int64_t j) {
    const std::int64_t a = find(i), b = find(j);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<std::int64_t> parent_;
};

/// The vertices of a prepared mesh: its elements' corners, united along the sides that they share.
Vertices unite_corners(const mesh::Mesh& mesh) {
  const Shape shape = mesh.blocks.at(0).shape;
  const int corners = corner_count(shape);
  Vertices vertices(mesh.element_count() * corners);
  for (const mesh::Face& face : mesh.faces) {
    if (face.right.element < 0) continue;
    // A prepared mesh has both elements see the side's corners in the same order.
    const auto left = side_corners(shape, face.left.side), right = side_corners(shape, face.right.side);
    for (std::size_t end = 0; end < left.size(); ++end)
      vertices.unite(face.left.element * corners + left[end], face.right.element * corners + right[end]);
  }
  return vertices;
}

/// Calls f(face, element · corners + corner) for all corners of each boundary face.
template <class F>
void for_each_boundary_corner(const mesh::Mesh& mesh, const F& f) {
  const Shape shape = mesh.blocks.at(0).shape;
  for (mesh::Index face = 0; face < mesh.boundary_faces; ++face) {
    const mesh::Side& side = mesh.faces[static_cast<std::size_t>(face)].left;
    for (int corner : side_corners(shape, side.side)) f(face, side.element * corner_count(shape) + corner);
  }
}

/// [vertex, by the first of its pairs] the elements and boundary faces around it.
using Lists = std::vector<std::vector<std::int32_t>>;

/// As in the whole mesh: kernels that see the same numbers in the same order leave the same bits.
void sort_as_in_whole_mesh(Lists& lists, const mesh::MeshPart& part) {
  const auto rank_of = [&](std::int32_t code) {
    return code < 0 ? std::pair(1, part.whole_boundary_face[static_cast<std::size_t>(-1 - code)])
                    : std::pair(0, part.whole[static_cast<std::size_t>(code)]);
  };
  for (std::vector<std::int32_t>& list : lists)
    std::sort(list.begin(), list.end(), [&](std::int32_t a, std::int32_t b) { return rank_of(a) < rank_of(b); });
}

}  // namespace

VertexNeighbours make_vertex_neighbours(const mesh::Mesh& mesh, bool with_boundary, const mesh::MeshPart* part,
                                        int least_slots) {
  const int corners = corner_count(mesh.blocks.at(0).shape);
  const std::int64_t pairs = mesh.element_count() * corners;
  Vertices vertices = unite_corners(mesh);
  Lists lists(static_cast<std::size_t>(pairs));
  for (std::int64_t i = 0; i < pairs; ++i) {
    auto& list = lists[static_cast<std::size_t>(vertices.find(i))];
    const auto element = static_cast<std::int32_t>(i / corners);
    if (list.empty() || list.back() != element) list.push_back(element);
  }
  if (with_boundary)
    for_each_boundary_corner(mesh, [&](mesh::Index face, std::int64_t pair) {
      lists[static_cast<std::size_t>(vertices.find(pair))].push_back(static_cast<std::int32_t>(-1 - face));
    });
  if (part) sort_as_in_whole_mesh(lists, *part);
  VertexNeighbours result{least_slots, {}};
  for (const auto& list : lists) result.slots = std::max(result.slots, static_cast<int>(list.size()));
  for (std::int64_t i = 0; i < pairs; ++i) {
    const auto& list = lists[static_cast<std::size_t>(vertices.find(i))];
    for (int slot = 0; slot < result.slots; ++slot)
      result.around.push_back(list[static_cast<std::size_t>(slot) < list.size() ? static_cast<std::size_t>(slot) : 0]);
  }
  return result;
}

int vertex_slots(const mesh::Mesh& mesh, bool with_boundary) {
  const int corners = corner_count(mesh.blocks.at(0).shape);
  const std::int64_t pairs = mesh.element_count() * corners;
  Vertices vertices = unite_corners(mesh);
  // An element counts once, even where periodic boundaries bring two of its corners together.
  std::vector<int> count(static_cast<std::size_t>(pairs), 0);
  std::vector<std::int64_t> last(static_cast<std::size_t>(pairs), -1);
  for (std::int64_t i = 0; i < pairs; ++i) {
    const auto vertex = static_cast<std::size_t>(vertices.find(i));
    if (last[vertex] != i / corners) count[vertex] += 1;
    last[vertex] = i / corners;
  }
  if (with_boundary)
    for_each_boundary_corner(
        mesh, [&](mesh::Index, std::int64_t pair) { count[static_cast<std::size_t>(vertices.find(pair))] += 1; });
  return pairs > 0 ? *std::max_element(count.begin(), count.end()) : 0;
}

}  // namespace galerna::dg
