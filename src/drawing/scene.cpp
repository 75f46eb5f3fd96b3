#include "drawing/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "mesh/boundaries.hpp"

namespace galerna::drawing {

using mesh::ElementBlock;
using mesh::Index;
using mesh::Point;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// \throws InputError saying `what` if the vector is zero
Point direction_of(const Point& a, const char* what) {
  if (!(norm(a) > 0)) throw InputError({}, std::string("picture: ") + what);
  return unit(a);
}

/// The mesh's nodes lie between these distances from the plane.
std::pair<double, double> distances_of(const mesh::Mesh& mesh, const Plane& plane) {
  std::pair<double, double> range = {infinity, -infinity};
  for (const ElementBlock& block : mesh.blocks)
    for (const Index node : block.nodes) {
      const double distance = plane.distance(mesh.nodes[static_cast<std::size_t>(node)]);
      range = {std::min(range.first, distance), std::max(range.second, distance)};
    }
  return range;
}

/// Rounding errors of what lies in a plane.
double round_off(double low, double high) {
  return 1e-9 * (high - low);
}

/// Grows around what it holds.
struct Bounds {
  Window window = {infinity, -infinity, infinity, -infinity};
  void hold(const Point& seen) {
    window = {std::min(window.x0, seen[0]), std::max(window.x1, seen[0]), std::min(window.y0, seen[1]),
              std::max(window.y1, seen[1])};
  }
};

std::vector<Point> places(const mesh::Mesh& mesh, std::span<const Index> nodes) {
  std::vector<Point> result;
  for (const Index node : nodes) result.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
  return result;
}

/// Where the plane cuts the hull of an element's nodes.
void hold_cut(Bounds& bounds, const ViewFrame& frame, const Plane& plane, const std::vector<Point>& nodes) {
  for (const Point& above : nodes) {
    const double high = plane.distance(above);
    if (high < 0) continue;
    for (const Point& below : nodes)
      if (const double low = plane.distance(below); low < 0)
        bounds.hold(frame.project(plus(above, times(high / (high - low), minus(below, above)))));
  }
}

}  // namespace

Point ViewFrame::project(const Point& place) const {
  return {dot(right, place), dot(up, place), dot(toward, place)};
}

Plane plane_through(const Point& point, const Point& normal) {
  return {point, direction_of(normal, "the normal of a cut must not be zero")};
}

Scene cut_scene(const Point& point, const Point& normal) {
  Point toward = plane_through(point, normal).normal;
  // Upward is z, or y where the plane lies flat; to the right some axis grows.
  const Point vertical = std::abs(toward[2]) > 0.9 ? Point{0, 1, 0} : Point{0, 0, 1};
  Point right = unit(cross(vertical, toward));
  const auto largest =
      std::max_element(right.begin(), right.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*largest < 0) {
    for (double& x : right) x = -x;
    for (double& x : toward) x = -x;
  }
  return {{right, cross(toward, right), toward}, {{point, toward}}, {}, true};
}

Scene view_scene(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries, std::vector<Plane> planes,
                 const Point& direction, const Point& up) {
  const Point toward = times(-1, direction_of(direction, "the direction of view must not be zero"));
  const Point right = direction_of(cross(up, toward), "one cannot look along `up`: give another direction");
  Scene scene{{right, cross(toward, right), toward}, std::move(planes), {}, false};
  const std::vector<std::string> names = mesh::boundary_names(mesh);
  for (const std::string& name : boundaries) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError({}, "picture: the mesh has no boundary \"" + name + "\"; it has " + list_names(names));
    scene.boundaries.push_back(static_cast<int>(found - names.begin()));
  }
  return scene;
}

Window window_of(const mesh::Mesh& mesh, const Scene& scene) {
  Bounds bounds;
  if (scene.flat)
    for (const ElementBlock& block : mesh.blocks)
      for (const Point& place : places(mesh, block.nodes)) bounds.hold(scene.frame.project(place));
  if (!scene.flat)
    for (const Plane& given : scene.planes) {
      const Plane plane = moved_inside(mesh, given);
      for (Index e = 0; e < mesh.element_count(); ++e)
        hold_cut(bounds, scene.frame, plane, places(mesh, mesh.element_nodes(e)));
    }
  for (const int boundary : scene.boundaries)
    for (const mesh::Side& side : mesh.boundaries[static_cast<std::size_t>(boundary)].sides) {
      const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
      for (const int n : side_nodes(block.shape, block.order, side.side)) {
        const Index node = mesh.element_nodes(side.element)[static_cast<std::size_t>(n)];
        bounds.hold(scene.frame.project(mesh.nodes[static_cast<std::size_t>(node)]));
      }
    }
  return bounds.window;
}

bool meets(const mesh::Mesh& mesh, const Plane& plane) {
  const auto [low, high] = distances_of(mesh, plane);
  const double margin = round_off(low, high);
  return low - margin <= 0 && 0 <= high + margin;
}

Plane moved_inside(const mesh::Mesh& mesh, const Plane& plane) {
  const auto [low, high] = distances_of(mesh, plane);
  const double margin = round_off(low, high);
  const double shift = std::abs(low) <= margin ? low + margin : std::abs(high) <= margin ? high - margin : 0;
  return {plus(plane.point, times(shift, plane.normal)), plane.normal};
}

}  // namespace galerna::drawing
