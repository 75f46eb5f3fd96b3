#include "mesh/overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "base/lattice.hpp"
#include "base/vectors.hpp"
#include "mesh/geometry.hpp"
#include "mesh/point_tree.hpp"
#include "mesh/side_surface.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

using Place = std::array<double, 2>;  ///< in a SideFrame

/// A boundary side, straight between its corners.
struct Facet {
  Side side;
  int boundary;
  std::size_t count;  ///< of corners
  std::array<Index, 4> nodes;
  std::array<Point, 4> x;
  SideFrame frame;  ///< normal: out of the element
  Box box;          ///< of all nodes
  double size;      ///< its diagonal
};

double cross(const Place& a, const Place& b, const Place& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Around the mean of the corners.
SideFrame frame_of(const Facet& facet, const Point& inside) {
  SideFrame frame{};
  frame.directions = facet.count == 2 ? 1 : 2;
  for (std::size_t c = 0; c < facet.count; ++c)
    frame.origin = plus(frame.origin, times(1.0 / static_cast<double>(facet.count), facet.x[c]));
  const Point along = minus(facet.x[1], facet.x[0]);
  if (facet.count == 2)
    frame.normal = unit(Point{along[1], -along[0], 0});
  else if (facet.count == 3)
    frame.normal = unit(galerna::cross(along, minus(facet.x[2], facet.x[0])));
  else
    frame.normal = unit(galerna::cross(minus(facet.x[2], facet.x[0]), minus(facet.x[3], facet.x[1])));
  if (dot(frame.normal, minus(frame.origin, inside)) < 0) frame.normal = times(-1, frame.normal);
  frame.along[0] = unit(minus(along, times(dot(along, frame.normal), frame.normal)));
  frame.along[1] = galerna::cross(frame.normal, frame.along[0]);
  return frame;
}

/// [block, side] the nodes of a side.
using SideNodes = std::map<std::pair<int, int>, std::vector<int>>;

Facet make_facet(const Mesh& mesh, const Face& face, SideNodes& local) {
  Facet facet{};
  facet.side = face.left;
  facet.boundary = face.boundary;
  const int number = mesh.locate(face.left.element).block;
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(number)];
  const auto nodes = mesh.element_nodes(face.left.element);
  const auto corners = side_corners(block.shape, face.left.side);
  facet.count = corners.size();
  for (std::size_t c = 0; c < facet.count; ++c) {
    facet.nodes[c] = nodes[static_cast<std::size_t>(corners[c])];
    facet.x[c] = mesh.nodes[static_cast<std::size_t>(facet.nodes[c])];
  }
  facet.box = {facet.x[0], facet.x[0]};
  const auto add = [&](const Point& x) {
    for (std::size_t k = 0; k < 3; ++k) {
      facet.box.lower[k] = std::min(facet.box.lower[k], x[k]);
      facet.box.upper[k] = std::max(facet.box.upper[k], x[k]);
    }
  };
  for (std::size_t c = 0; c < facet.count; ++c) add(facet.x[c]);
  if (block.order > 1) {
    std::vector<int>& side = local[{number, face.left.side}];
    if (side.empty()) side = side_nodes(block.shape, block.order, face.left.side);
    for (const int n : side) add(mesh.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(n)])]);
  }
  facet.size = distance(facet.box.lower, facet.box.upper);
  facet.frame = frame_of(facet, centroid(mesh, face.left.element));
  return facet;
}

/// The corners in a frame, counterclockwise.
std::vector<Place> polygon_of(const Facet& facet, const SideFrame& frame) {
  std::vector<Place> polygon;
  for (std::size_t c = 0; c < facet.count; ++c) polygon.push_back(frame.project(minus(facet.x[c], frame.origin)));
  double area = 0;
  for (std::size_t c = 2; c < polygon.size(); ++c) area += cross(polygon[0], polygon[c - 1], polygon[c]);
  if (area < 0) std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

double area_of(const std::vector<Place>& polygon) {
  double area = 0;
  for (std::size_t c = 2; c < polygon.size(); ++c) area += 0.5 * cross(polygon[0], polygon[c - 1], polygon[c]);
  return area;
}

/// What lies to the left of the line from a to b (I. E. Sutherland, G. W. Hodgman, Comm. ACM 17 (1974) 32).
std::vector<Place> clipped(const std::vector<Place>& polygon, const Place& a, const Place& b) {
  std::vector<Place> result;
  for (std::size_t c = 0; c < polygon.size(); ++c) {
    const Place &from = polygon[c], &to = polygon[(c + 1) % polygon.size()];
    const double here = cross(a, b, from), there = cross(a, b, to);
    if (here >= 0) result.push_back(from);
    if ((here < 0) == (there < 0)) continue;
    const double t = here / (here - there);
    result.push_back({from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])});
  }
  return result;
}

/// Points well inside the part that both sides cover, as seen in the frame of the first; none where that is less than
/// 10⁻⁴ of the second.
std::vector<Place> common_places(const Facet& a, const Facet& b) {
  constexpr double least = 1e-4;
  std::vector<Place> part = polygon_of(b, a.frame);
  const std::vector<Place> other = polygon_of(a, a.frame);
  if (a.count == 2) {
    const auto [first, last] = std::minmax(part[0][0], part[1][0]);
    const auto [begin, end] = std::minmax(other[0][0], other[1][0]);
    const double lower = std::max(first, begin), upper = std::min(last, end);
    if (!(upper - lower > least * (last - first))) return {};
    return {{0.9 * lower + 0.1 * upper, 0}, {0.5 * (lower + upper), 0}, {0.1 * lower + 0.9 * upper, 0}};
  }
  const double whole = area_of(part);
  for (std::size_t c = 0; c < other.size() && part.size() > 2; ++c)
    part = clipped(part, other[c], other[(c + 1) % other.size()]);
  if (part.size() < 3 || !(area_of(part) > least * whole)) return {};
  Place centre{};
  for (const Place& x : part)
    for (std::size_t k = 0; k < 2; ++k) centre[k] += x[k] / static_cast<double>(part.size());
  for (Place& x : part)
    for (std::size_t k = 0; k < 2; ++k) x[k] = centre[k] + 0.8 * (x[k] - centre[k]);
  part.push_back(centre);
  return part;
}

/// Whether all corners of b lie beyond an edge of a, or on it: so do neighbours on a flat boundary.
bool is_beside(const Facet& a, const Facet& b) {
  const Point around = galerna::cross(minus(a.x[1], a.x[0]), minus(a.x[2], a.x[1]));
  const double sign = dot(around, a.frame.normal) < 0 ? -1 : 1;
  for (std::size_t c = 0; c < a.count && a.count > 2; ++c) {
    const Point outward = times(sign, galerna::cross(minus(a.x[(c + 1) % a.count], a.x[c]), a.frame.normal));
    const auto is_beyond = [&](const Point& x) { return dot(minus(x, a.x[c]), outward) >= -1e-10 * a.size * a.size; };
    if (std::all_of(b.x.begin(), b.x.begin() + static_cast<std::ptrdiff_t>(b.count), is_beyond)) return true;
  }
  return false;
}

class Finder {
 public:
  explicit Finder(const Mesh& mesh) : mesh_(mesh), bulge_(is_straight(mesh) ? 0 : 0.2) {
    SideNodes local;
    for (Index f = 0; f < mesh.boundary_faces; ++f)
      facets_.push_back(make_facet(mesh, mesh.faces[static_cast<std::size_t>(f)], local));
    std::vector<Point> centres;
    for (const Facet& facet : facets_) {
      centres.push_back(times(0.5, plus(facet.box.lower, facet.box.upper)));
      for (std::size_t k = 0; k < 3; ++k)
        largest_ = std::max({largest_, std::abs(facet.box.lower[k]), std::abs(facet.box.upper[k])});
    }
    tree_.emplace(std::move(centres));
  }

  /// Each side meets those that are smaller than itself: their centres lie within its box and half its size.
  std::vector<Overlap> find() const {
    std::vector<Overlap> overlaps;
    for (const Facet& facet : facets_) {
      const double reach = 0.5 * facet.size + bulge_ * facet.size + tolerance(facet);
      Point lower = facet.box.lower, upper = facet.box.upper;
      for (std::size_t k = 0; k < 3; ++k) lower[k] -= reach, upper[k] += reach;
      tree_->visit_box(lower, upper, [&](Index i) {
        const Facet& other = facets_[static_cast<std::size_t>(i)];
        if (std::tie(other.size, other.side.element, other.side.side) >=
            std::tie(facet.size, facet.side.element, facet.side.side))
          return;
        if (are_near(facet, other) && lie_upon(facet, other)) overlaps.push_back(overlap(facet, other));
      });
    }
    const auto position = [](const Side& side) { return std::tuple(side.element, side.side); };
    std::sort(overlaps.begin(), overlaps.end(), [&](const Overlap& a, const Overlap& b) {
      return std::tuple(position(a.first), position(a.second)) < std::tuple(position(b.first), position(b.second));
    });
    return overlaps;
  }

 private:
  /// How far nodes at one place may be apart: coordinates far from the origin have fewer digits.
  double tolerance(const Facet& facet) const {
    return std::max(1e-8 * facet.size, 8 * std::numeric_limits<double>::epsilon() * largest_);
  }

  bool are_near(const Facet& a, const Facet& b) const {
    const double apart = bulge_ * b.size + tolerance(b);
    for (std::size_t k = 0; k < 3; ++k)
      if (b.box.lower[k] > a.box.upper[k] + apart || b.box.upper[k] < a.box.lower[k] - apart) return false;
    return true;
  }

  /// \param b not the larger one
  bool lie_upon(const Facet& a, const Facet& b) const {
    const double own = tolerance(b), cosine = dot(a.frame.normal, b.frame.normal);
    if (std::abs(cosine) < 0.3 || is_beside(a, b)) return false;
    std::size_t common = 0;
    bool doubled = false;
    for (std::size_t i = 0; i < a.count; ++i)
      for (std::size_t j = 0; j < b.count; ++j) {
        if (a.nodes[i] != b.nodes[j] && distance(a.x[i], b.x[j]) > own) continue;
        ++common;
        doubled = doubled || a.nodes[i] != b.nodes[j];
      }
    if (common == std::min(a.count, b.count)) return true;
    if (std::abs(cosine) < 0.7) return false;
    const double allowed = doubled && cosine < 0 ? 0.1 * b.size : own;
    const std::vector<Place> places = common_places(a, b);
    return !places.empty() && touch(a, b, places, allowed);
  }

  bool touch(const Facet& a, const Facet& b, const std::vector<Place>& places, double allowed) const {
    const SideSurface first(mesh_, a.side), second(mesh_, b.side);
    return std::all_of(places.begin(), places.end(), [&](const Place& place) {
      const auto one = first.height(a.frame, place), other = second.height(a.frame, place);
      return one && other && std::abs(*one - *other) <= allowed;
    });
  }

  static Overlap overlap(const Facet& a, const Facet& b) {
    const bool in_order = std::tie(a.side.element, a.side.side) < std::tie(b.side.element, b.side.side);
    const Facet &first = in_order ? a : b, &second = in_order ? b : a;
    return {first.side, second.side, first.boundary, second.boundary, dot(a.frame.normal, b.frame.normal) > 0};
  }

  const Mesh& mesh_;
  const double bulge_;  ///< of the size: how far sides may reach beyond the box of their nodes
  std::vector<Facet> facets_;
  std::optional<PointTree> tree_;
  double largest_ = 0;  ///< coordinate
};

}  // namespace

std::vector<Overlap> find_overlaps(const Mesh& mesh) {
  return mesh.boundary_faces == 0 ? std::vector<Overlap>{} : Finder(mesh).find();
}

}  // namespace galerna::mesh
