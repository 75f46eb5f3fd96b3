#include "curving/cramped.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/index.hpp"
#include "base/vectors.hpp"
#include "mesh/geometry.hpp"

namespace galerna::curving {
namespace {

using mesh::Index;
using mesh::Point;
using mesh::Side;

constexpr double smooth = 0.95;      // cosine of the angle between two normals
constexpr double tangential = 0.15;  // of an edge's direction: its part along the normal
constexpr std::array<Index, 2> no_edge = {-1, -1};

class Search {
 public:
  Search(const mesh::Mesh& mesh, const SideTable& sides) : mesh_(mesh), sides_(sides), on_wall_(mesh.nodes.size()) {
    mesh::for_each_side(mesh, [&](const Side&, std::span<const Index> corners) {
      const mesh::Surface* surface = sides.of(corners).surface;
      if (!surface) return;
      for (std::size_t c = 0; c < corners.size(); ++c) {
        on_wall_[at(corners[c])] = surface;
        edges_.insert(edge_of(corners[c], corners[(c + 1) % corners.size()]));
      }
    });
  }

  std::vector<Cramped> run() const {
    std::vector<Cramped> result;
    Index element = 0;
    for (const mesh::ElementBlock& block : mesh_.blocks)
      for (Index e = 0; e < block.size(); ++e, ++element) {
        const auto nodes = std::span(block.nodes).subspan(at(e * block.nodes_per_element()));
        const auto corners = nodes.first(at(corner_count(block.shape)));
        const auto count = std::count_if(corners.begin(), corners.end(), [&](Index n) { return on_wall_[at(n)]; });
        if (count <= dimension(block.shape)) continue;  // one side at most
        if (const auto edge = cramped_edge(block.shape, element, corners)) result.push_back({element, *edge});
      }
    return result;
  }

 private:
  static std::array<Index, 2> edge_of(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }
  const Point& node(Index n) const { return mesh_.nodes[at(n)]; }

  /// The edge to split, or none; nothing where the element is not cramped.
  std::optional<std::array<Index, 2>> cramped_edge(Shape shape, Index element, std::span<const Index> corners) const {
    std::vector<Side> walls;
    for (int s = 0; s < side_count(shape); ++s)
      if (sides_.of(mesh::corners_of(mesh_, {element, s})).surface) walls.push_back({element, s});
    for (std::size_t i = 0; i < walls.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (are_one_wall(walls[i], walls[j]))
          return is_simplex(shape) && walls.size() == 2 ? edge_beyond(corners, walls[i], walls[j]) : no_edge;
    if (shape != Shape::tetrahedron || walls.size() > 1) return {};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const auto edge = edge_of(corners[i], corners[j]); !edges_.contains(edge) && is_tangential(edge))
          return edge;
    return {};
  }

  /// Between the corners that lie opposite two sides of a simplex.
  static std::array<Index, 2> edge_beyond(std::span<const Index> corners, const Side& a, const Side& b) {
    return edge_of(corners[at(a.side)], corners[at(b.side)]);
  }

  /// Whether two sides of an element meet smoothly, by the true normals just beside where they meet.
  bool are_one_wall(const Side& a, const Side& b) const {
    const std::vector<Index> of_a = mesh::corners_of(mesh_, a), of_b = mesh::corners_of(mesh_, b);
    Point meeting{};
    double count = 0;
    for (const Index n : of_a)
      if (std::find(of_b.begin(), of_b.end(), n) != of_b.end()) meeting = plus(meeting, node(n)), ++count;
    if (count < mesh_.dimension - 1) return false;
    meeting = times(1 / count, meeting);
    const auto first = outward_normal(a, of_a, meeting), second = outward_normal(b, of_b, meeting);
    return first && second && dot(*first, *second) > smooth;
  }

  std::optional<Point> outward_normal(const Side& side, const std::vector<Index>& corners, const Point& meeting) const {
    const Point middle = mesh::side_centre(mesh_, side);
    const auto normal = sides_.of(corners).surface->normal(plus(times(0.8, meeting), times(0.2, middle)));
    if (!normal) return {};
    return dot(*normal, minus(middle, mesh::centroid(mesh_, side.element))) < 0 ? times(-1, *normal) : *normal;
  }

  bool is_tangential(const std::array<Index, 2>& edge) const {
    const Point along = unit(minus(node(edge[1]), node(edge[0])));
    return std::all_of(edge.begin(), edge.end(), [&](Index n) {
      const auto normal = on_wall_[at(n)]->normal(node(n));
      return normal && std::abs(dot(*normal, along)) < tangential;
    });
  }

  const mesh::Mesh& mesh_;
  const SideTable& sides_;
  std::vector<const mesh::Surface*> on_wall_;  ///< [node] null for others
  std::set<std::array<Index, 2>> edges_;       ///< on walls
};

/// Splits edges one after the other.
class Splitter {
 public:
  Splitter(mesh::Mesh& mesh, const std::vector<Cramped>& cramped) : mesh_(mesh) {
    for (const Cramped& c : cramped)
      if (c.edge != no_edge) around_[c.edge];
    Index element = 0;
    for (const mesh::ElementBlock& block : mesh.blocks)
      for (Index e = 0; e < block.size(); ++e, ++element) note(block.shape, element);
    for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
      for (std::size_t s = 0; s < mesh.boundaries[b].sides.size(); ++s)
        boundary_sides_[mesh.boundaries[b].sides[s].element].push_back({b, s});
  }

  Index run() {
    std::set<Index> used;
    Index count = 0;
    for (const auto& [edge, elements] : around_) {
      const bool fresh = std::none_of(elements.begin(), elements.end(), [&](Index e) { return used.contains(e); });
      if (!fresh || !can_split(edge, elements)) continue;
      split(edge, elements);
      used.insert(elements.begin(), elements.end());
      ++count;
    }
    for (auto& [shape, block] : added_) mesh_.blocks.push_back(std::move(block));
    for (const auto& [b, side, shape] : new_sides_)
      mesh_.boundaries[b].sides.push_back({first_of(shape) + side.element, side.side});
    for (const auto& [b, s, side, shape] : moved_sides_)
      mesh_.boundaries[b].sides[s] = {first_of(shape) + side.element, side.side};
    return count;
  }

 private:
  struct NewSide {
    std::size_t boundary;
    Side side;  ///< of an element counted in its block
    Shape shape;
  };
  struct MovedSide {
    std::size_t boundary, place;
    Side side;
    Shape shape;
  };

  /// Of the block of new elements of a shape.
  Index first_of(Shape shape) const {
    Index first = 0;
    const std::size_t old = mesh_.blocks.size() - added_.size();
    for (std::size_t b = 0; b < mesh_.blocks.size(); ++b) {
      if (b >= old && mesh_.blocks[b].shape == shape) break;
      first += mesh_.blocks[b].size();
    }
    return first;
  }

  void note(Shape shape, Index element) {
    const std::vector<Index> corners = mesh_.corners(element);
    for (std::size_t i = 0; i < corners.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const auto found = around_.find({std::min(corners[i], corners[j]), std::max(corners[i], corners[j])});
            found != around_.end()) {
          found->second.push_back(element);
          if (!is_simplex(shape)) refused_.insert(found->first);
        }
  }

  /// Not on a boundary, where its elements do not close around it (in the plane: where there are not two).
  bool can_split(const std::array<Index, 2>& edge, const std::vector<Index>& elements) const {
    if (refused_.contains(edge) || mesh_.image[at(edge[0])] != edge[0] || mesh_.image[at(edge[1])] != edge[1])
      return false;
    std::map<Index, int> others;  // each belongs to two elements around an edge inside
    for (const Index e : elements)
      for (const Index n : mesh_.corners(e))
        if (n != edge[0] && n != edge[1]) ++others[n];
    if (mesh_.dimension == 2) return elements.size() == 2;
    return std::all_of(others.begin(), others.end(), [](const auto& other) { return other.second == 2; });
  }

  void split(const std::array<Index, 2>& edge, const std::vector<Index>& elements) {
    const auto fresh = static_cast<Index>(mesh_.nodes.size());
    mesh_.nodes.push_back(place_of_vertex(edge, elements));
    mesh_.image.push_back(fresh);
    for (const Index e : elements) divide(e, edge, fresh);
  }

  /// The middle, moved towards the other corners around the edge as far as the elements stay good.
  Point place_of_vertex(const std::array<Index, 2>& edge, const std::vector<Index>& elements) const {
    Point ring{};
    double count = 0;
    for (const Index e : elements)
      for (const Index n : mesh_.corners(e))
        if (n != edge[0] && n != edge[1]) ring = plus(ring, mesh_.nodes[at(n)]), ++count;
    ring = times(1 / count, ring);
    const Point middle = times(0.5, plus(mesh_.nodes[at(edge[0])], mesh_.nodes[at(edge[1])]));
    Point best = middle;
    double quality = -1;
    for (const double share : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0}) {
      const Point x = plus(middle, times(share, minus(ring, middle)));
      if (const double q = least_share(edge, elements, x); q > quality) best = x, quality = q;
    }
    return best;
  }

  /// Smallest volume of a part by that of all parts, with the new vertex at x.
  double least_share(const std::array<Index, 2>& edge, const std::vector<Index>& elements, const Point& x) const {
    double least = 1e300, all = 0;
    for (const Index e : elements) {
      const std::vector<Index> corners = mesh_.corners(e);
      for (const Index end : edge) {
        std::vector<Point> places;
        for (const Index n : corners) places.push_back(n == end ? x : mesh_.nodes[at(n)]);
        const double volume = signed_measure(places) * (signed_measure(places_of(corners)) < 0 ? -1 : 1);
        least = std::min(least, volume);
        all += std::abs(volume);
      }
    }
    return least / all;
  }

  std::vector<Point> places_of(const std::vector<Index>& corners) const {
    std::vector<Point> places;
    for (const Index n : corners) places.push_back(mesh_.nodes[at(n)]);
    return places;
  }

  static double signed_measure(const std::vector<Point>& x) {
    const Point n = cross(minus(x[1], x[0]), minus(x[2], x[0]));
    return x.size() == 3 ? n[2] : dot(n, minus(x[3], x[0]));
  }

  /// The element keeps the first end of the edge, a new one the second.
  void divide(Index element, const std::array<Index, 2>& edge, Index fresh) {
    const auto [b, position] = mesh_.locate(element);
    mesh::ElementBlock& block = mesh_.blocks[at(b)];
    const auto start = at(position * block.nodes_per_element());
    mesh::ElementBlock& target =
        added_.try_emplace(block.shape, mesh::ElementBlock{block.shape, 1, {}, {}, {}}).first->second;
    const Side other{target.size(), -1};
    int first = -1;  // local corner of the edge's first end
    int second = -1;
    for (int c = 0; c < corner_count(block.shape); ++c) {
      Index& node = block.nodes[start + at(c)];
      target.nodes.push_back(node == edge[0] ? fresh : node);
      if (node == edge[0]) first = c;
      if (node == edge[1]) second = c;
    }
    block.nodes[start + at(second)] = fresh;
    target.region.push_back(block.region[at(position)]);
    target.source.push_back(mesh_.element_count() + new_elements_++);
    if (!mesh_.numbers.empty()) mesh_.numbers.push_back(mesh_.numbers[at(block.source[at(position)])]);
    const auto found = boundary_sides_.find(element);
    if (found == boundary_sides_.end()) return;
    // Side i lies opposite corner i: the one opposite the first end has the second one only.
    for (const auto& [boundary, s] : found->second) {
      const int side = mesh_.boundaries[boundary].sides[s].side;
      if (side == first)
        moved_sides_.push_back({boundary, s, {other.element, side}, block.shape});
      else if (side != second)
        new_sides_.push_back({boundary, {other.element, side}, block.shape});
    }
  }

  mesh::Mesh& mesh_;
  std::map<std::array<Index, 2>, std::vector<Index>> around_;  ///< edge -> elements that have it
  std::set<std::array<Index, 2>> refused_;
  std::map<Index, std::vector<std::pair<std::size_t, std::size_t>>> boundary_sides_;  ///< element -> boundary, place
  std::map<Shape, mesh::ElementBlock> added_;
  std::vector<NewSide> new_sides_;
  std::vector<MovedSide> moved_sides_;
  Index new_elements_ = 0;
};

}  // namespace

std::vector<Cramped> find_cramped(const mesh::Mesh& mesh, const SideTable& sides) {
  return Search(mesh, sides).run();
}

Index split_cramped(mesh::Mesh& mesh, const std::vector<Cramped>& cramped) {
  return Splitter(mesh, cramped).run();
}

}  // namespace galerna::curving
