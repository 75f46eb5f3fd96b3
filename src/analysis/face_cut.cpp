#include "analysis/face_cut.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "mesh/geometry.hpp"

namespace galerna::analysis {

using basis::Point;

namespace {

/// A triangulated lattice on the reference shape of sides.
struct SideLattice {
  std::vector<Point> points;
  std::vector<std::array<int, 3>> triangles;
};

SideLattice make_lattice(Shape shape, int n) {
  SideLattice lattice;
  const bool triangle = shape == Shape::triangle;
  std::map<std::pair<int, int>, int> number;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= (triangle ? n - j : n); ++i) {
      number[{i, j}] = static_cast<int>(lattice.points.size());
      const double x = static_cast<double>(i) / n, y = static_cast<double>(j) / n;
      lattice.points.push_back(triangle ? Point{x, y, 0} : Point{2 * x - 1, 2 * y - 1, 0});
    }
  for (const auto& [at, corner] : number) {
    const auto [i, j] = at;
    const auto right = number.find({i + 1, j}), up = number.find({i, j + 1}), far = number.find({i + 1, j + 1});
    if (right == number.end() || up == number.end()) continue;
    lattice.triangles.push_back({corner, right->second, up->second});
    if (far != number.end()) lattice.triangles.push_back({right->second, far->second, up->second});
  }
  return lattice;
}

/// An edge of the lattice that the plane cuts: from the lesser number to the larger.
using Edge = std::pair<int, int>;

/// Cuts one side, of which the distances of the lattice's points are known.
class SideCutter {
 public:
  SideCutter(const mesh::Mesh& mesh, const mesh::Side& side, const Plane& plane, double tolerance)
      : side_(side), map_(mesh, side), plane_(plane), tolerance_(tolerance) {}

  std::vector<CutArc> arcs(const SideLattice& lattice, const std::vector<double>& distances,
                           const std::vector<bool>& behind, int count) const {
    std::vector<CutArc> result;
    for (const std::vector<Edge>& chain : chains(lattice, behind)) {
      std::vector<Point> line;
      for (const auto& [a, b] : chain) {
        const auto at = [](int i) { return static_cast<std::size_t>(i); };
        const double da = distances[at(a)], db = distances[at(b)];
        line.push_back(between(lattice.points[at(a)], lattice.points[at(b)], da / (da - db)));
      }
      const auto on_edge = [&](const Edge& edge) {
        return root(lattice.points[static_cast<std::size_t>(edge.first)],
                    lattice.points[static_cast<std::size_t>(edge.second)]);
      };
      if (chain.front() != chain.back()) {
        line.front() = on_edge(chain.front());
        line.back() = on_edge(chain.back());
      }
      CutArc arc{side_, points_on(spread(line, count))};
      double length = 0;
      for (std::size_t i = 1; i < arc.points.size(); ++i)
        length += mesh::distance(arc.points[i - 1].place, arc.points[i].place);
      if (length > 100 * tolerance_) result.push_back(std::move(arc));  // else the plane meets a corner alone
    }
    return result;
  }

 private:
  /// Edges that change from one side of the plane to the other, one triangle after the other; a closed chain ends with
  /// its first edge.
  static std::vector<std::vector<Edge>> chains(const SideLattice& lattice, const std::vector<bool>& behind) {
    std::map<Edge, std::vector<Edge>> next;
    for (const auto& corners : lattice.triangles) {
      std::vector<Edge> crossed;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = std::minmax(corners[k], corners[(k + 1) % 3]);
        if (behind[static_cast<std::size_t>(a)] != behind[static_cast<std::size_t>(b)]) crossed.emplace_back(a, b);
      }
      if (crossed.empty()) continue;
      next[crossed[0]].push_back(crossed[1]);
      next[crossed[1]].push_back(crossed[0]);
    }
    std::vector<std::vector<Edge>> result;
    std::set<Edge> seen;
    const auto walk = [&](Edge edge) {
      result.emplace_back();
      const Edge first = edge;
      for (bool more = true; more;) {
        result.back().push_back(edge);
        seen.insert(edge);
        more = false;
        for (const Edge& other : next[edge])
          if (!more && !seen.count(other)) edge = other, more = true;
      }
      if (next[first].size() == 2) result.back().push_back(first);
    };
    for (const auto& [edge, others] : next)
      if (others.size() == 1 && !seen.count(edge)) walk(edge);
    for (const auto& [edge, others] : next)
      if (!seen.count(edge)) walk(edge);
    return result;
  }

  static Point between(const Point& a, const Point& b, double share) { return plus(a, times(share, minus(b, a))); }

  double distance(const Point& at) const { return plane_.distance(map_.at({at}).front().place); }

  /// Where the plane cuts the line from a to b, at which its distance has two signs: by the secant rule, with bisection
  /// where that is slow (Illinois).
  Point root(const Point& a, const Point& b) const {
    double ta = 0, tb = 1, fa = distance(a), fb = distance(b), t = 0;
    if (std::abs(fa) <= tolerance_) return a;
    if (std::abs(fb) <= tolerance_) return b;
    for (int turn = 0; turn < 60; ++turn) {
      t = (ta * fb - tb * fa) / (fb - fa);
      const double f = distance(between(a, b, t));
      if (std::abs(f) <= 1e-3 * tolerance_) break;
      if (f * fb < 0)
        ta = tb, fa = fb;
      else
        fa /= 2;
      tb = t, fb = f;
    }
    return between(a, b, t);
  }

  /// `count` points at even distances along a line.
  static std::vector<Point> spread(const std::vector<Point>& line, int count) {
    std::vector<double> reached = {0};
    for (std::size_t i = 1; i < line.size(); ++i)
      reached.push_back(reached.back() + mesh::distance(line[i - 1], line[i]));
    std::vector<Point> result = {line.front()};
    std::size_t piece = 1;
    for (int i = 1; i < count - 1; ++i) {
      const double at = reached.back() * i / (count - 1);
      while (piece + 1 < line.size() && reached[piece] < at) ++piece;
      const double length = reached[piece] - reached[piece - 1];
      result.push_back(between(line[piece - 1], line[piece], length > 0 ? (at - reached[piece - 1]) / length : 0));
    }
    result.push_back(line.back());
    return result;
  }

  /// Puts points on the plane along the gradient of its distance.
  std::vector<CutPoint> points_on(std::vector<Point> points) const {
    std::vector<SideMap::Place> places = map_.at(points);
    for (int turn = 0; turn < 20; ++turn) {
      bool moved = false;
      for (std::size_t q = 0; q < points.size(); ++q) {
        const double f = plane_.distance(places[q].place);
        const double slope[] = {dot(plane_.normal, places[q].tangents[0]), dot(plane_.normal, places[q].tangents[1])};
        const double square = slope[0] * slope[0] + slope[1] * slope[1];
        if (std::abs(f) <= 1e-3 * tolerance_ || square == 0) continue;
        for (std::size_t d = 0; d < 2; ++d) points[q][d] -= f * slope[d] / square;
        moved = true;
      }
      if (!moved) break;
      places = map_.at(points);
    }
    std::vector<CutPoint> result;
    double along = 0;
    for (std::size_t q = 0; q < points.size(); ++q) {
      const mesh::Point tangent = cross(plane_.normal, places[q].normal);
      const double length = std::sqrt(dot(tangent, tangent));
      result.push_back(
          {points[q], places[q].place, places[q].normal, length > 1e-12 ? times(1 / length, tangent) : mesh::Point{}});
      if (q > 0)
        along += dot(minus(places[q].place, places[q - 1].place), plus(result[q].tangent, result[q - 1].tangent));
    }
    if (along < 0) std::reverse(result.begin(), result.end());
    return result;
  }

  mesh::Side side_;
  SideMap map_;
  const Plane& plane_;
  double tolerance_;
};

}  // namespace

std::vector<CutArc> cut_sides(const mesh::Mesh& mesh, const std::vector<mesh::Side>& sides, const Plane& plane,
                              int points, bool touching) {
  struct Kind {
    SideLattice lattice;
    basis::Matrix values;  // [point of the lattice][node of the element]
  };
  std::map<std::tuple<Shape, int, int>, Kind> kinds;  // shape, geometry order and side
  const double tolerance = 1e-12 * mesh::extent(mesh);
  std::vector<CutArc> result;
  for (const mesh::Side& side : sides) {
    const mesh::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
    Kind& kind = kinds[{block.shape, block.order, side.side}];
    if (kind.lattice.points.empty()) {
      kind.lattice = make_lattice(side_shape(block.shape, side.side), 3 * block.order);
      kind.values = basis::lagrange_values(block.shape, block.order,
                                           basis::side_points(block.shape, side.side, kind.lattice.points));
    }
    const auto nodes = mesh.element_nodes(side.element);
    Eigen::VectorXd of_nodes(static_cast<Eigen::Index>(nodes.size()));
    for (std::size_t n = 0; n < nodes.size(); ++n)
      of_nodes[static_cast<Eigen::Index>(n)] = plane.distance(mesh.nodes[static_cast<std::size_t>(nodes[n])]);
    const Eigen::VectorXd found = kind.values * of_nodes;
    std::vector<double> distances(found.data(), found.data() + found.size());
    std::vector<bool> behind;
    for (double& distance : distances) {
      if (std::abs(distance) < tolerance) distance = 0;
      behind.push_back(touching ? distance <= 0 : distance < 0);
    }
    if (std::all_of(behind.begin(), behind.end(), [&](bool is) { return is == behind.front(); })) continue;
    for (CutArc& arc : SideCutter(mesh, side, plane, tolerance).arcs(kind.lattice, distances, behind, points))
      result.push_back(std::move(arc));
  }
  return result;
}

}  // namespace galerna::analysis
