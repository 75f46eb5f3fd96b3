#include "mesh/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/error.hpp"
#include "base/index.hpp"
#include "mesh/geometry.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

using Simplex = std::vector<Index>;  // nodes

/// The pieces of a polygon, its nodes in order round it.
std::vector<Simplex> pieces_of_polygon(const std::vector<Index>& nodes) {
  const auto lowest = static_cast<std::size_t>(std::min_element(nodes.begin(), nodes.end()) - nodes.begin());
  std::vector<Simplex> pieces;
  for (std::size_t k = 1; k + 1 < nodes.size(); ++k)
    pieces.push_back({nodes[lowest], nodes[(lowest + k) % nodes.size()], nodes[(lowest + k + 1) % nodes.size()]});
  return pieces;
}

std::vector<Index> side_nodes(const std::vector<Index>& corners, Shape shape, int side) {
  std::vector<Index> nodes;
  for (const int corner : side_corners(shape, side)) nodes.push_back(corners[static_cast<std::size_t>(corner)]);
  return nodes;
}

/// Of a side: triangles, in the plane the line.
std::vector<Simplex> pieces_of_side(const std::vector<Index>& corners, Shape shape, int side) {
  const std::vector<Index> nodes = side_nodes(corners, shape, side);
  return nodes.size() == 2 ? std::vector<Simplex>{nodes} : pieces_of_polygon(nodes);
}

std::vector<Simplex> pieces_of_element(const std::vector<Index>& corners, Shape shape) {
  if (dimension(shape) == 2) return pieces_of_polygon(corners);
  const Index lowest = *std::min_element(corners.begin(), corners.end());
  std::vector<Simplex> pieces;
  for (int side = 0; side < side_count(shape); ++side) {
    const std::vector<Index> nodes = side_nodes(corners, shape, side);
    if (std::find(nodes.begin(), nodes.end(), lowest) != nodes.end()) continue;
    for (Simplex& piece : pieces_of_polygon(nodes)) {
      piece.insert(piece.begin(), lowest);
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

/// Twice the area, or six times the volume, with a sign. \param apex in place of the first node
double signed_measure(const Mesh& mesh, const Simplex& simplex, const Point& apex) {
  std::array<Point, 3> edges{};
  for (std::size_t e = 0; e + 1 < simplex.size(); ++e)
    for (std::size_t k = 0; k < 3; ++k) edges[e][k] = mesh.nodes[at(simplex[e + 1])][k] - apex[k];
  if (simplex.size() == 3) edges[2] = {0, 0, 1};
  const auto& [a, b, c] = edges;
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

class Splitter {
 public:
  explicit Splitter(const Mesh& coarse) : coarse_(coarse), fine_(coarse.without_elements()) {}

  SplitMesh split() {
    ElementBlock block{coarse_.dimension == 2 ? Shape::triangle : Shape::tetrahedron, 1, {}, {}, {}};
    for (const ElementBlock& coarse : coarse_.blocks)
      for (Index position = 0; position < coarse.size(); ++position) divide(coarse, position, block);
    first_.push_back(static_cast<Index>(parents_.size()));
    number_as_in_file(block);
    const std::vector<Index> source = block.source;
    fine_.blocks.push_back(std::move(block));
    for (const Boundary& boundary : coarse_.boundaries) divide(boundary);
    prepare(fine_);
    std::vector<Index> parent_of_source(parents_.size());
    for (std::size_t piece = 0; piece < source.size(); ++piece) parent_of_source[at(source[piece])] = parents_[piece];
    SplitMesh result{std::move(fine_), {}};
    for (const Index piece : result.mesh.blocks.front().source) result.parents.push_back(parent_of_source[at(piece)]);
    return result;
  }

 private:
  void divide(const ElementBlock& coarse, Index position, ElementBlock& block) {
    const auto element = static_cast<Index>(first_.size());
    first_.push_back(static_cast<Index>(parents_.size()));
    const std::vector<Index> corners = coarse_.corners(element);
    Point centre{};
    for (const Index corner : corners)
      for (std::size_t k = 0; k < 3; ++k)
        centre[k] += coarse_.nodes[at(corner)][k] / static_cast<double>(corners.size());
    for (const Simplex& piece : pieces_of_element(corners, coarse.shape)) {
      // The lowest node must see the other side as the centre does.
      if (!(signed_measure(coarse_, piece, coarse_.nodes[at(piece.front())]) * signed_measure(coarse_, piece, centre) >
            0))
        throw InputError({coarse_.file}, fmt::format("{} is too distorted to be split into {}: mesh with those",
                                                     place_of(coarse_, element), plural_name(block.shape)));
      block.nodes.insert(block.nodes.end(), piece.begin(), piece.end());
      block.region.push_back(coarse.region[at(position)]);
      parents_.push_back(element);
    }
  }

  /// The pieces of the file's first element first, and so on.
  void number_as_in_file(ElementBlock& block) {
    std::vector<Index> first_of_source(first_.size(), 0);
    Index element = 0;
    for (const ElementBlock& coarse : coarse_.blocks)
      for (const Index source : coarse.source) {
        first_of_source[at(source) + 1] = first_[at(element + 1)] - first_[at(element)];
        ++element;
      }
    std::partial_sum(first_of_source.begin(), first_of_source.end(), first_of_source.begin());
    fine_.numbers.resize(parents_.size());
    element = 0;
    for (const ElementBlock& coarse : coarse_.blocks)
      for (const Index source : coarse.source) {
        for (Index piece = first_[at(element)]; piece < first_[at(element + 1)]; ++piece) {
          block.source.push_back(first_of_source[at(source)] + piece - first_[at(element)]);
          fine_.numbers[at(block.source.back())] = coarse_.number(element);
        }
        ++element;
      }
  }

  void divide(const Boundary& boundary) {
    Boundary fine{boundary.name, {}};
    for (const Side& side : boundary.sides)
      for (const Simplex& piece : pieces_of_side(coarse_.corners(side.element), coarse_.shape(side.element), side.side))
        fine.sides.push_back(find_side(side.element, piece));
    fine_.boundaries.push_back(std::move(fine));
  }

  /// Which side of which piece of an element has these nodes.
  Side find_side(Index element, const Simplex& nodes) const {
    const ElementBlock& block = fine_.blocks.front();
    const auto corners = static_cast<Index>(nodes.size()) + 1;
    for (Index piece = first_[at(element)]; piece < first_[at(element + 1)]; ++piece)
      for (Index side = 0; side < corners; ++side) {
        // Side k of a simplex is the one without corner k.
        Index found = 0;
        for (Index corner = 0; corner < corners; ++corner)
          if (corner != side)
            found += std::count(nodes.begin(), nodes.end(), block.nodes[at(piece * corners + corner)]);
        if (found == corners - 1) return {piece, static_cast<int>(side)};
      }
    throw std::logic_error("a side of an element is no side of its pieces");
  }

  const Mesh& coarse_;
  Mesh fine_;
  std::vector<Index> first_;    ///< [element + 1] its first piece
  std::vector<Index> parents_;  ///< [piece], before prepare()
};

}  // namespace

bool can_be_split(const Mesh& mesh) {
  bool any = false;
  for (const ElementBlock& block : mesh.blocks) {
    if (block.order != 1) return false;
    any = any || !is_simplex(block.shape);
  }
  return any;
}

SplitMesh split(const Mesh& mesh) {
  return Splitter(mesh).split();
}

}  // namespace galerna::mesh
