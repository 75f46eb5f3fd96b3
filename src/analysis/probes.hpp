/// \file
/// The solution at points and along lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/field_sampler.hpp"
#include "analysis/solution.hpp"
#include "basis/basis.hpp"

namespace galerna::analysis {

/// A point of the mesh: the element that holds it and where in the element's reference shape.
struct LocatedPoint {
  mesh::Point place;
  mesh::Index element;
  int block;
  mesh::Index position;  ///< in the block
  basis::Point reference;
};

/// Finds the element at a point: a uniform grid over the mesh's box lists the elements whose boxes touch each cell.
/// All shapes and geometry orders. In 2D the z coordinate is ignored. The mesh must outlive the locator.
class PointLocator {
 public:
  explicit PointLocator(const mesh::Mesh& mesh);

  /// The element with the lowest number that holds the point (a point on a side lies in several); nothing if none does.
  std::optional<LocatedPoint> find(const mesh::Point& place) const;

  /// The same, \throws InputError naming the probe and the point when it lies outside the mesh.
  LocatedPoint locate(const mesh::Point& place, const std::string& probe) const;

 private:
  std::size_t cell_of(const mesh::Point& place) const;
  std::array<int, 3> indices_of(const mesh::Point& place) const;

  const mesh::Mesh* mesh_;
  mesh::Point low_{}, high_{};
  std::array<int, 3> cells_{1, 1, 1};
  std::vector<std::size_t> begin_;     // [cell] in elements_, and the end
  std::vector<mesh::Index> elements_;  // [cell][…] ascending
};

/// `count` ≥ 2 points from `from` to `to`, equally spaced, both ends included; the start alone for count 1.
std::vector<mesh::Point> line_points(const mesh::Point& from, const mesh::Point& to, int count);

/// Fields at points of one solution after another, all on the same mesh: the tables that belong to the points are made
/// once, and again where the degree changes.
class Probe {
 public:
  /// \param fields by name; the listed ones where it is empty. \throws InputError for an unknown name, with the nearest
  /// one.
  Probe(const Solution& solution, std::vector<LocatedPoint> points, std::vector<std::string> fields);

  const std::vector<LocatedPoint>& points() const { return points_; }
  /// values[field] at each point.
  std::vector<std::vector<double>> evaluate(const Solution& solution);

 private:
  void make_samplers(const Solution& solution);

  std::vector<LocatedPoint> points_;
  std::vector<std::string> fields_;
  int degree_ = 0;
  std::vector<FieldSampler> samplers_;  // [point]
};

/// The elements that hold the points: [block] ascending positions, each once.
std::vector<std::vector<mesh::Index>> positions_of(const mesh::Mesh& mesh, const std::vector<LocatedPoint>& points);

/// The named fields at one point, as Probe has them.
std::vector<double> evaluate(const Solution& solution, const LocatedPoint& point,
                             const std::vector<std::string>& fields = {});

}  // namespace galerna::analysis
