#include "mesh/refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"
#include "base/interruption.hpp"
#include "base/phases.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"
#include "mesh/refine_tables.hpp"
#include "mesh/shared_nodes.hpp"
#include "mesh/side_key.hpp"
#include "mesh/snap.hpp"

namespace galerna::mesh {
namespace {

/// One level of refinement.
class Refiner {
 public:
  Refiner(const Mesh& coarse, const Curves& curves)
      : coarse_(coarse), curves_(curves), fine_(coarse.without_elements()) {}

  /// \param phase learns how far it is
  Mesh refine(Phase& phase) {
    make_blocks();
    make_room();
    number_sources();
    const Index all = coarse_.element_count();
    families_.reserve(static_cast<std::size_t>(all));
    for (std::size_t b = 0; b < coarse_.blocks.size(); ++b)
      for (Index e = 0; e < coarse_.blocks[b].size(); ++e) {
        constexpr std::size_t often = 1 << 14;
        if (families_.size() % often == 0) {
          stop_interruptible();
          phase.did(static_cast<double>(families_.size()) / static_cast<double>(all));
        }
        divide(b, e);
      }
    divide_boundaries();
    make_images();
    return std::move(fine_);
  }

 private:
  /// The children of an element.
  struct Family {
    const Division* division;
    std::size_t block;         ///< of both meshes: where children of the element's own shape are
    Index first, first_other;  ///< their position there; that of the others in other_blocks_[block]
  };

  /// A block for each coarse one, and for the tetrahedra between pyramids one with others of their geometry order.
  void make_blocks() {
    for (const ElementBlock& block : coarse_.blocks) fine_.blocks.push_back({block.shape, block.order, {}, {}, {}});
    for (const ElementBlock& block : coarse_.blocks) {
      const auto is_like = [&](const ElementBlock& b) {
        return b.shape == Shape::tetrahedron && b.order == block.order;
      };
      if (block.shape == Shape::pyramid && std::none_of(fine_.blocks.begin(), fine_.blocks.end(), is_like))
        fine_.blocks.push_back({Shape::tetrahedron, block.order, {}, {}, {}});
      const auto other = std::find_if(fine_.blocks.begin(), fine_.blocks.end(), is_like);
      other_blocks_.push_back(static_cast<std::size_t>(other - fine_.blocks.begin()));
      std::vector<Division>& ways = divisions_.emplace_back();
      for (int d = 0; d < (block.shape == Shape::tetrahedron ? 3 : 1); ++d)
        ways.push_back(make_division(block.shape, block.order, d));
    }
  }

  /// For all children: vectors that grow take twice the memory for a while.
  void make_room() {
    std::vector<std::size_t> children(fine_.blocks.size());
    for (std::size_t b = 0; b < coarse_.blocks.size(); ++b)
      for (const Shape shape : divisions_[b].front().parts.shapes)
        children[shape == coarse_.blocks[b].shape ? b : other_blocks_[b]] +=
            static_cast<std::size_t>(coarse_.blocks[b].size());
    for (std::size_t b = 0; b < fine_.blocks.size(); ++b) {
      ElementBlock& fine = fine_.blocks[b];
      fine.nodes.reserve(children[b] * static_cast<std::size_t>(fine.nodes_per_element()));
      fine.region.reserve(children[b]);
      fine.source.reserve(children[b]);
    }
  }

  /// Children stand in the order of their parents, which do not have equally many where there are pyramids.
  void number_sources() {
    for (std::size_t b = 0; b < coarse_.blocks.size(); ++b)
      for (const Index source : coarse_.blocks[b].source) {
        if (source >= static_cast<Index>(first_source_.size()))
          first_source_.resize(static_cast<std::size_t>(source + 1));
        first_source_[static_cast<std::size_t>(source)] =
            static_cast<Index>(divisions_[b].front().parts.children.size());
      }
    fine_.numbers.clear();
    for (std::size_t source = 0; source < std::min(first_source_.size(), coarse_.numbers.size()); ++source)
      fine_.numbers.insert(fine_.numbers.end(), static_cast<std::size_t>(first_source_[source]),
                           coarse_.numbers[source]);
    std::exclusive_scan(first_source_.begin(), first_source_.end(), first_source_.begin(), Index{0});
  }

  void divide(std::size_t b, Index position) {
    const ElementBlock& block = coarse_.blocks[b];
    const auto parent = coarse_nodes(block, position);
    const Division& division = divisions_[b][shortest_diagonal(b, parent)];
    const auto other = other_blocks_[b];
    families_.push_back(
        {&division, b, fine_.blocks[b].size(), other < fine_.blocks.size() ? fine_.blocks[other].size() : 0});
    Index source = first_source_[static_cast<std::size_t>(block.source[static_cast<std::size_t>(position)])];
    std::vector<Index> nodes;
    for (std::size_t n = 0; n < division.values.size(); ++n) nodes.push_back(node_at(division, n, parent));
    for (std::size_t c = 0; c < division.children.size(); ++c) {
      ElementBlock& fine = fine_.blocks[division.parts.shapes[c] == block.shape ? b : other];
      for (const int n : division.children[c]) fine.nodes.push_back(nodes[static_cast<std::size_t>(n)]);
      fine.region.push_back(block.region[static_cast<std::size_t>(position)]);
      fine.source.push_back(source++);
    }
  }

  static std::span<const Index> coarse_nodes(const ElementBlock& block, Index position) {
    const auto count = static_cast<std::size_t>(block.nodes_per_element());
    return std::span(block.nodes).subspan(static_cast<std::size_t>(position) * count, count);
  }

  /// Of a tetrahedron's octahedron; 0 of other shapes.
  std::size_t shortest_diagonal(std::size_t block, std::span<const Index> parent) const {
    if (divisions_[block].size() == 1) return 0;
    const Division& division = divisions_[block].front();
    std::size_t best = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < divisions_[block].size(); ++d) {
      const auto middle = [&](int half) {
        return place(division, static_cast<std::size_t>(division.halves[static_cast<std::size_t>(half)]), parent);
      };
      const auto [from, to] = tetrahedron_diagonals[d];
      const double length = distance(middle(from), middle(to));
      // Round-off must not choose between equal diagonals.
      if (length < shortest * (1 - 1e-10)) best = d, shortest = length;
    }
    return best;
  }

  /// Of the division's node n, by the parent's map.
  Point place(const Division& division, std::size_t n, std::span<const Index> parent) const {
    Point x{};
    for (const auto& [node, weight] : division.values[n])
      for (std::size_t k = 0; k < 3; ++k)
        x[k] += weight * coarse_.nodes[static_cast<std::size_t>(parent[static_cast<std::size_t>(node)])][k];
    return x;
  }

  /// The division's node n: the same for all elements that share the edge or side on which it lies.
  Index node_at(const Division& division, std::size_t n, std::span<const Index> parent) {
    const CornerWeights& corners = division.corners[n];
    const auto& values = division.values[n];
    if (corners.size() == 1) return parent[static_cast<std::size_t>(corners[0].first)];
    const bool is_old = values.size() == 1;
    const Index node =
        is_old ? parent[static_cast<std::size_t>(values[0].first)] : static_cast<Index>(fine_.nodes.size());
    if (corners.size() <= 4) {
      const auto [entry, added] = shared_.emplace(node_place(corners, parent), node);
      if (!added) return entry->second;
    }
    if (!is_old) fine_.nodes.push_back(place(division, n, parent));
    return node;
  }

  void divide_boundaries() {
    std::vector<Index> start{0};
    for (const ElementBlock& block : fine_.blocks) start.push_back(start.back() + block.size());
    for (const Boundary& boundary : coarse_.boundaries) {
      const auto shape = curves_.find(boundary.name);
      Boundary fine{boundary.name, {}};
      for (const Side& side : boundary.sides) {
        const Family& family = families_[static_cast<std::size_t>(side.element)];
        for (const auto& [child, child_side] : family.division->parts.sides[static_cast<std::size_t>(side.side)])
          fine.sides.push_back({child_of(family, child, start), child_side});
        if (shape != curves_.end()) put_on_curve(side, *shape->second);
      }
      fine_.boundaries.push_back(std::move(fine));
    }
  }

  /// \param start [block] its first element in the fine mesh
  Index child_of(const Family& family, int child, const std::vector<Index>& start) const {
    const std::vector<Shape>& shapes = family.division->parts.shapes;
    const auto own = std::count(shapes.begin(), shapes.end(), shapes.front());
    return child < own ? start[family.block] + family.first + child
                       : start[other_blocks_[family.block]] + family.first_other + child - own;
  }

  void put_on_curve(const Side& side, const PlaneCurve& shape) {
    const std::vector<Index> ends = corners_of(coarse_, side);
    const auto span =
        shape.span(coarse_.nodes[static_cast<std::size_t>(ends[0])], coarse_.nodes[static_cast<std::size_t>(ends[1])]);
    if (!span) return;
    const Index between = shared_.at(node_place({{0, 1}, {1, 1}}, ends));
    const Point middle = shape.at(0.5 * ((*span)[0] + (*span)[1]));
    Point& x = fine_.nodes[static_cast<std::size_t>(between)];
    x = {middle[0], middle[1], x[2]};
  }

  /// New nodes are images of one another where their corners are, moved by one translation.
  void make_images() {
    for (Index n = static_cast<Index>(coarse_.nodes.size()); n < static_cast<Index>(fine_.nodes.size()); ++n)
      fine_.image.push_back(n);
    if (!has_images(coarse_)) return;
    std::vector<char> periodic(coarse_.nodes.size(), 0);
    for (std::size_t n = 0; n < periodic.size(); ++n)
      if (const auto image = static_cast<std::size_t>(coarse_.image[n]); image != n) periodic[n] = periodic[image] = 1;
    std::unordered_map<NodePlace, std::vector<std::pair<Index, NodePlace>>, NodePlaceHash> groups;
    for (const auto& [place, node] : shared_) {
      CornerWeights weights;
      std::vector<Index> images;
      bool all = true;
      for (std::size_t i = 0; i < 4; ++i) {
        if (place.corners[i] < 0) continue;
        all &= periodic[static_cast<std::size_t>(place.corners[i])] != 0;
        weights.emplace_back(static_cast<int>(images.size()), place.weights[i]);
        images.push_back(coarse_.image[static_cast<std::size_t>(place.corners[i])]);
      }
      if (all) groups[node_place(weights, images)].emplace_back(node, place);
    }
    const double tolerance = 1e-6 * extent(coarse_);
    for (const auto& [images, group] : groups)
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (translated(group[i].second, group[j].second, tolerance))
            join_images(fine_.image, group[i].first, group[j].first);
    finish_images(fine_.image);
  }

  Point centre(const NodePlace& place) const {
    Point sum{};
    double count = 0;
    for (const Index end : place.corners) {
      if (end < 0) continue;
      ++count;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += coarse_.nodes[static_cast<std::size_t>(end)][k];
    }
    for (double& x : sum) x /= count;
    return sum;
  }

  bool translated(const NodePlace& a, const NodePlace& b, double tolerance) const {
    const Point from = centre(a), to = centre(b);
    for (std::size_t i = 0; i < 4; ++i) {
      if (a.corners[i] < 0) continue;
      const auto node = static_cast<std::size_t>(a.corners[i]);
      Point moved = coarse_.nodes[node];
      for (std::size_t k = 0; k < 3; ++k) moved[k] += to[k] - from[k];
      bool found = false;
      for (std::size_t j = 0; j < 4 && !found; ++j) {
        if (b.corners[j] < 0 || b.weights[j] != a.weights[i]) continue;
        const auto other = static_cast<std::size_t>(b.corners[j]);
        found = coarse_.image[other] == coarse_.image[node] && distance(coarse_.nodes[other], moved) <= tolerance;
      }
      if (!found) return false;
    }
    return true;
  }

  const Mesh& coarse_;
  const Curves& curves_;
  Mesh fine_;
  std::vector<std::vector<Division>> divisions_;  ///< [block][diagonal]
  std::vector<std::size_t> other_blocks_;         ///< [block] of fine_, for its children of another shape
  std::vector<Index> first_source_;               ///< [source] that of the first child
  std::vector<Family> families_;                  ///< [coarse element]
  SharedNodes shared_;                            ///< nodes between corners of coarse_
};

void check(const Mesh& mesh, int levels, const Snap& snap, const Curves& curves) {
  if (levels < 0 || levels > 20)
    throw InputError({mesh.file}, fmt::format("cannot refine {} times: allowed are 0 to 20 levels", levels));
  if (!curves.empty() && mesh.dimension != 2)
    throw InputError({mesh.file}, "walls can be curved in two-dimensional meshes only");
  check_boundary_names(mesh, curves);
  check_boundary_names(mesh, snap);
}

}  // namespace

Mesh refine(const Mesh& mesh, int levels, const Snap& snap, const Curves& curves) {
  check(mesh, levels, snap, curves);
  Snap own = snap;  // of a boundary with a curve, its nodes lie on that
  for (const auto& [name, shape] : curves) own.erase(name);
  Mesh result = mesh;
  for (int level = 0; level < levels; ++level) {
    const auto first = static_cast<Index>(result.nodes.size());
    Phase phase("refining the mesh");
    result = Refiner(result, curves).refine(phase);
    snap_boundaries(result, own, first);
  }
  return result;
}

}  // namespace galerna::mesh
