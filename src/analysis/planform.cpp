#include "analysis/planform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

double largest_distance(const std::vector<Triangle>& triangles) {
  double largest = 0;
  for (const Triangle& a : triangles)
    for (const Triangle& b : triangles) largest = std::max(largest, norm(minus(a[0], b[1])));
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

}  // namespace galerna::analysis
