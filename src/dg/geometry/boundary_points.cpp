#include "dg/geometry/boundary_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "dg/geometry/metric.hpp"
#include "mesh/side_order.hpp"

namespace galerna::dg {
namespace {

/// Metric terms of the elements of one block that have a side on the boundary.
struct BoundaryMetric {
  Metric metric;
  std::map<mesh::Index, mesh::Index> place;  ///< of an element's position in the block

  /// Where the numbers of a side begin in arrays [element][side][point][k].
  std::size_t side(mesh::Index position, int side) const {
    const mesh::Index point =
        place.at(position) * metric.first_side_point.back() + metric.first_side_point[static_cast<std::size_t>(side)];
    return static_cast<std::size_t>(metric.dimension * point);
  }
  std::size_t points(int side) const {
    const auto s = static_cast<std::size_t>(side);
    return static_cast<std::size_t>(metric.first_side_point[s + 1] - metric.first_side_point[s]);
  }
};

std::vector<BoundaryMetric> boundary_metrics(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets) {
  std::vector<std::vector<mesh::Index>> positions(sets.size());
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f) {
    const auto at = mesh.locate(mesh.faces[static_cast<std::size_t>(f)].left.element);
    positions[static_cast<std::size_t>(at.block)].push_back(at.position);
  }
  std::vector<BoundaryMetric> result;
  for (std::size_t b = 0; b < sets.size(); ++b) {
    auto& list = positions[b];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    MetricParts parts;
    parts.volume = parts.side_gradients = false;
    result.push_back({make_metric(mesh, static_cast<int>(b), sets[b].operators, list, parts), {}});
    for (std::size_t k = 0; k < list.size(); ++k) result.back().place[list[k]] = static_cast<mesh::Index>(k);
  }
  return result;
}

/// [face][point][2] normals of walls whose sides are straight, counted along the face; none in space, where walls have
/// no shapes of their own.
std::vector<double> straight_wall_normals(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets,
                                          const std::vector<std::optional<WallShape>>& shapes) {
  if (mesh.dimension != 2) return {};
  std::vector<double> coordinates;
  for (const basis::Point& point : sets.front().operators.side.points) coordinates.push_back(0.5 * (1 + point[0]));
  return make_boundary_faces(mesh, coordinates, shapes).wall_normals;
}

}  // namespace

BoundaryPoints make_boundary_points(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets,
                                    const std::vector<std::optional<WallShape>>& shapes) {
  const std::vector<BoundaryMetric> metrics = boundary_metrics(mesh, sets);
  const auto d = static_cast<std::size_t>(mesh.dimension);
  const std::vector<double> straight = straight_wall_normals(mesh, sets, shapes);
  BoundaryPoints result;
  result.first_point = {0};
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f) {
    const mesh::Side& side = mesh.faces[static_cast<std::size_t>(f)].left;
    const auto [block, position] = mesh.locate(side.element);
    const BoundaryMetric& at = metrics[static_cast<std::size_t>(block)];
    const std::size_t points = at.points(side.side);
    const bool is_true = at.metric.order > 1 || straight.empty(), reversed = mesh::is_reversed(mesh, side);
    for (std::size_t q = 0; q < points; ++q) {
      const std::size_t k = at.side(position, side.side) + d * q;
      const double* normal = at.metric.normals.data() + k;
      const double* place = at.metric.side_positions.data() + k;
      result.positions.insert(result.positions.end(), place, place + d);
      result.positions.resize(result.positions.size() + 3 - d);
      result.normals.insert(result.normals.end(), normal, normal + d);
      const double length = d == 2 ? std::hypot(normal[0], normal[1]) : std::hypot(normal[0], normal[1], normal[2]);
      const std::size_t wall = 2 * (static_cast<std::size_t>(f) * points + (reversed ? points - 1 - q : q));
      for (std::size_t i = 0; i < d; ++i)
        result.wall_normals.push_back(is_true ? normal[i] / length : straight[wall + i]);
    }
    result.first_point.push_back(result.first_point.back() + points);
  }
  return result;
}

BoundaryPoints points_of_faces(const BoundaryPoints& all, const std::vector<mesh::Index>& chosen,
                               const mesh::Mesh& mesh) {
  BoundaryPoints result;
  result.first_point = {0};
  const auto append = [](std::vector<double>& to, const std::vector<double>& from, std::size_t begin, std::size_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const auto d = static_cast<std::size_t>(mesh.dimension);
  for (const mesh::Index face : chosen) {
    const std::size_t begin = all.first_point[static_cast<std::size_t>(face)],
                      end = all.first_point[static_cast<std::size_t>(face) + 1];
    append(result.positions, all.positions, 3 * begin, 3 * end);
    append(result.normals, all.normals, d * begin, d * end);
    append(result.wall_normals, all.wall_normals, d * begin, d * end);
    result.first_point.push_back(result.first_point.back() + end - begin);
  }
  return result;
}

}  // namespace galerna::dg
