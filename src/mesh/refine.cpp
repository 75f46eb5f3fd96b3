#include "mesh/refine.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/error.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"
#include "mesh/refine_tables.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

/// One level of refinement.
class Refiner {
 public:
  Refiner(const Mesh& coarse, const Snap& snap, const Curves& curves) : coarse_(coarse), snap_(snap), curves_(curves) {
    fine_.file = coarse.file;
    fine_.dimension = coarse.dimension;
    fine_.nodes = coarse.nodes;
    fine_.region_names = coarse.region_names;
    fine_.other_names = coarse.other_names;
    for (const Shape shape : all_shapes)
      if (dimension(shape) == coarse.dimension && shape != Shape::pyramid)
        for (int d = 0; d < (shape == Shape::tetrahedron ? 3 : 1); ++d)
          tables_[static_cast<std::size_t>(shape)].push_back(make_subdivision(shape, d));
  }

  Mesh refine() {
    const Index coarse_elements = coarse_.element_count();
    diagonals_.assign(static_cast<std::size_t>(coarse_elements), 0);
    Index element = 0;
    for (const ElementBlock& block : coarse_.blocks) {
      fine_.blocks.push_back({block.shape, 1, {}, {}, {}});
      for (Index e = 0; e < block.size(); ++e) divide(block, e, element++);
    }
    divide_boundaries();
    make_images();
    return std::move(fine_);
  }

 private:
  const Subdivision& table(Shape shape, Index element) const {
    return tables_[static_cast<std::size_t>(shape)]
                  [static_cast<std::size_t>(diagonals_[static_cast<std::size_t>(element)])];
  }

  void divide(const ElementBlock& block, Index position, Index element) {
    const auto corners = std::span(block.nodes)
                             .subspan(static_cast<std::size_t>(position * block.nodes_per_element()),
                                      static_cast<std::size_t>(block.nodes_per_element()));
    if (block.shape == Shape::tetrahedron) diagonals_[static_cast<std::size_t>(element)] = shortest_diagonal(corners);
    const Subdivision& t = table(block.shape, element);
    std::vector<Index> nodes;
    for (const std::vector<int>& parents : t.parents) nodes.push_back(node_between(corners, parents));
    ElementBlock& fine = fine_.blocks.back();
    const auto count = static_cast<Index>(t.children.size());
    for (Index c = 0; c < count; ++c) {
      for (const int n : t.children[static_cast<std::size_t>(c)])
        fine.nodes.push_back(nodes[static_cast<std::size_t>(n)]);
      fine.region.push_back(block.region[static_cast<std::size_t>(position)]);
      fine.source.push_back(count * block.source[static_cast<std::size_t>(position)] + c);
    }
  }

  int shortest_diagonal(std::span<const Index> corners) const {
    const Subdivision& t = tables_[static_cast<std::size_t>(Shape::tetrahedron)].front();
    int best = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (int d = 0; d < 3; ++d) {
      const auto [from, to] = tetrahedron_diagonals[d];
      const auto middle = [&](int node) { return mean(corners, t.parents[static_cast<std::size_t>(node)]); };
      const double length = distance(middle(from), middle(to));
      // Round-off must not choose between equal diagonals.
      if (length < shortest * (1 - 1e-10)) best = d, shortest = length;
    }
    return best;
  }

  Point mean(std::span<const Index> corners, const std::vector<int>& parents) const {
    Point sum{};
    for (const int c : parents)
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += coarse_.nodes[static_cast<std::size_t>(corners[static_cast<std::size_t>(c)])][k];
    for (double& x : sum) x /= static_cast<double>(parents.size());
    return sum;
  }

  /// The node in the middle of the corners; the same for all elements that share them.
  Index node_between(std::span<const Index> corners, const std::vector<int>& parents) {
    if (parents.size() == 1) return corners[static_cast<std::size_t>(parents[0])];
    const auto fresh = static_cast<Index>(fine_.nodes.size());
    if (parents.size() <= 4) {
      std::array<Index, 4> ends{};
      for (std::size_t i = 0; i < parents.size(); ++i) ends[i] = corners[static_cast<std::size_t>(parents[i])];
      const auto [entry, added] = between_.emplace(side_key(std::span(ends).first(parents.size())), fresh);
      if (!added) return entry->second;
    }
    fine_.nodes.push_back(mean(corners, parents));
    return fresh;
  }

  Index find_between(const Side& side, const std::vector<int>& parents) const {
    const auto corners = coarse_.element_nodes(side.element);
    std::vector<Index> ends;
    for (const int c : parents) ends.push_back(corners[static_cast<std::size_t>(c)]);
    return between_.at(side_key(ends));
  }

  void divide_boundaries() {
    std::vector<Index> coarse_start{0}, fine_start{0};
    for (const ElementBlock& block : coarse_.blocks) coarse_start.push_back(coarse_start.back() + block.size());
    for (const ElementBlock& block : fine_.blocks) fine_start.push_back(fine_start.back() + block.size());
    for (const Boundary& boundary : coarse_.boundaries) {
      const auto circle = snap_.find(boundary.name);
      const auto shape = curves_.find(boundary.name);
      Boundary fine{boundary.name, {}};
      for (const Side& side : boundary.sides) {
        const auto [block, position] = coarse_.locate(side.element);
        const Subdivision& t = table(coarse_.blocks[static_cast<std::size_t>(block)].shape, side.element);
        const Index first =
            fine_start[static_cast<std::size_t>(block)] + position * static_cast<Index>(t.children.size());
        for (const auto& [child, child_side] : t.sides[static_cast<std::size_t>(side.side)])
          fine.sides.push_back({first + child, child_side});
        if (circle != snap_.end()) snap_side(side, t, circle->second);
        if (shape != curves_.end()) put_on_curve(side, t, *shape->second);
      }
      fine_.boundaries.push_back(std::move(fine));
    }
  }

  void snap_side(const Side& side, const Subdivision& t, const Circle& circle) {
    for (const int n : t.side_nodes[static_cast<std::size_t>(side.side)]) {
      const std::vector<int>& parents = t.parents[static_cast<std::size_t>(n)];
      if (parents.size() == 1) continue;
      Point& x = fine_.nodes[static_cast<std::size_t>(find_between(side, parents))];
      const double dx = x[0] - circle.centre[0], dy = x[1] - circle.centre[1], r = std::hypot(dx, dy);
      if (!(r > 0))
        throw InputError({coarse_.file},
                         fmt::format("a boundary node made by refinement lies at the centre {} of the circle that "
                                     "it should move onto: check the circle of the boundary",
                                     to_text(circle.centre, 2)));
      x[0] = circle.centre[0] + circle.radius * dx / r;
      x[1] = circle.centre[1] + circle.radius * dy / r;
    }
  }

  void put_on_curve(const Side& side, const Subdivision& t, const PlaneCurve& shape) {
    const std::vector<Index> ends = corners_of(coarse_, side);
    const auto span =
        shape.span(coarse_.nodes[static_cast<std::size_t>(ends[0])], coarse_.nodes[static_cast<std::size_t>(ends[1])]);
    if (!span) return;
    for (const int n : t.side_nodes[static_cast<std::size_t>(side.side)]) {
      const std::vector<int>& parents = t.parents[static_cast<std::size_t>(n)];
      if (parents.size() != 2) continue;
      Point& x = fine_.nodes[static_cast<std::size_t>(find_between(side, parents))];
      const Point middle = shape.at(0.5 * ((*span)[0] + (*span)[1]));
      x = {middle[0], middle[1], x[2]};
    }
  }

  /// New nodes are images of one another where their corners are, moved by one translation.
  void make_images() {
    fine_.image = coarse_.image;
    for (Index n = static_cast<Index>(coarse_.nodes.size()); n < static_cast<Index>(fine_.nodes.size()); ++n)
      fine_.image.push_back(n);
    if (!has_images(coarse_)) return;
    std::vector<char> periodic(coarse_.nodes.size(), 0);
    for (std::size_t n = 0; n < periodic.size(); ++n)
      if (const auto image = static_cast<std::size_t>(coarse_.image[n]); image != n) periodic[n] = periodic[image] = 1;
    std::unordered_map<SideKey, std::vector<std::pair<Index, SideKey>>, SideKeyHash> groups;
    for (const auto& [ends, node] : between_) {
      SideKey images = ends;
      bool all = true;
      for (Index& end : images) {
        if (end < 0) continue;
        all &= periodic[static_cast<std::size_t>(end)] != 0;
        end = coarse_.image[static_cast<std::size_t>(end)];
      }
      if (!all) continue;
      std::sort(images.begin(), images.end());
      groups[images].emplace_back(node, ends);
    }
    const double tolerance = 1e-6 * extent(coarse_);
    for (const auto& [images, group] : groups)
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (translated(group[i].second, group[j].second, tolerance))
            join_images(fine_.image, group[i].first, group[j].first);
    finish_images(fine_.image);
  }

  Point centre(const SideKey& ends) const {
    Point sum{};
    double count = 0;
    for (const Index end : ends) {
      if (end < 0) continue;
      ++count;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += coarse_.nodes[static_cast<std::size_t>(end)][k];
    }
    for (double& x : sum) x /= count;
    return sum;
  }

  bool translated(const SideKey& a, const SideKey& b, double tolerance) const {
    const Point from = centre(a), to = centre(b);
    for (const Index node : a) {
      if (node < 0) continue;
      Point moved = coarse_.nodes[static_cast<std::size_t>(node)];
      for (std::size_t k = 0; k < 3; ++k) moved[k] += to[k] - from[k];
      const bool found = std::any_of(b.begin(), b.end(), [&](Index other) {
        return other >= 0 &&
               coarse_.image[static_cast<std::size_t>(other)] == coarse_.image[static_cast<std::size_t>(node)] &&
               distance(coarse_.nodes[static_cast<std::size_t>(other)], moved) <= tolerance;
      });
      if (!found) return false;
    }
    return true;
  }

  const Mesh& coarse_;
  const Snap& snap_;
  const Curves& curves_;
  Mesh fine_;
  std::array<std::vector<Subdivision>, all_shapes.size()> tables_;  ///< [shape][diagonal]
  std::vector<int> diagonals_;                                      ///< [coarse element]
  std::unordered_map<SideKey, Index, SideKeyHash> between_;         ///< corners -> node between them
};

void check(const Mesh& mesh, int levels, const Snap& snap, const Curves& curves) {
  if (levels < 0 || levels > 20)
    throw InputError({mesh.file}, fmt::format("cannot refine {} times: allowed are 0 to 20 levels", levels));
  for (const ElementBlock& block : mesh.blocks) {
    if (levels > 0 && block.order > 1)
      throw InputError({mesh.file},
                       fmt::format("the mesh has {} of geometry order {}: only straight elements (order 1) can be "
                                   "refined; refine it in the mesh generator",
                                   plural_name(block.shape), block.order));
    if (levels > 0 && block.shape == Shape::pyramid)
      throw InputError({mesh.file}, "pyramids cannot be refined: refine the mesh in the mesh generator");
  }
  if (!curves.empty() && mesh.dimension != 2)
    throw InputError({mesh.file}, "walls can be curved in two-dimensional meshes only");
  check_boundary_names(mesh, curves);
  const std::vector<std::string> names = boundary_names(mesh);
  for (const auto& [name, circle] : snap) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string nearest = nearest_name(name, names);
    throw InputError({mesh.file}, fmt::format("the mesh has no boundary '{}' to move onto a circle{}", name,
                                              nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest)));
  }
}

}  // namespace

Mesh refine(const Mesh& mesh, int levels, const Snap& snap, const Curves& curves) {
  check(mesh, levels, snap, curves);
  Mesh result = mesh;
  for (int level = 0; level < levels; ++level) result = Refiner(result, snap, curves).refine();
  return result;
}

}  // namespace galerna::mesh
