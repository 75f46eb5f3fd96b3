#include "mesh/near_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "base/vectors.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {
namespace {

constexpr double least = 1e-8, most = 2e-3;  ///< of the shortest edge

constexpr double unknown = std::numeric_limits<double>::infinity();

class Finder {
 public:
  explicit Finder(const Mesh& mesh) : mesh_(mesh), lengths_(mesh.nodes.size(), unknown) {
    for (Index f = 0; f < mesh.boundary_faces; ++f) {
      const Side& side = mesh.faces[static_cast<std::size_t>(f)].left;
      shorten(side.element, side.side, [this](Index node) {
        if (length(node) == unknown) nodes_.push_back(node);
        return true;
      });
    }
  }

  std::vector<NearNodes> find() {
    std::vector<NearNodes> pairs = near_pairs();
    if (pairs.empty()) return pairs;
    // Nodes on either side of a thin part are near, too, and joined by an edge that need not be on the boundary.
    std::vector<char> wanted(mesh_.nodes.size(), 0);
    for (const NearNodes& pair : pairs)
      for (const Index node : {pair.first, pair.second}) wanted[static_cast<std::size_t>(node)] = 1;
    Index element = 0;
    for (const ElementBlock& block : mesh_.blocks)
      for (Index e = 0; e < block.size(); ++e, ++element)
        for (int s = 0; s < side_count(block.shape); ++s)
          shorten(element, s, [&](Index node) { return wanted[static_cast<std::size_t>(node)] != 0; });
    std::erase_if(pairs, [&](NearNodes& pair) {
      pair.edge = std::min(length(pair.first), length(pair.second));
      return !is_near(pair);
    });
    std::sort(pairs.begin(), pairs.end(), [](const NearNodes& a, const NearNodes& b) {
      return std::tie(a.distance, a.first, a.second) < std::tie(b.distance, b.first, b.second);
    });
    return pairs;
  }

 private:
  double& length(Index node) { return lengths_[static_cast<std::size_t>(node)]; }
  const Point& place(Index node) const { return mesh_.nodes[static_cast<std::size_t>(node)]; }

  static bool is_near(const NearNodes& pair) {
    return pair.distance > least * pair.edge && pair.distance < most * pair.edge;
  }

  /// Takes the edges of a side into account at those of its corners that `wants` names.
  template <class Wants>
  void shorten(Index element, int side, const Wants& wants) {
    const auto nodes = mesh_.element_nodes(element);
    const auto corners = side_corners(mesh_.shape(element), side);
    const std::size_t edges = corners.size() == 2 ? 1 : corners.size();
    for (std::size_t c = 0; c < edges; ++c) {
      const Index a = nodes[static_cast<std::size_t>(corners[c])],
                  b = nodes[static_cast<std::size_t>(corners[(c + 1) % corners.size()])];
      const bool of_a = wants(a), of_b = wants(b);
      if (!of_a && !of_b) continue;
      const double edge = distance(place(a), place(b));
      if (of_a) length(a) = std::min(length(a), edge);
      if (of_b) length(b) = std::min(length(b), edge);
    }
  }

  /// By the edges of the boundary alone. Nodes are put in order along a direction that is at no right angle to a
  /// lattice, so that few are where another one is.
  std::vector<NearNodes> near_pairs() {
    const Point direction = {std::sqrt(0.2), std::sqrt(0.3), std::sqrt(0.5)};
    std::vector<std::pair<double, Index>> order;
    order.reserve(nodes_.size());
    for (const Index node : nodes_) order.emplace_back(dot(direction, place(node)), node);
    std::sort(order.begin(), order.end());
    std::vector<NearNodes> pairs;
    for (auto here = order.begin(); here != order.end(); ++here)
      for (auto next = here + 1; next != order.end(); ++next) {
        const auto [node, other] = std::minmax(here->second, next->second);
        if (next->first - here->first >= most * length(here->second)) break;
        const NearNodes pair{node, other, distance(place(node), place(other)), std::min(length(node), length(other))};
        if (is_near(pair)) pairs.push_back(pair);
      }
    return pairs;
  }

  const Mesh& mesh_;
  std::vector<double> lengths_;  ///< [node] at least the shortest edge there
  std::vector<Index> nodes_;     ///< of the boundary
};

/// A tolerance that joins what is so far apart: two digits more, as a power of ten.
double joining_tolerance(const Mesh& mesh, double apart) {
  return std::pow(10.0, std::ceil(std::log10(2 * apart / extent(mesh))));
}

}  // namespace

std::vector<NearNodes> find_near_nodes(const Mesh& mesh) {
  return mesh.boundary_faces == 0 ? std::vector<NearNodes>{} : Finder(mesh).find();
}

std::string describe_near_nodes(const Mesh& mesh, const std::vector<NearNodes>& pairs) {
  constexpr std::size_t shown = 3;
  if (pairs.empty()) return {};
  std::string places;
  for (std::size_t i = 0; i < std::min(shown, pairs.size()); ++i)
    places += (i == 0 ? "" : ", ") + to_text(mesh.nodes[static_cast<std::size_t>(pairs[i].first)], mesh.dimension);
  const NearNodes& farthest = pairs.back();
  return fmt::format(
      "{} of boundary nodes nearly {}, at {}{}; they are {:.2g} apart or less, {:.1g} of the edges there. Parts of the "
      "mesh that should meet there do not, and no flow passes: merge the nodes (in Gmsh: Geometry.Tolerance = {:.0e} "
      "and Coherence Mesh), and write coordinates with all digits",
      pairs.size() == 1 ? "1 pair" : fmt::format("{} pairs", pairs.size()),
      pairs.size() == 1 ? "coincides" : "coincide", places, pairs.size() > shown ? ", …" : "", farthest.distance,
      farthest.distance / farthest.edge, joining_tolerance(mesh, farthest.distance));
}

}  // namespace galerna::mesh
