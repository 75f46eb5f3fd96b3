#include "mesh/overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <tuple>

#include "base/lattice.hpp"
#include "base/parallel.hpp"
#include "base/vectors.hpp"
#include "mesh/box_runs.hpp"
#include "mesh/geometry.hpp"
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
  Point normal;                  ///< out of the element
  std::array<Point, 4> outward;  ///< [edge] at a right angle to it and to the normal, none in the plane
  Box box;                       ///< of all nodes
  double size;                   ///< its diagonal
};

double cross(const Place& a, const Place& b, const Place& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The normal of a side, either way, of no length.
Point area_vector(const Facet& facet) {
  const Point along = minus(facet.x[1], facet.x[0]);
  if (facet.count == 2) return {along[1], -along[0], 0};
  if (facet.count == 3) return galerna::cross(along, minus(facet.x[2], facet.x[0]));
  return galerna::cross(minus(facet.x[2], facet.x[0]), minus(facet.x[3], facet.x[1]));
}

/// \param inside a point of the element
void add_normals(Facet& facet, const Point& inside) {
  Point sum{};
  for (std::size_t c = 0; c < facet.count; ++c) sum = plus(sum, minus(facet.x[c], inside));
  const Point around = unit(area_vector(facet));
  facet.normal = dot(around, sum) < 0 ? times(-1, around) : around;
  for (std::size_t c = 0; c < facet.count && facet.count > 2; ++c)
    facet.outward[c] = galerna::cross(minus(facet.x[(c + 1) % facet.count], facet.x[c]), around);
}

/// Around the mean of the corners.
SideFrame frame_of(const Facet& facet) {
  SideFrame frame{};
  frame.directions = facet.count == 2 ? 1 : 2;
  for (std::size_t c = 0; c < facet.count; ++c)
    frame.origin = plus(frame.origin, times(1.0 / static_cast<double>(facet.count), facet.x[c]));
  const Point along = minus(facet.x[1], facet.x[0]);
  frame.normal = facet.normal;
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
  for (std::size_t c = 0; c < facet.count; ++c) include(facet.box, facet.x[c]);
  if (block.order > 1) {
    std::vector<int>& side = local[{number, face.left.side}];
    if (side.empty()) side = side_nodes(block.shape, block.order, face.left.side);
    for (const int n : side)
      include(facet.box, mesh.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(n)])]);
  }
  facet.size = distance(facet.box.lower, facet.box.upper);
  add_normals(facet, centroid(mesh, face.left.element));
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
std::vector<Place> common_places(const Facet& a, const Facet& b, const SideFrame& frame) {
  constexpr double least = 1e-4;
  std::vector<Place> part = polygon_of(b, frame);
  const std::vector<Place> other = polygon_of(a, frame);
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
  for (std::size_t c = 0; c < a.count && a.count > 2; ++c) {
    const auto is_beyond = [&](const Point& x) {
      return dot(minus(x, a.x[c]), a.outward[c]) >= -1e-10 * a.size * a.size;
    };
    if (std::all_of(b.x.begin(), b.x.begin() + static_cast<std::ptrdiff_t>(b.count), is_beyond)) return true;
  }
  return false;
}

class Finder {
 public:
  explicit Finder(const Mesh& mesh)
      : mesh_(mesh),
        bulge_(is_straight(mesh) ? 0 : 0.2),
        facets_(static_cast<std::size_t>(mesh.boundary_faces)),
        boxes_(boxes()) {}

  /// Each side meets those that are smaller than itself.
  std::vector<Overlap> find() const {
    std::vector<Overlap> overlaps;
    std::mutex lock;
    in_parallel(mesh_.boundary_faces, piece, [&](Index begin, Index end) {
      std::vector<Overlap> found;
      for (Index f = begin; f < end; f += run)
        find_upon(
            std::span(facets_).subspan(static_cast<std::size_t>(f), static_cast<std::size_t>(std::min(run, end - f))),
            found);
      const std::lock_guard guard(lock);
      overlaps.insert(overlaps.end(), found.begin(), found.end());
    });
    const auto position = [](const Side& side) { return std::tuple(side.element, side.side); };
    std::sort(overlaps.begin(), overlaps.end(), [&](const Overlap& a, const Overlap& b) {
      return std::tuple(position(a.first), position(a.second)) < std::tuple(position(b.first), position(b.second));
    });
    return overlaps;
  }

 private:
  static constexpr Index run = 8;           ///< sides that follow one another and are asked together
  static constexpr Index piece = 64 * run;  ///< sides that a thread takes at once

  std::vector<Box> boxes() {
    in_parallel(mesh_.boundary_faces, piece, [&](Index begin, Index end) {
      SideNodes local;
      for (auto f = static_cast<std::size_t>(begin); f < static_cast<std::size_t>(end); ++f)
        facets_[f] = make_facet(mesh_, mesh_.faces[f], local);
    });
    std::vector<Box> boxes;
    boxes.reserve(facets_.size());
    for (const Facet& facet : facets_) {
      boxes.push_back(facet.box);
      for (std::size_t k = 0; k < 3; ++k)
        largest_ = std::max({largest_, std::abs(facet.box.lower[k]), std::abs(facet.box.upper[k])});
    }
    return boxes;
  }

  void find_upon(std::span<const Facet> facets, std::vector<Overlap>& overlaps) const {
    std::array<Box, run> reached{};
    Box all = facets[0].box;
    for (std::size_t f = 0; f < facets.size(); ++f) {
      const double reach = bulge_ * facets[f].size + tolerance(facets[f]);
      reached[f] = facets[f].box;
      for (std::size_t k = 0; k < 3; ++k) reached[f].lower[k] -= reach, reached[f].upper[k] += reach;
      include(all, reached[f].lower);
      include(all, reached[f].upper);
    }
    boxes_.visit(all, [&](std::size_t i) {
      const Facet& other = facets_[i];
      for (std::size_t f = 0; f < facets.size(); ++f)
        if (BoxRuns::meet(reached[f], other.box) && is_smaller(other, facets[f]) && are_near(facets[f], other) &&
            lie_upon(facets[f], other))
          overlaps.push_back(overlap(facets[f], other));
    });
  }

  static bool is_smaller(const Facet& a, const Facet& b) {
    if (a.size != b.size) return a.size < b.size;
    return std::tie(a.side.element, a.side.side) < std::tie(b.side.element, b.side.side);
  }

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
    const double own = tolerance(b), cosine = dot(a.normal, b.normal);
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
    const SideFrame frame = frame_of(a);
    const std::vector<Place> places = common_places(a, b, frame);
    return !places.empty() && touch(a, b, frame, places, allowed);
  }

  bool touch(const Facet& a, const Facet& b, const SideFrame& frame, const std::vector<Place>& places,
             double allowed) const {
    const SideSurface first(mesh_, a.side), second(mesh_, b.side);
    return std::all_of(places.begin(), places.end(), [&](const Place& place) {
      const auto one = first.height(frame, place), other = second.height(frame, place);
      return one && other && std::abs(*one - *other) <= allowed;
    });
  }

  static Overlap overlap(const Facet& a, const Facet& b) {
    const bool in_order = std::tie(a.side.element, a.side.side) < std::tie(b.side.element, b.side.side);
    const Facet &first = in_order ? a : b, &second = in_order ? b : a;
    return {first.side, second.side, first.boundary, second.boundary, dot(a.normal, b.normal) > 0};
  }

  const Mesh& mesh_;
  const double bulge_;  ///< of the size: how far sides may reach beyond the box of their nodes
  double largest_ = 0;  ///< coordinate
  std::vector<Facet> facets_;
  BoxRuns boxes_;  ///< of the facets
};

}  // namespace

std::vector<Overlap> find_overlaps(const Mesh& mesh) {
  return mesh.boundary_faces == 0 ? std::vector<Overlap>{} : Finder(mesh).find();
}

}  // namespace galerna::mesh
