#include "mesh/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/vectors.hpp"
#include "mesh/geometry.hpp"
#include "mesh/permute.hpp"
#include "mesh/point_tree.hpp"
#include "mesh/side_key.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

/// Distance of x from the segment.
double segment_distance(const Point& x, const Point& from, const Point& to) {
  const Point along = minus(to, from), here = minus(x, from);
  const double t = std::clamp(dot(here, along) / dot(along, along), 0.0, 1.0);
  return distance(here, times(t, along));
}

/// Distance of x from the triangle; from its nearest edge where x is beside it.
double triangle_distance(const Point& x, const Point& a, const Point& b, const Point& c) {
  const Point u = minus(b, a), v = minus(c, a), w = minus(x, a);
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
  const double s = (dot(w, u) * vv - dot(w, v) * uv) / det, t = (dot(w, v) * uu - dot(w, u) * uv) / det;
  if (det > 0 && s >= 0 && t >= 0 && s + t <= 1)
    return distance(w, {s * u[0] + t * v[0], s * u[1] + t * v[1], s * u[2] + t * v[2]});
  return std::min({segment_distance(x, a, b), segment_distance(x, b, c), segment_distance(x, c, a)});
}

/// The element's orientation, certified for curved elements where that is possible. Folded ones are reported elsewhere
/// (folded_elements()); here they count by the sign of their area.
Orientation certified_orientation(const Mesh& mesh, Index element) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  if (block.order == 1 || !can_certify(block.shape, block.order)) return orientation(mesh, element);
  return validity(mesh, element, Bound::sign).sign > 0 ? Orientation::positive : Orientation::negative;
}

/// Whether the corners, from the smallest on, run towards the smaller one of its two neighbours: of two elements that
/// share a side, one must see it run forward, the other backward.
bool runs_forward(std::span<const Index> corners) {
  if (corners.size() == 2) return corners[0] < corners[1];
  const std::size_t n = corners.size();
  const auto smallest = static_cast<std::size_t>(std::min_element(corners.begin(), corners.end()) - corners.begin());
  return corners[(smallest + 1) % n] < corners[(smallest + n - 1) % n];
}

/// Whether the side's corners, in its own order, run around its outward normal (in the plane: counterclockwise around
/// the element) where the element is positively oriented. Sides of simplices are not all numbered so (base/shape.hpp).
bool is_outward(Shape shape, int side) {
  const auto corners = side_corners(shape, side);
  const Point a = reference_corner(shape, corners[0]), b = reference_corner(shape, corners[1]);
  Point inward{};
  for (int c = 0; c < corner_count(shape); ++c)
    for (std::size_t k = 0; k < 3; ++k) inward[k] += reference_corner(shape, c)[k] - a[k];
  const Point along = minus(b, a);
  if (corners.size() == 2) return along[0] * inward[1] - along[1] * inward[0] > 0;
  const Point other = minus(reference_corner(shape, corners[2]), a);
  return dot(cross(along, other), inward) < 0;
}

double side_distance(const Point& x, const std::vector<Point>& corners) {
  if (corners.size() == 2) return segment_distance(x, corners[0], corners[1]);
  const double first = triangle_distance(x, corners[0], corners[1], corners[2]);
  return corners.size() == 3 ? first : std::min(first, triangle_distance(x, corners[0], corners[2], corners[3]));
}

}  // namespace

void report_problems(const Mesh& mesh, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  constexpr std::size_t shown = 5;
  std::vector<Problem> problems(std::min(shown + 1, texts.size()));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    problems[i].place.file = mesh.file;
    problems[i].text = i < shown ? texts[i] : fmt::format("and {} more like these", texts.size() - shown);
  }
  throw InputError(std::move(problems));
}

void orient_elements(Mesh& mesh) {
  const Index count = mesh.element_count();
  std::vector<std::string> problems =
      folded_elements(mesh, "refine the mesh there, or lower the geometry order, in the mesh generator");
  std::vector<char> negative(static_cast<std::size_t>(count), 0);
  for (Index e = 0; e < count; ++e) {
    const Orientation o = certified_orientation(mesh, e);
    negative[static_cast<std::size_t>(e)] = o == Orientation::negative;
    if (o == Orientation::degenerate)
      problems.push_back(fmt::format("{} has a zero Jacobian (no {}, or corners on one line): remove or remesh it",
                                     place_of(mesh, e), mesh.dimension == 2 ? "area" : "volume"));
    if (o == Orientation::tangled)
      problems.push_back(fmt::format(
          "{} has a Jacobian of both signs: it is not convex or its nodes are in a wrong order", place_of(mesh, e)));
  }
  report_problems(mesh, problems);
  mesh.turned = std::count(negative.begin(), negative.end(), 1);
  if (mesh.turned == 0) return;
  mirror_elements(mesh, negative);
  // A vertex that was pulled through the side opposite to it makes an element negative, too.
  if (mesh.turned < count) check_folds(mesh, negative);
}

void check_folds(const Mesh& mesh, const std::vector<char>& turned) {
  struct Entry {
    SideKey key;
    Side side;
    bool forward;
  };
  std::vector<Entry> entries;
  for_each_side(mesh, [&](const Side& side, std::span<const Index> corners) {
    entries.push_back(
        {side_key(corners), side, runs_forward(corners) == is_outward(mesh.shape(side.element), side.side)});
  });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.side.element < b.side.element;
  });
  const char rare = 2 * mesh.turned <= mesh.element_count();  // the mark of the fewer elements
  std::map<Index, Index> overlapping;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const Entry &a = entries[i - 1], &b = entries[i];
    if (a.key != b.key || a.forward != b.forward) continue;
    const bool first = turned[static_cast<std::size_t>(a.side.element)] == rare;
    overlapping.emplace(first ? a.side.element : b.side.element, first ? b.side.element : a.side.element);
  }
  std::vector<std::string> problems;
  for (const auto& [element, other] : overlapping)
    problems.push_back(fmt::format(
        "{} lies over {}: both are on the same side of the {} between them, since the mesh is folded there; "
        "move its vertices or remesh",
        place_of(mesh, element), place_of(mesh, other), mesh.dimension == 2 ? "edge" : "face"));
  report_problems(mesh, problems);
}

void check_duplicates(const Mesh& mesh) {
  struct Entry {
    std::size_t hash;
    Index element;
  };
  const auto sorted_corners = [&](Index element) {
    std::vector<Index> corners = mesh.corners(element);
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  std::vector<Entry> entries;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const std::vector<Index> corners = sorted_corners(e);
    std::size_t hash = 0;
    for (std::size_t c = 0; c < corners.size(); c += 4)
      hash = hash * 31 +
             SideKeyHash()(side_key(std::span(corners).subspan(c, std::min<std::size_t>(4, corners.size() - c))));
    entries.push_back({hash, e});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.hash != b.hash ? a.hash < b.hash : a.element < b.element; });
  std::vector<std::string> problems;
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].hash == entries[i - 1].hash &&
        sorted_corners(entries[i].element) == sorted_corners(entries[i - 1].element))
      problems.push_back(
          fmt::format("{} and {} have the same corners: elements must not be there twice (is their region in two "
                      "physical groups? leave it in one)",
                      place_of(mesh, entries[i - 1].element), place_of(mesh, entries[i].element)));
  report_problems(mesh, problems);
}

void check_split_faces(const Mesh& mesh, const std::vector<Side>& sides, const std::vector<Side>& open) {
  if (mesh.dimension != 3 || sides.empty()) return;
  const auto name_of = [](const Side& side) { return std::pair(side.element, side.side); };
  std::set<std::pair<Index, int>> unnamed;
  for (const Side& side : sides) unnamed.insert(name_of(side));
  std::map<SideKey, Side> parts;  // three corners of a side of four
  for (const Side& side : open) {
    const std::vector<Index> corners = corners_of(mesh, side);
    for (std::size_t out = 0; corners.size() == 4 && out < 4; ++out)
      parts.emplace(side_key(std::array{corners[(out + 1) % 4], corners[(out + 2) % 4], corners[(out + 3) % 4]}), side);
  }
  std::map<std::pair<Index, int>, std::string> problems;
  for (const Side& side : open) {
    const std::vector<Index> corners = corners_of(mesh, side);
    const auto found = corners.size() == 3 ? parts.find(side_key(corners)) : parts.end();
    if (found == parts.end() || (!unnamed.contains(name_of(side)) && !unnamed.contains(name_of(found->second))))
      continue;
    problems.emplace(name_of(found->second),
                     fmt::format("a quadrilateral face of {} meets a triangular one of {}: elements must meet at whole "
                                 "sides (put pyramids between them; in Gmsh: TransfQuadTri, or Recombine Surface)",
                                 place_of(mesh, found->second.element), place_of(mesh, side.element)));
  }
  std::vector<std::string> texts;
  for (const auto& [side, text] : problems) texts.push_back(text);
  report_problems(mesh, texts);
}

void check_hanging_nodes(const Mesh& mesh, const std::vector<Side>& sides, const std::vector<Side>& open) {
  if (sides.empty()) return;
  std::vector<Index> nodes;
  for (const Side& side : open)
    for (const Index node : corners_of(mesh, side)) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<Point> points;
  for (const Index node : nodes) points.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
  const PointTree tree(points);

  std::vector<std::string> problems;
  for (const Side& side : sides) {
    std::vector<Point> corners;
    for (const Index node : corners_of(mesh, side)) corners.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
    Point lower = corners[0], upper = corners[0];
    for (const Point& x : corners)
      for (std::size_t k = 0; k < 3; ++k) lower[k] = std::min(lower[k], x[k]), upper[k] = std::max(upper[k], x[k]);
    const double tolerance = 1e-8 * distance(lower, upper);
    for (std::size_t k = 0; k < 3; ++k) lower[k] -= tolerance, upper[k] += tolerance;
    tree.visit_box(lower, upper, [&](Index i) {
      const Point& x = points[static_cast<std::size_t>(i)];
      for (const Point& corner : corners)
        if (distance(x, corner) <= tolerance) return;
      if (side_distance(x, corners) > tolerance) return;
      problems.push_back(
          fmt::format("hanging node at {} inside a side of {}: elements must meet at whole sides (mesh the parts "
                      "together, or name the sides if they are a wall)",
                      to_text(x, mesh.dimension), place_of(mesh, side.element)));
    });
  }
  report_problems(mesh, problems);
}

}  // namespace galerna::mesh
