#include "dg/boundary_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mesh/side_order.hpp"

namespace galerna::dg {
namespace {

/// Metric terms of the elements of one block that have a side on the boundary.
struct BoundaryMetric {
  Metric metric;
  std::map<mesh::Index, mesh::Index> place;  ///< of an element's position in the block

  /// Where the numbers of a side begin in arrays [element][side][point][2].
  std::size_t side(mesh::Index position, int side) const {
    return static_cast<std::size_t>(2 * (place.at(position) * metric.sides + side) * metric.side_points);
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
    result.push_back({make_metric(mesh, static_cast<int>(b), sets[b].operators, list), {}});
    for (std::size_t k = 0; k < list.size(); ++k) result.back().place[list[k]] = static_cast<mesh::Index>(k);
  }
  return result;
}

}  // namespace

BoundaryPoints make_boundary_points(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets,
                                    const std::vector<std::optional<WallShape>>& shapes) {
  std::vector<double> coordinates;
  for (const basis::Point& point : sets.front().operators.side.points) coordinates.push_back(0.5 * (1 + point[0]));
  const BoundaryFaces straight = make_boundary_faces(mesh, coordinates, shapes);
  const std::vector<BoundaryMetric> metrics = boundary_metrics(mesh, sets);
  const std::size_t points = coordinates.size();
  BoundaryPoints result;
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f) {
    const mesh::Side& side = mesh.faces[static_cast<std::size_t>(f)].left;
    const auto [block, position] = mesh.locate(side.element);
    const BoundaryMetric& at = metrics[static_cast<std::size_t>(block)];
    const bool is_curved = at.metric.order > 1, reversed = mesh::is_reversed(mesh, side);
    for (std::size_t q = 0; q < points; ++q) {
      const std::size_t k = at.side(position, side.side) + 2 * q;
      const double* normal = at.metric.normals.data() + k;
      const double* place = at.metric.side_positions.data() + k;
      result.positions.insert(result.positions.end(), {place[0], place[1], 0.0});
      result.normals.insert(result.normals.end(), {normal[0], normal[1]});
      const double length = std::hypot(normal[0], normal[1]);
      const double* wall =
          straight.wall_normals.data() + 2 * (static_cast<std::size_t>(f) * points + (reversed ? points - 1 - q : q));
      if (is_curved)
        result.wall_normals.insert(result.wall_normals.end(), {normal[0] / length, normal[1] / length});
      else
        result.wall_normals.insert(result.wall_normals.end(), {wall[0], wall[1]});
    }
  }
  return result;
}

}  // namespace galerna::dg
