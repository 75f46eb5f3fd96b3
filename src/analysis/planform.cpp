#include "analysis/planform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>

#include "base/index.hpp"
#include "base/vectors.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/side_key.hpp"

namespace galerna::analysis {
namespace {

using mesh::Point;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t strips = 1000;

using Triangle = std::array<Point, 3>;

/// Sides of four corners are two triangles; in the plane the third corner is the second.
std::vector<Triangle> triangles_of(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries) {
  std::vector<Triangle> triangles;
  for (const std::string& name : boundaries)
    for (const mesh::Side& side : mesh::find_boundary(mesh, name).sides) {
      const std::vector<mesh::Index> corners = mesh::corners_of(mesh, side);
      const auto at_corner = [&](std::size_t c) { return mesh.nodes[at(corners[std::min(c, corners.size() - 1)])]; };
      for (std::size_t c = 1; c == 1 || c + 1 < corners.size(); ++c)
        triangles.push_back({at_corner(0), at_corner(c), at_corner(c + 1)});
    }
  return triangles;
}

/// Twice the area of a triangle in the plane, positive anticlockwise.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Corners of the convex hull of points in the plane, anticlockwise (A. M. Andrew, Inf. Process. Lett. 9 (1979) 216).
std::vector<Point> hull_of(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  const auto add = [&](const Point& x, std::size_t kept) {
    while (hull.size() > kept && turn(hull[hull.size() - 2], hull.back(), x) <= 0) hull.pop_back();
    hull.push_back(x);
  };
  for (const Point& x : points) add(x, 1);
  const std::size_t lower = hull.size();
  for (auto x = points.rbegin() + 1; x != points.rend(); ++x) add(*x, lower);
  hull.pop_back();
  return hull;
}

/// Between two corners, by calipers that turn round the hull: of each of its sides the farthest corner lies behind that
/// of the side before.
double largest_distance(const std::vector<Triangle>& triangles) {
  std::vector<Point> points;
  for (const Triangle& triangle : triangles) points.insert(points.end(), triangle.begin(), triangle.begin() + 2);
  const std::vector<Point> hull = hull_of(std::move(points));
  const std::size_t n = hull.size();
  double largest = 0;
  for (std::size_t i = 0, far = 1; i < n; ++i) {
    const Point &a = hull[i], &b = hull[(i + 1) % n];
    while (turn(a, b, hull[(far + 1) % n]) > turn(a, b, hull[far])) far = (far + 1) % n;
    for (const Point& x : {hull[far], hull[(far + 1) % n]})  // both where a side lies opposite
      largest = std::max({largest, norm(minus(a, x)), norm(minus(b, x))});
  }
  return largest;
}

/// Directions along the chord, the span and up.
struct Axes {
  Axes(const Point& stream, const Point& upward)
      : up(unit(upward)), span(unit(cross(upward, stream))), chord(cross(span, up)) {}
  Point up, span, chord;
};

struct Section {
  double nose = infinity, tail = -infinity;  ///< least and largest place along the chord
  double height = 0;                         ///< of the nose, along up
};

/// Sections in the middle of strips of equal width.
class Sections {
 public:
  Sections(const std::vector<Triangle>& triangles, const Axes& axes) : axes_(axes), list_(strips) {
    for (const Triangle& triangle : triangles)
      for (const Point& x : triangle) {
        first_ = std::min(first_, dot(x, axes.span));
        last_ = std::max(last_, dot(x, axes.span));
      }
    for (const Triangle& triangle : triangles)
      for (std::size_t c = 0; c < 3; ++c) add(triangle[c], triangle[(c + 1) % 3]);
  }

  double span() const { return last_ - first_; }
  double place(std::size_t strip) const { return first_ + (static_cast<double>(strip) + 0.5) * width(); }
  const std::vector<Section>& list() const { return list_; }

 private:
  double width() const { return span() / strips; }

  void add(Point a, Point b) {
    if (dot(a, axes_.span) > dot(b, axes_.span)) std::swap(a, b);
    const double begin = dot(a, axes_.span), length = dot(b, axes_.span) - begin;
    if (!(length > 0)) return;
    const double from = std::ceil((begin - first_) / width() - 0.5);
    for (auto s = static_cast<std::size_t>(std::max(from, 0.0)); s < strips && place(s) <= begin + length; ++s) {
      const Point x = plus(a, times((place(s) - begin) / length, minus(b, a)));
      Section& section = list_[s];
      section.tail = std::max(section.tail, dot(x, axes_.chord));
      if (dot(x, axes_.chord) < section.nose) section.nose = dot(x, axes_.chord), section.height = dot(x, axes_.up);
    }
  }

  Axes axes_;
  double first_ = infinity, last_ = -infinity;
  std::vector<Section> list_;
};

}  // namespace

Planform planform_of(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries, const Point& stream,
                     const Point& up) {
  const std::vector<Triangle> triangles = triangles_of(mesh, boundaries);
  Planform result;
  if (mesh.dimension == 2) {
    result.chord = largest_distance(triangles);
    return result;
  }
  const Axes axes(stream, up);
  for (const Triangle& t : triangles)
    result.area += 0.25 * std::abs(dot(cross(minus(t[1], t[0]), minus(t[2], t[0])), axes.up));
  const Sections sections(triangles, axes);
  result.span = sections.span();
  double sum = 0, squares = 0, nose = 0, place = 0, height = 0;
  for (std::size_t s = 0; s < strips; ++s) {
    const Section& section = sections.list()[s];
    const double chord = section.tail - section.nose;
    if (!(chord > 0)) continue;
    sum += chord, squares += chord * chord;
    nose += chord * section.nose, place += chord * sections.place(s), height += chord * section.height;
  }
  if (!(sum > 0)) return result;
  result.chord = squares / sum;
  result.quarter = plus(times(nose / sum + 0.25 * result.chord, axes.chord),
                        plus(times(place / sum, axes.span), times(height / sum, axes.up)));
  return result;
}

std::vector<std::string> closed_boundaries(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries) {
  std::vector<std::size_t> name_of, parent;                                                 // [side]
  std::unordered_map<mesh::SideKey, std::vector<std::size_t>, mesh::SideKeyHash> sides_at;  // corner or edge -> sides
  for (std::size_t name = 0; name < boundaries.size(); ++name)
    for (const mesh::Side& side : mesh::find_boundary(mesh, boundaries[name]).sides) {
      const std::vector<mesh::Index> corners = mesh::corners_of(mesh, side);
      for (std::size_t c = 0; c < corners.size(); ++c) {
        const std::array<mesh::Index, 2> edge = {corners[c], corners[(c + 1) % corners.size()]};
        sides_at[mesh::side_key(std::span(edge).first(corners.size() == 2 ? 1 : 2))].push_back(name_of.size());
      }
      parent.push_back(name_of.size());
      name_of.push_back(name);
    }
  const auto root = [&](std::size_t side) {
    while (parent[side] != side) side = parent[side] = parent[parent[side]];
    return side;
  };
  for (const auto& [key, sides] : sides_at)
    for (const std::size_t side : sides) parent[root(side)] = root(sides[0]);
  std::vector<char> open(parent.size(), 0), open_name(boundaries.size(), 0);
  for (const auto& [key, sides] : sides_at)
    if (sides.size() % 2 == 1) open[root(sides[0])] = 1;
  for (std::size_t side = 0; side < parent.size(); ++side)
    if (open[root(side)]) open_name[name_of[side]] = 1;
  std::vector<std::string> closed;
  for (std::size_t name = 0; name < boundaries.size(); ++name)
    if (!open_name[name]) closed.push_back(boundaries[name]);
  return closed;
}

}  // namespace galerna::analysis
