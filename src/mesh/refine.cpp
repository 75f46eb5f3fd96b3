#include "mesh/refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"
#include "mesh/refine_tables.hpp"
#include "mesh/shared_nodes.hpp"
#include "mesh/side_key.hpp"
#include "mesh/snap.hpp"

namespace galerna::mesh {
namespace {

/// One level of refinement. New nodes are numbered in the order of the elements and nodes in them that come first.
class Refiner {
 public:
  Refiner(const Mesh& coarse, const Curves& curves)
      : coarse_(coarse), curves_(curves), fine_(coarse.without_elements()) {}

  Mesh refine() {
    make_blocks();
    number_sources();
    make_parts();
    unite_nodes();
    number_nodes();
    divide_elements();
    divide_boundaries();
    make_images();
    return std::move(fine_);
  }

 private:
  /// Of a coarse block.
  struct Part {
    std::vector<Division> divisions;   ///< [diagonal]
    std::vector<std::size_t> between;  ///< [k] a division's node that other elements may have, too
    std::vector<int> shared;           ///< [node of a division] its number k, or −1
    Index first_element = 0, first_shared = 0;
    Index first_piece = 0;
    std::size_t other = 0;                   ///< of the fine blocks that of children of another shape
    Index own_children = 0;                  ///< of an element; the others stand behind them
    Index first_child = 0, first_other = 0;  ///< of the first element, in their blocks

    const Division& division() const { return divisions.front(); }
    Index shared_node(Index position, Index k) const {
      return first_shared + position * static_cast<Index>(between.size()) + k;
    }
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
      Part& part = parts_.emplace_back();
      part.other = static_cast<std::size_t>(other - fine_.blocks.begin());
      for (int d = 0; d < (block.shape == Shape::tetrahedron ? 3 : 1); ++d)
        part.divisions.push_back(make_division(block.shape, block.order, d));
      for (const CornerWeights& corners : part.division().corners) {
        const bool is_between = corners.size() > 1 && corners.size() <= 4;
        part.shared.push_back(is_between ? static_cast<int>(part.between.size()) : -1);
        if (is_between) part.between.push_back(part.shared.size() - 1);
      }
    }
  }

  /// Children stand in the order of their parents, which do not have equally many where there are pyramids.
  void number_sources() {
    for (std::size_t b = 0; b < coarse_.blocks.size(); ++b)
      for (const Index source : coarse_.blocks[b].source) {
        if (source >= static_cast<Index>(first_source_.size()))
          first_source_.resize(static_cast<std::size_t>(source + 1));
        first_source_[static_cast<std::size_t>(source)] =
            static_cast<Index>(parts_[b].division().parts.children.size());
      }
    fine_.numbers.clear();
    for (std::size_t source = 0; source < std::min(first_source_.size(), coarse_.numbers.size()); ++source)
      fine_.numbers.insert(fine_.numbers.end(), static_cast<std::size_t>(first_source_[source]),
                           coarse_.numbers[source]);
    std::exclusive_scan(first_source_.begin(), first_source_.end(), first_source_.begin(), Index{0});
  }

  /// Where the nodes and children of each block begin.
  void make_parts() {
    std::vector<Index> children(fine_.blocks.size(), 0);
    Index elements = 0, pieces = 0;
    for (std::size_t b = 0; b < parts_.size(); ++b) {
      Part& part = parts_[b];
      const std::vector<Shape>& shapes = part.division().parts.shapes;
      const Index size = coarse_.blocks[b].size();
      part.first_element = elements;
      part.first_shared = shared_count_;
      part.first_piece = pieces;
      part.own_children = std::count(shapes.begin(), shapes.end(), shapes.front());
      part.first_child = children[b];
      children[b] += size * part.own_children;
      if (const Index others = std::ssize(shapes) - part.own_children; others > 0) {
        part.first_other = children[part.other];
        children[part.other] += size * others;
      }
      elements += size;
      shared_count_ += size * static_cast<Index>(part.between.size());
      pieces += (size + piece - 1) / piece;
    }
    first_new_.resize(static_cast<std::size_t>(pieces));
    for (std::size_t b = 0; b < fine_.blocks.size(); ++b) {
      ElementBlock& fine = fine_.blocks[b];
      fine.nodes.resize(static_cast<std::size_t>(children[b] * fine.nodes_per_element()));
      fine.region.resize(static_cast<std::size_t>(children[b]));
      fine.source.resize(static_cast<std::size_t>(children[b]));
    }
  }

  const Part& part_of_element(Index element) const {
    return *--std::upper_bound(parts_.begin(), parts_.end(), element,
                               [](Index e, const Part& p) { return e < p.first_element; });
  }
  std::span<const Index> nodes_of_element(const Part& part, Index position) const {
    return coarse_nodes(coarse_.blocks[static_cast<std::size_t>(&part - parts_.data())], position);
  }
  static std::span<const Index> coarse_nodes(const ElementBlock& block, Index position) {
    const auto count = static_cast<std::size_t>(block.nodes_per_element());
    return std::span(block.nodes).subspan(static_cast<std::size_t>(position) * count, count);
  }

  NodePlace place_of_shared(Index node) const {
    const Part& part = *--std::upper_bound(parts_.begin(), parts_.end(), node,
                                           [](Index n, const Part& p) { return n < p.first_shared; });
    const Index k = node - part.first_shared, count = static_cast<Index>(part.between.size());
    return node_place(part.division().corners[part.between[static_cast<std::size_t>(k % count)]],
                      nodes_of_element(part, k / count));
  }

  void unite_nodes() {
    owners_ = first_at_same_place(shared_count_, static_cast<Index>(coarse_.nodes.size()),
                                  [&](Index node) { return place_of_shared(node); });
  }

  /// Calls visit(part, position, next) for all elements, from any thread; new nodes of those of a piece are numbered
  /// by what they add to `next`.
  template <class Visit>
  void for_each_element(const Visit& visit) {
    for (std::size_t b = 0; b < parts_.size(); ++b)
      in_parallel(coarse_.blocks[b].size(), piece, [&, b](Index begin, Index end) {
        const Part& part = parts_[b];
        Index& next = first_new_[static_cast<std::size_t>(part.first_piece + begin / piece)];
        for (Index e = begin; e < end; ++e) visit(part, e, next);
      });
  }

  /// Whether the element is the first that has the node.
  bool owns(Index shared_node) const {
    const Index owner = owners_[static_cast<std::size_t>(shared_node)];
    return owner == shared_node || owner < 0;
  }
  /// Whether the division's node n is neither one of the element's own nor another element's.
  bool makes(const Part& part, Index position, std::size_t n) const {
    const Division& division = part.division();
    if (division.values[n].size() == 1) return false;
    return part.shared[n] < 0 || owns(part.shared_node(position, part.shared[n]));
  }

  /// Of nodes that several elements may have; those of the first of them become −1 − their numbers.
  void number_nodes() {
    for_each_element([&](const Part& part, Index position, Index& count) {
      for (std::size_t n = 0; n < part.division().values.size(); ++n) count += makes(part, position, n);
    });
    const auto old = static_cast<Index>(coarse_.nodes.size());
    const Index made = std::accumulate(first_new_.begin(), first_new_.end(), Index{0});
    fine_.nodes.resize(static_cast<std::size_t>(old + made));
    std::exclusive_scan(first_new_.begin(), first_new_.end(), first_new_.begin(), old);
    const std::vector<Index> first = first_new_;
    for_each_element([&](const Part& part, Index position, Index& next) {
      const std::span<const Index> parent = nodes_of_element(part, position);
      for (std::size_t n = 0; n < part.division().values.size(); ++n) {
        const bool is_made = makes(part, position, n);
        if (const int k = part.shared[n]; k >= 0)
          if (const Index node = part.shared_node(position, k); owns(node))
            owners_[static_cast<std::size_t>(node)] = -1 - (is_made ? next : own_node(part, n, parent));
        next += is_made;
      }
    });
    first_new_ = first;
  }

  static Index own_node(const Part& part, std::size_t n, std::span<const Index> parent) {
    return parent[static_cast<std::size_t>(part.division().values[n].front().first)];
  }
  Index number_of_shared(Index node) const {
    const Index owner = owners_[static_cast<std::size_t>(node)];
    return -1 - (owner < 0 ? owner : owners_[static_cast<std::size_t>(owner)]);
  }

  void divide_elements() {
    for_each_element([&](const Part& part, Index position, Index& next) { divide(part, position, next); });
  }

  void divide(const Part& part, Index position, Index& next) {
    const auto b = static_cast<std::size_t>(&part - parts_.data());
    const ElementBlock& block = coarse_.blocks[b];
    const std::span<const Index> parent = coarse_nodes(block, position);
    const Division& division = part.divisions[shortest_diagonal(part, parent)];
    thread_local std::vector<Index> nodes;
    nodes.resize(division.values.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const bool is_made = makes(part, position, n);
      nodes[n] = part.shared[n] >= 0 ? number_of_shared(part.shared_node(position, part.shared[n]))
                 : is_made           ? next
                                     : own_node(part, n, parent);
      if (is_made) fine_.nodes[static_cast<std::size_t>(next++)] = place(division, n, parent);
    }
    Index source = first_source_[static_cast<std::size_t>(block.source[static_cast<std::size_t>(position)])];
    for (int c = 0; c < static_cast<int>(division.children.size()); ++c) {
      const auto [fine_block, child] = child_of(part, position, c);
      ElementBlock& fine = fine_.blocks[fine_block];
      auto to = fine.nodes.begin() + child * fine.nodes_per_element();
      for (const int n : division.children[static_cast<std::size_t>(c)]) *to++ = nodes[static_cast<std::size_t>(n)];
      fine.region[static_cast<std::size_t>(child)] = block.region[static_cast<std::size_t>(position)];
      fine.source[static_cast<std::size_t>(child)] = source++;
    }
  }

  /// Its fine block and position there.
  std::pair<std::size_t, Index> child_of(const Part& part, Index position, int child) const {
    if (child < part.own_children)
      return {static_cast<std::size_t>(&part - parts_.data()), part.first_child + position * part.own_children + child};
    const Index others = std::ssize(part.division().parts.shapes) - part.own_children;
    return {part.other, part.first_other + position * others + child - part.own_children};
  }

  /// Of a tetrahedron's octahedron; 0 of other shapes.
  std::size_t shortest_diagonal(const Part& part, std::span<const Index> parent) const {
    if (part.divisions.size() == 1) return 0;
    const Division& division = part.division();
    std::size_t best = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < part.divisions.size(); ++d) {
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

  void divide_boundaries() {
    std::vector<Index> start{0};
    for (const ElementBlock& block : fine_.blocks) start.push_back(start.back() + block.size());
    for (const Boundary& boundary : coarse_.boundaries) {
      const auto shape = curves_.find(boundary.name);
      Boundary fine{boundary.name, {}};
      for (const Side& side : boundary.sides) {
        const Part& part = part_of_element(side.element);
        const Index position = side.element - part.first_element;
        const Division& division = part.divisions[shortest_diagonal(part, nodes_of_element(part, position))];
        for (const auto& [child, child_side] : division.parts.sides[static_cast<std::size_t>(side.side)]) {
          const auto [block, place] = child_of(part, position, child);
          fine.sides.push_back({start[block] + place, child_side});
        }
        if (shape != curves_.end()) put_on_curve(side, *shape->second);
      }
      fine_.boundaries.push_back(std::move(fine));
    }
  }

  /// The node at a place of an element.
  Index node_at(Index element, const NodePlace& place) const {
    const Part& part = part_of_element(element);
    Index node = part.shared_node(element - part.first_element, 0);
    while (place_of_shared(node) != place) ++node;
    return number_of_shared(node);
  }

  void put_on_curve(const Side& side, const PlaneCurve& shape) {
    const std::vector<Index> ends = corners_of(coarse_, side);
    const auto span =
        shape.span(coarse_.nodes[static_cast<std::size_t>(ends[0])], coarse_.nodes[static_cast<std::size_t>(ends[1])]);
    if (!span) return;
    const Index between = node_at(side.element, node_place({{0, 1}, {1, 1}}, ends));
    const Point middle = shape.at(0.5 * ((*span)[0] + (*span)[1]));
    Point& x = fine_.nodes[static_cast<std::size_t>(between)];
    x = {middle[0], middle[1], x[2]};
  }

  /// New nodes are images of one another where their corners are, moved by one translation.
  void make_images() {
    const auto old = coarse_.image.size();
    fine_.image.resize(fine_.nodes.size());
    std::iota(fine_.image.begin() + static_cast<std::ptrdiff_t>(old), fine_.image.end(), static_cast<Index>(old));
    if (!has_images(coarse_)) return;
    std::unordered_map<NodePlace, std::vector<std::pair<Index, NodePlace>>, NodePlaceHash> groups;
    for (const auto& [place, node] : nodes_between_images()) {
      CornerWeights weights;
      std::vector<Index> images;
      for (std::size_t i = 0; i < 4; ++i) {
        if (place.corners[i] < 0) continue;
        weights.emplace_back(static_cast<int>(images.size()), place.weights[i]);
        images.push_back(coarse_.image[static_cast<std::size_t>(place.corners[i])]);
      }
      groups[node_place(weights, images)].emplace_back(node, place);
    }
    const double tolerance = 1e-6 * extent(coarse_);
    for (const auto& [images, group] : groups)
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (translated(group[i].second, group[j].second, tolerance))
            join_images(fine_.image, group[i].first, group[j].first);
    finish_images(fine_.image);
  }

  /// Those whose corners all have images, or are some.
  std::vector<std::pair<NodePlace, Index>> nodes_between_images() const {
    std::vector<char> periodic(coarse_.nodes.size(), 0);
    for (std::size_t n = 0; n < periodic.size(); ++n)
      if (const auto image = static_cast<std::size_t>(coarse_.image[n]); image != n) periodic[n] = periodic[image] = 1;
    std::vector<std::vector<std::pair<NodePlace, Index>>> found(
        static_cast<std::size_t>((shared_count_ + piece - 1) / piece));
    in_parallel(shared_count_, piece, [&](Index begin, Index end) {
      for (Index node = begin; node < end; ++node) {
        if (!owns(node)) continue;
        const NodePlace place = place_of_shared(node);
        if (std::all_of(place.corners.begin(), place.corners.end(),
                        [&](Index c) { return c < 0 || periodic[static_cast<std::size_t>(c)] != 0; }))
          found[static_cast<std::size_t>(begin / piece)].emplace_back(place, number_of_shared(node));
      }
    });
    std::vector<std::pair<NodePlace, Index>> all;
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    return all;
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

  static constexpr Index piece = 4096;  ///< elements

  const Mesh& coarse_;
  const Curves& curves_;
  Mesh fine_;
  std::vector<Part> parts_;          ///< [block]
  std::vector<Index> first_source_;  ///< [source] that of the first child
  Index shared_count_ = 0;
  /// [element, node between its corners] the first such node at the same place; once they are numbered, −1 − the number
  /// for the first ones themselves
  std::vector<Index> owners_;
  std::vector<Index> first_new_;  ///< [piece of elements] number of its first new node
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
    result = Refiner(result, curves).refine();
    snap_boundaries(result, own, first);
  }
  return result;
}

}  // namespace galerna::mesh
