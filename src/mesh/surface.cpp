#include "mesh/surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/vectors.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {

std::vector<Point> Surface::between(const Point& a, const Point& b, int order) const {
  std::vector<Point> points;
  for (int i = 1; i < order; ++i) {
    const Point x = plus(a, times(static_cast<double>(i) / order, minus(b, a)));
    points.push_back(nearest(x, std::array{a, b}).value_or(x));
  }
  return points;
}

std::string describe_off_shape(const Mesh& mesh, const Point& corner, const std::string& boundary, double distance,
                               const std::string& name, double length, const std::string& key) {
  return fmt::format(
      "the vertex at {} of boundary '{}' lies {:.3g} off the {}, but its sides are {:.3g} long: check {}, or make the "
      "mesh fit it",
      to_text(corner, mesh.dimension), boundary, distance, name, length, key);
}

void require_boundary(const Mesh& mesh, const std::string& name, const std::string& goal) {
  const std::vector<std::string> names = boundary_names(mesh);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = nearest_name(name, names);
  throw InputError({mesh.file}, fmt::format("the mesh has no boundary '{}' {}{}", name, goal,
                                            nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest)));
}

}  // namespace galerna::mesh
