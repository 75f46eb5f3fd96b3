#include "cad/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "base/index.hpp"

namespace galerna::cad {
namespace {

constexpr std::int32_t leaf = 8;

/// On the piece of a line between two corners: share of the second one.
double along(const Vector& a, const Vector& b, const Vector& x) {
  const Vector d = minus(b, a);
  const double length = dot(d, d);
  return length > 0 ? std::clamp(dot(minus(x, a), d) / length, 0.0, 1.0) : 0;
}

Vector place(const Facet& facet, const std::array<double, 3>& weights) {
  Vector sum{};
  for (std::size_t c = 0; c < 3; ++c) sum = plus(sum, times(weights[c], facet.corners[c]));
  return sum;
}

}  // namespace

FacetPoint nearest_on(const Facet& facet, const Vector& x) {
  const auto& [a, b, c] = facet.corners;
  const Vector ab = minus(b, a), ac = minus(c, a), ax = minus(x, a), normal = cross(ab, ac);
  const double area = dot(normal, normal);
  if (area > 0) {
    const double v = dot(cross(ax, ac), normal) / area, w = dot(cross(ab, ax), normal) / area;
    if (v >= 0 && w >= 0 && v + w <= 1) return {{1 - v - w, v, w}, std::abs(dot(ax, normal)) / std::sqrt(area)};
  }
  FacetPoint best;
  best.distance = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const double share = along(facet.corners[i], facet.corners[j], x);
    std::array<double, 3> weights{};
    weights[i] = 1 - share;
    weights[j] += share;
    if (const double d = norm(minus(x, place(facet, weights))); d < best.distance) best = {weights, d};
  }
  return best;
}

TriangleTree::TriangleTree(std::vector<Facet> facets) : facets_(std::move(facets)) {
  nodes_.push_back({{}, {}, 0, static_cast<std::int32_t>(facets_.size()), -1});
  for (std::size_t node = 0; node < nodes_.size(); ++node) build(node);  // which appends children
}

void TriangleTree::build(std::size_t node) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Node own = nodes_[node];
  own.lower = {infinity, infinity, infinity}, own.upper = {-infinity, -infinity, -infinity};
  for (std::int32_t f = own.first; f < own.last; ++f)
    for (const Vector& x : facets_[at(f)].corners)
      for (std::size_t k = 0; k < 3; ++k) {
        own.lower[k] = std::min(own.lower[k], x[k] - facets_[at(f)].off);
        own.upper[k] = std::max(own.upper[k], x[k] + facets_[at(f)].off);
      }
  if (own.last - own.first > leaf) {
    const Vector size = minus(own.upper, own.lower);
    const auto axis = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    const std::int32_t middle = own.first + (own.last - own.first) / 2;
    const auto centre = [axis](const Facet& f) { return f.corners[0][axis] + f.corners[1][axis] + f.corners[2][axis]; };
    std::nth_element(facets_.begin() + own.first, facets_.begin() + middle, facets_.begin() + own.last,
                     [&](const Facet& a, const Facet& b) {
                       return std::tuple(centre(a), a.part, a.index) < std::tuple(centre(b), b.part, b.index);
                     });
    own.children = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({{}, {}, own.first, middle, -1});
    nodes_.push_back({{}, {}, middle, own.last, -1});
  }
  nodes_[node] = own;
}

double TriangleTree::distance(const Node& node, const Vector& x) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double off = std::max({node.lower[k] - x[k], x[k] - node.upper[k], 0.0});
    sum += off * off;
  }
  return std::sqrt(sum);
}

double TriangleTree::search(const Vector& x, const std::function<bool(std::int32_t)>& takes,
                            const std::function<void(const Facet&, const FacetPoint&)>& visit) const {
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.emplace(distance(nodes_[0], x), 0);
  double bound = std::numeric_limits<double>::infinity();  // some part has a point so near
  while (!queue.empty() && queue.top().first <= bound) {
    const Node& node = nodes_[at(queue.top().second)];
    queue.pop();
    if (node.children >= 0) {
      for (const std::int32_t child : {node.children, node.children + 1})
        queue.emplace(distance(nodes_[at(child)], x), child);
      continue;
    }
    for (std::int32_t f = node.first; f < node.last; ++f) {
      const Facet& facet = facets_[at(f)];
      if (!takes(facet.part)) continue;
      const FacetPoint point = nearest_on(facet, x);
      if (point.distance - facet.off > bound) continue;
      bound = std::min(bound, point.distance + facet.off);
      visit(facet, point);
    }
  }
  return bound;
}

void TriangleTree::search_within(const Vector& x, double distance_allowed,
                                 const std::function<void(const Facet&, const FacetPoint&)>& visit) const {
  std::vector<std::int32_t> open{0};
  while (!open.empty()) {
    const Node& node = nodes_[at(open.back())];
    open.pop_back();
    if (distance(node, x) > distance_allowed) continue;
    if (node.children >= 0) {
      open.push_back(node.children);
      open.push_back(node.children + 1);
      continue;
    }
    for (std::int32_t f = node.first; f < node.last; ++f) {
      const FacetPoint point = nearest_on(facets_[at(f)], x);
      if (point.distance - facets_[at(f)].off <= distance_allowed) visit(facets_[at(f)], point);
    }
  }
}

}  // namespace galerna::cad
