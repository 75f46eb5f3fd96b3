#include "curving/layers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <tuple>

#include "base/index.hpp"
#include "base/lattice.hpp"
#include "mesh/geometry.hpp"

namespace galerna::curving {
namespace {

using mesh::Index;

constexpr double room = 10;  // displacements that make an edge a whole one

using Edges = std::vector<std::array<int, 2>>;

/// Of an element: those in the middle of which a node of order 2 lies.
Edges edges_of(Shape shape) {
  Edges edges;
  for (const mesh::CornerWeights& weights : mesh::corner_weights(shape, node_lattice(shape, 2), 2))
    if (weights.size() == 2) edges.push_back({weights[0].first, weights[1].first});
  return edges;
}

/// Vertices next to each vertex, periodic images taken as one (compressed rows).
class Neighbours {
 public:
  explicit Neighbours(const mesh::Mesh& mesh) {
    std::vector<std::array<Index, 2>> pairs;
    for (const mesh::ElementBlock& block : mesh.blocks) {
      const Edges edges = edges_of(block.shape);
      for (std::size_t e = 0; e < block.nodes.size(); e += at(block.nodes_per_element()))
        for (const auto& [a, b] : edges) {
          const Index from = mesh.image[at(block.nodes[e + at(a)])], to = mesh.image[at(block.nodes[e + at(b)])];
          pairs.push_back({from, to});
          pairs.push_back({to, from});
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    first_.assign(mesh.nodes.size() + 1, 0);
    for (const auto& pair : pairs) ++first_[at(pair[0]) + 1];
    for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
    for (const auto& pair : pairs) list_.push_back(pair[1]);
  }

  std::span<const Index> of(Index node) const {
    return std::span(list_).subspan(first_[at(node)], first_[at(node) + 1] - first_[at(node)]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Index> list_;
};

/// Shortest ways from walls over edges (E. W. Dijkstra, Numer. Math. 1 (1959) 269).
class Ways {
 public:
  Ways(const mesh::Mesh& mesh, const WallNodes& walls)
      : mesh_(mesh),
        neighbours_(mesh),
        depth_(mesh.nodes.size(), std::numeric_limits<double>::infinity()),
        origin_(mesh.nodes.size(), -1),
        size_(mesh.nodes.size(), 0.0) {
    std::vector<Index> corners;
    for (const auto& [corner, displacement] : walls.displacement) {
      double& size = size_[at(mesh.image[at(corner)])];
      size = std::max(size, room * displacement);
      corners.push_back(mesh.image[at(corner)]);
    }
    std::sort(corners.begin(), corners.end());
    for (const Index corner : corners) reach(corner, 0, corner);
  }

  void run(double end) {
    while (!queue_.empty()) {
      const auto [depth, node, origin] = queue_.top();
      queue_.pop();
      if (depth > depth_[at(node)] || origin != origin_[at(node)]) continue;
      for (const Index next : neighbours_.of(node)) {
        const double further = depth + length(node, next, size_[at(origin)]);
        if (further <= end && further < depth_[at(next)]) reach(next, further, origin);
      }
    }
  }

  double depth(Index node) const { return depth_[at(mesh_.image[at(node)])]; }
  Index origin(Index node) const { return origin_[at(mesh_.image[at(node)])]; }

 private:
  void reach(Index node, double depth, Index origin) {
    depth_[at(node)] = depth;
    origin_[at(node)] = origin;
    queue_.emplace(depth, node, origin);
  }

  /// Of an edge to an image the length is not known: it counts as one.
  double length(Index from, Index to, double size) const {
    const double all = mesh::distance(mesh_.nodes[at(from)], mesh_.nodes[at(to)]);
    return all < size ? all / size : 1;
  }

  using Entry = std::tuple<double, Index, Index>;
  const mesh::Mesh& mesh_;
  Neighbours neighbours_;
  std::vector<double> depth_;
  std::vector<Index> origin_;
  std::vector<double> size_;  ///< [corner of a wall] length of an edge that counts as one
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

Layers find_layers(const mesh::Mesh& mesh, const WallNodes& walls, int layers) {
  const double last = layers - 1 + 1e-9;
  Ways ways(mesh, walls);
  ways.run(layers);
  Layers result;
  for (const mesh::ElementBlock& block : mesh.blocks) {
    const auto corners = at(corner_count(block.shape));
    for (std::size_t e = 0; e < block.nodes.size(); e += at(block.nodes_per_element()))
      result.chosen.push_back(std::any_of(block.nodes.begin() + static_cast<std::ptrdiff_t>(e),
                                          block.nodes.begin() + static_cast<std::ptrdiff_t>(e + corners),
                                          [&](Index node) { return ways.depth(node) <= last; }));
  }
  for (Index node = 0; node < static_cast<Index>(mesh.nodes.size()); ++node) result.origin.push_back(ways.origin(node));
  return result;
}

}  // namespace galerna::curving
