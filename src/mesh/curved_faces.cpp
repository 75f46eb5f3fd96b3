#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/lattice.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"
#include "mesh/side_surface.hpp"

namespace galerna::mesh {
namespace {

const ElementBlock& block_of(const Mesh& mesh, const Side& side) {
  return mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
}

class FaceComparison {
 public:
  explicit FaceComparison(const Mesh& mesh) : mesh_(mesh) {}

  bool has_same_nodes(const Face& face) { return nodes_on(face.left) == nodes_on(face.right); }

  /// Largest distance between both elements' points of the face, at the nodes of the side of higher order, by its size.
  double difference(const Face& face) const {
    const bool left = block_of(mesh_, face.left).order >= block_of(mesh_, face.right).order;
    const Side &fine = left ? face.left : face.right, &other = left ? face.right : face.left;
    const ElementBlock& block = block_of(mesh_, fine);
    const Shape shape = side_shape(block.shape, fine.side);
    const std::vector<Unit> places = lattice_coordinates(shape, block.order), corners = lattice_coordinates(shape, 1);
    const Table weights = bernstein_values(shape, 1, places);
    const std::vector<Index> own = corners_of(mesh_, fine), others = corners_of(mesh_, other);
    const SideSurface first(mesh_, fine), second(mesh_, other);
    double largest = 0;
    for (std::size_t p = 0; p < places.size(); ++p) {
      Unit u{};
      for (std::size_t c = 0; c < own.size(); ++c) {
        const auto match = std::find(others.begin(), others.end(), own[c]) - others.begin();
        for (std::size_t k = 0; k < 2; ++k) u[k] += weights(p, c) * corners[static_cast<std::size_t>(match)][k];
      }
      largest = std::max(largest, distance(first.at(places[p]), second.at(u)));
    }
    return largest / first.size();
  }

 private:
  /// Sorted.
  std::vector<Index> nodes_on(const Side& side) {
    const int block = mesh_.locate(side.element).block;
    std::vector<int>& local = local_[{block, side.side}];
    const ElementBlock& elements = mesh_.blocks[static_cast<std::size_t>(block)];
    if (local.empty()) local = side_nodes(elements.shape, elements.order, side.side);
    const auto all = mesh_.element_nodes(side.element);
    std::vector<Index> nodes;
    for (const int n : local) nodes.push_back(all[static_cast<std::size_t>(n)]);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  const Mesh& mesh_;
  std::map<std::pair<int, int>, std::vector<int>> local_;  ///< [block, side]
};

}  // namespace

void check_curved_faces(const Mesh& mesh) {
  if (std::all_of(mesh.blocks.begin(), mesh.blocks.end(), [](const ElementBlock& b) { return b.order == 1; })) return;
  FaceComparison comparison(mesh);
  std::vector<std::string> problems;
  for (const Face& face : mesh.faces) {
    if (face.right.element < 0 || comparison.has_same_nodes(face)) continue;
    if (side_key(corners_of(mesh, face.left)) != side_key(corners_of(mesh, face.right))) continue;  // periodic
    const double difference = comparison.difference(face);
    if (difference <= 1e-8) continue;
    problems.push_back(fmt::format(
        "{} and {} share the corners of the {} at {}, but bend it differently, by {:.2g} of its size: mesh them "
        "together, with one geometry order",
        name_of(mesh, face.left.element), name_of(mesh, face.right.element), mesh.dimension == 2 ? "edge" : "face",
        to_text(side_centre(mesh, face.left), mesh.dimension), difference));
  }
  report_problems(mesh, problems);
}

}  // namespace galerna::mesh
