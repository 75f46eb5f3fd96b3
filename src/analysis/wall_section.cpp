#include "analysis/wall_section.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/field_sampler.hpp"
#include "analysis/pieces.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "mesh/point_tree.hpp"

namespace galerna::analysis {

using mesh::Index;
using mesh::Point;

namespace {

/// Length of the circular arc between two points with the angle between their tangents.
double arc_length(const CutPoint& a, const CutPoint& b) {
  const double chord = mesh::distance(a.place, b.place);
  const Point turn = cross(a.tangent, b.tangent);
  const double half = 0.5 * std::atan2(std::sqrt(dot(turn, turn)), dot(a.tangent, b.tangent));
  return half < 1e-8 ? chord : chord * half / std::sin(half);
}

/// How far the curve between two points reaches in a direction: of the cubic with their places and tangents.
double farthest(const CutPoint& a, const CutPoint& b, const Point& direction) {
  const double length = arc_length(a, b), begin = dot(a.place, direction), end = dot(b.place, direction);
  const double m0 = length * dot(a.tangent, direction), m1 = length * dot(b.tangent, direction), rise = end - begin;
  const double most = std::max(begin, end);
  if (!(m0 > 0 && m1 < 0)) return most;
  // 0 = m0 + 2 half t + square t², which falls from m0 to m1 between 0 and 1
  const double square = 3 * (m0 + m1) - 6 * rise, half = 3 * rise - 2 * m0 - m1;
  const double t = m0 / (-half + std::sqrt(half * half - square * m0));
  const double at = begin + t * (m0 + t * ((3 * rise - 2 * m0 - m1) + t * (m0 + m1 - 2 * rise)));
  return std::max(most, at);
}

/// Position along the chord, and above it.
struct Coordinates {
  Point origin, along, above;  ///< `along` divided by the chord
  double share(const Point& x) const { return dot(minus(x, origin), along); }
  std::array<double, 2> of(const Point& x) const { return {share(x), dot(minus(x, origin), above)}; }
};

Coordinates chord_coordinates(const std::vector<CutArc>& arcs, const SectionSetup& setup) {
  const Point& normal = setup.plane.normal;
  if (setup.chord) {
    const Point chord = minus(setup.chord->trailing, setup.chord->leading);
    return {setup.chord->leading, times(1 / dot(chord, chord), chord), cross(normal, unit(chord))};
  }
  const Point along = unit(minus(setup.stream, times(dot(setup.stream, normal), normal))), back = times(-1, along);
  double most = -std::numeric_limits<double>::infinity(), least = most;
  for (const CutArc& arc : arcs)
    for (std::size_t i = 1; i < arc.points.size(); ++i) {
      most = std::max(most, farthest(arc.points[i - 1], arc.points[i], along));
      least = std::max(least, farthest(arc.points[i - 1], arc.points[i], back));
    }
  const double chord = most + least;
  return {times(-least, along), times(1 / chord, along), cross(normal, along)};
}

/// Arcs as links between their ends; ends in one place have one number.
std::vector<Link> link_ends(const mesh::Mesh& mesh, const std::vector<CutArc>& arcs, std::vector<Point>& ends) {
  for (const CutArc& arc : arcs) {
    ends.push_back(arc.points.front().place);
    ends.push_back(arc.points.back().place);
  }
  const mesh::PointTree tree(ends);
  const double near = 1e-8 * mesh::extent(mesh);
  const auto number = [&](std::size_t end) {
    const Point& x = ends[end];
    auto first = static_cast<Index>(end);
    tree.visit_box({x[0] - near, x[1] - near, x[2] - near}, {x[0] + near, x[1] + near, x[2] + near},
                   [&](Index other) { first = std::min(first, other); });
    return first;
  };
  std::vector<Link> links;
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) links.push_back({number(2 * arc), number(2 * arc + 1)});
  return links;
}

}  // namespace

std::vector<SectionPoint> cut_boundary(const mesh::Mesh& mesh, const std::string& boundary, const SectionSetup& setup) {
  const std::vector<mesh::Side>& sides = mesh::find_boundary(mesh, boundary).sides;
  std::vector<CutArc> arcs = cut_sides(mesh, sides, setup.plane, setup.points, false);
  if (arcs.empty()) arcs = cut_sides(mesh, sides, setup.plane, setup.points, true);
  if (arcs.empty()) return {};
  const Coordinates coordinates = chord_coordinates(arcs, setup);
  std::vector<Point> ends;
  const std::vector<Link> links = link_ends(mesh, arcs, ends);
  const auto pieces =
      connected_pieces(links, [&](Index end) { return coordinates.of(ends[static_cast<std::size_t>(end)]); });
  std::vector<SectionPoint> section;
  for (std::size_t part = 0; part < pieces.size(); ++part) {
    double s = 0;
    for (const std::size_t number : pieces[part]) {
      const CutArc& arc = arcs[number];
      for (std::size_t i = 0; i < arc.points.size(); ++i) {
        if (i > 0) s += arc_length(arc.points[i - 1], arc.points[i]);
        section.push_back(
            {static_cast<int>(part), s, coordinates.share(arc.points[i].place), arc.side, arc.points[i], 0, {}});
      }
    }
  }
  return section;
}

void set_values(std::vector<SectionPoint>& section, const Solution& solution, WallFriction* friction) {
  const mesh::Mesh& mesh = *solution.mesh;
  std::vector<double> pressure;
  for (std::size_t first = 0, end = 0; first < section.size(); first = end) {
    const mesh::Side side = section[first].side;
    std::vector<basis::Point> points;
    for (end = first;
         end < section.size() && section[end].side.element == side.element && section[end].side.side == side.side;
         ++end)
      points.push_back(section[end].at.reference);
    const auto [block, position] = mesh.locate(side.element);
    const Shape shape = mesh.blocks[static_cast<std::size_t>(block)].shape;
    const FieldSampler sampler(solution, block, basis::side_points(shape, side.side, points),
                               FieldSelection(solution.fields, std::vector<std::string>{"pressure"}));
    sampler.fields(position, pressure);
    const auto frictions = friction ? friction->at(side, points) : std::vector<WallFriction::Value>(points.size());
    for (std::size_t i = first; i < end; ++i) {
      section[i].pressure = pressure[i - first];
      section[i].friction = frictions[i - first];
    }
  }
}

}  // namespace galerna::analysis
