#include "steady/lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/index.hpp"
#include "base/shape.hpp"
#include "base/vectors.hpp"
#include "mesh/geometry.hpp"

namespace galerna::steady {
namespace {

/// From an element's centre to its side, at a right angle.
double reach(const mesh::Mesh& mesh, const mesh::Side& side) {
  const auto nodes = mesh.element_nodes(side.element);
  const auto corners = side_corners(mesh.shape(side.element), side.side);
  const auto edge = [&](std::size_t to) {
    return minus(mesh.nodes[at(nodes[at(corners[to])])], mesh.nodes[at(nodes[at(corners[0])])]);
  };
  const mesh::Point normal = cross(edge(1), corners.size() > 2 ? edge(2) : mesh::Point{0, 0, 1});
  return std::abs(dot(normal, minus(mesh::side_centre(mesh, side), mesh::centroid(mesh, side.element)))) / norm(normal);
}

struct Pair {
  double distance;
  std::int32_t left, right;
};

/// The pairs of neighbours, nearest first.
std::vector<Pair> pairs_of(const mesh::Mesh& mesh) {
  std::vector<Pair> pairs;
  for (const mesh::Face& face : mesh.faces)
    if (face.right.element >= 0 && face.right.element != face.left.element)
      pairs.push_back({reach(mesh, face.left) + reach(mesh, face.right), static_cast<std::int32_t>(face.left.element),
                       static_cast<std::int32_t>(face.right.element)});
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  return pairs;
}

/// Which elements hang together.
class Chains {
 public:
  explicit Chains(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0); }
  std::int32_t root(std::int32_t e) {
    while (parents_[at(e)] != e) e = parents_[at(e)] = parents_[at(parents_[at(e)])];
    return e;
  }
  void join(std::int32_t a, std::int32_t b) { parents_[at(root(a))] = root(b); }

 private:
  std::vector<std::int32_t> parents_;
};

}  // namespace

Lines lines_of(const mesh::Mesh& mesh, double aspect) {
  const std::size_t count = at(mesh.element_count());
  const std::vector<Pair> pairs = pairs_of(mesh);
  std::vector<double> nearest(count, std::numeric_limits<double>::infinity()), farthest(count, 0);
  const auto see = [&](mesh::Index e, double distance) {
    nearest[at(e)] = std::min(nearest[at(e)], distance);
    farthest[at(e)] = std::max(farthest[at(e)], distance);
  };
  for (const Pair& pair : pairs)
    for (const std::int32_t e : {pair.left, pair.right}) see(e, pair.distance);
  for (const mesh::Face& face : mesh.faces)
    if (face.right.element < 0) see(face.left.element, 2 * reach(mesh, face.left));
  // Thick enough is what is not much farther than the nearest: the other side of a boundary layer's element.
  const auto is_near = [&](std::int32_t e, double distance) {
    return farthest[at(e)] > aspect * nearest[at(e)] && distance * distance < farthest[at(e)] * nearest[at(e)];
  };
  std::vector<std::array<std::int32_t, 2>> next(count, {-1, -1});
  Chains chains(count);
  for (const Pair& pair : pairs) {
    if (!is_near(pair.left, pair.distance) || !is_near(pair.right, pair.distance)) continue;
    auto &a = next[at(pair.left)], &b = next[at(pair.right)];
    if (a[1] >= 0 || b[1] >= 0 || chains.root(pair.left) == chains.root(pair.right)) continue;
    a[a[0] >= 0 ? 1 : 0] = pair.right;
    b[b[0] >= 0 ? 1 : 0] = pair.left;
    chains.join(pair.left, pair.right);
  }
  Lines lines;
  std::vector<bool> seen(count, false);
  for (std::size_t e = 0; e < count; ++e) {
    if (seen[e] || next[e][1] >= 0) continue;  // not an end
    std::vector<std::int32_t>& line = lines.emplace_back();
    for (std::int32_t last = -1, now = static_cast<std::int32_t>(e); now >= 0;) {
      seen[at(now)] = true;
      line.push_back(now);
      const std::array<std::int32_t, 2>& beside = next[at(now)];
      const std::int32_t onward = beside[0] != last ? beside[0] : beside[1];
      last = now;
      now = onward;
    }
  }
  return lines;
}

Couplings couplings_of(const Lines& lines, mesh::Index elements) {
  Couplings result(at(elements));
  for (const std::vector<std::int32_t>& line : lines)
    for (std::size_t k = 1; k < line.size(); ++k) {
      result[at(line[k])].push_back(line[k - 1]);
      result[at(line[k - 1])].push_back(line[k]);
    }
  return result;
}

}  // namespace galerna::steady
