#include "analysis/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/element_map.hpp"
#include "base/error.hpp"

namespace galerna::analysis {

using mesh::Index;
using mesh::Point;

namespace {

/// Calls visit(element, block, position) for all elements in order.
template <typename Visit>
void for_each_element(const mesh::Mesh& mesh, Visit visit) {
  Index element = 0;
  for (const mesh::ElementBlock& block : mesh.blocks)
    for (Index position = 0; position < block.size(); ++position) visit(element++, block, position);
}

}  // namespace

PointLocator::PointLocator(const mesh::Mesh& mesh) : mesh_(&mesh) {
  low_.fill(std::numeric_limits<double>::infinity());
  high_.fill(-std::numeric_limits<double>::infinity());
  Index count = 0;
  for_each_element(mesh, [&](Index, const mesh::ElementBlock& block, Index position) {
    const ElementMap::Box box = ElementMap(mesh, block, position).box();
    for (std::size_t d = 0; d < 3; ++d) {
      low_[d] = std::min(low_[d], box.low[d]);
      high_[d] = std::max(high_[d], box.high[d]);
    }
    ++count;
  });
  double volume = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(mesh.dimension); ++d) volume *= high_[d] - low_[d];
  const double width = std::pow(volume / static_cast<double>(std::max<Index>(count, 1)), 1.0 / mesh.dimension);
  for (std::size_t d = 0; d < static_cast<std::size_t>(mesh.dimension); ++d)
    cells_[d] = std::clamp(static_cast<int>((high_[d] - low_[d]) / width), 1, mesh.dimension == 3 ? 512 : 8192);

  // Counted first, then filled: two passes over the boxes, no lists that grow.
  begin_.assign(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
  const auto for_each_cell = [&](const ElementMap::Box& box, auto visit) {
    const std::array<int, 3> first = indices_of(box.low), last = indices_of(box.high);
    for (int k = first[2]; k <= last[2]; ++k)
      for (int j = first[1]; j <= last[1]; ++j)
        for (int i = first[0]; i <= last[0]; ++i) visit((static_cast<std::size_t>(k) * cells_[1] + j) * cells_[0] + i);
  };
  for_each_element(mesh, [&](Index, const mesh::ElementBlock& block, Index position) {
    for_each_cell(ElementMap(mesh, block, position).box(), [&](std::size_t cell) { ++begin_[cell + 1]; });
  });
  for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
  elements_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for_each_element(mesh, [&](Index element, const mesh::ElementBlock& block, Index position) {
    for_each_cell(ElementMap(mesh, block, position).box(),
                  [&](std::size_t cell) { elements_[next[cell]++] = element; });
  });
}

std::array<int, 3> PointLocator::indices_of(const Point& place) const {
  std::array<int, 3> indices = {0, 0, 0};
  for (std::size_t d = 0; d < static_cast<std::size_t>(mesh_->dimension); ++d) {
    const double share = (place[d] - low_[d]) / (high_[d] - low_[d]);
    // Points a rounding error outside belong to the outermost cells.
    indices[d] = static_cast<int>(std::clamp(share * cells_[d], 0.0, cells_[d] - 1.0));
  }
  return indices;
}

std::size_t PointLocator::cell_of(const Point& place) const {
  const auto [i, j, k] = indices_of(place);
  return (static_cast<std::size_t>(k) * cells_[1] + j) * cells_[0] + i;
}

std::optional<LocatedPoint> PointLocator::find(const Point& place) const {
  for (double coordinate : place)
    if (!std::isfinite(coordinate)) return std::nullopt;
  Point at = place;
  if (mesh_->dimension < 3) at[2] = low_[2];
  const std::size_t cell = cell_of(at);
  for (std::size_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
    const mesh::Mesh::Location where = mesh_->locate(elements_[i]);
    const ElementMap map(*mesh_, mesh_->blocks[static_cast<std::size_t>(where.block)], where.position);
    if (!map.box().contains(at)) continue;
    if (const auto reference = map.to_reference(at))
      return LocatedPoint{place, elements_[i], where.block, where.position, *reference};
  }
  return std::nullopt;
}

LocatedPoint PointLocator::locate(const Point& place, const std::string& probe) const {
  if (const auto found = find(place)) return *found;
  throw InputError(
      {mesh_->file},
      fmt::format(
          "probe {}: the point ({:.6g}, {:.6g}, {:.6g}) lies outside the mesh, whose box is x = {:.6g} … {:.6g}, "
          "y = {:.6g} … {:.6g}, z = {:.6g} … {:.6g}",
          probe, place[0], place[1], place[2], low_[0], high_[0], low_[1], high_[1], low_[2], high_[2]));
}

std::vector<Point> line_points(const Point& from, const Point& to, int count) {
  std::vector<Point> points(static_cast<std::size_t>(std::max(count, 1)), from);
  for (int i = 1; i < count; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      const double share = static_cast<double>(i) / (count - 1);
      points[static_cast<std::size_t>(i)][d] = i + 1 == count ? to[d] : from[d] + share * (to[d] - from[d]);
    }
  return points;
}

Probe::Probe(const Solution& solution, std::vector<LocatedPoint> points, std::vector<std::string> fields)
    : points_(std::move(points)), fields_(std::move(fields)) {
  make_samplers(solution);
}

void Probe::make_samplers(const Solution& solution) {
  degree_ = solution.degree;
  samplers_.clear();
  const FieldSelection selection(solution.fields, fields_);
  for (const LocatedPoint& point : points_)
    samplers_.emplace_back(solution, point.block, std::vector{point.reference}, selection);
}

std::vector<std::vector<double>> Probe::evaluate(const Solution& solution) {
  if (solution.degree != degree_) make_samplers(solution);
  std::vector<std::vector<double>> values(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    samplers_[i].look_at(solution);
    samplers_[i].fields(points_[i].position, values[i]);
  }
  return values;
}

std::vector<std::vector<Index>> positions_of(const mesh::Mesh& mesh, const std::vector<LocatedPoint>& points) {
  std::vector<std::set<Index>> sets(mesh.blocks.size());
  for (const LocatedPoint& point : points) sets[static_cast<std::size_t>(point.block)].insert(point.position);
  std::vector<std::vector<Index>> positions;
  for (const std::set<Index>& set : sets) positions.emplace_back(set.begin(), set.end());
  return positions;
}

std::vector<double> evaluate(const Solution& solution, const LocatedPoint& point,
                             const std::vector<std::string>& fields) {
  return Probe(solution, {point}, fields).evaluate(solution).front();
}

}  // namespace galerna::analysis
