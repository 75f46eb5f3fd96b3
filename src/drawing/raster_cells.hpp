/// \file
/// What rasters are made with: their cells, triangles over these, and samples in batches.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "analysis/field_sampler.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// Evaluates one field at many points of many elements of a block, in batches.
class BatchSampler {
 public:
  BatchSampler(const analysis::Solution& solution, std::size_t block, int field, Raster& raster)
      : solution_(solution),
        block_(block),
        shape_(solution.mesh->blocks[block].shape),
        field_(solution.fields, std::vector<int>{field}),
        raster_(raster),
        state_(4 * solution.variables.size()) {
    analysis::piece_of(solution, static_cast<int>(block));
  }

  void add(mesh::Index position, const basis::Point& reference, std::size_t target, const mesh::Point& place) {
    points_.push_back(reference);
    samples_.push_back({position, target, place});
    if (points_.size() == batch) flush();
  }

  void flush() {
    if (points_.empty()) return;
    const basis::Matrix values = basis::basis_values(shape_, solution_.degree, points_);
    const Eigen::Index modes = values.cols();
    const std::size_t variables = solution_.variables.size();
    std::optional<analysis::BlockGradients> gradients;
    if (field_.gradients()) gradients.emplace(solution_, static_cast<int>(block_), points_);
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const double* c = solution_.modes(static_cast<int>(block_), samples_[i].position);
      for (std::size_t v = 0; v < variables; ++v, c += modes) {
        state_[v] = 0;
        for (Eigen::Index mode = 0; mode < modes; ++mode)
          state_[v] += c[mode] * values(static_cast<Eigen::Index>(i), mode);
      }
      if (gradients) gradients->evaluate(samples_[i].position, static_cast<int>(i), state_.data() + variables);
      field_.evaluate(samples_[i].place, solution_.time, state_.data(), &raster_.values[samples_[i].target]);
      raster_.covered[samples_[i].target] = 1;
    }
    points_.clear();
    samples_.clear();
  }

 private:
  static constexpr std::size_t batch = 1024;
  struct Sample {
    mesh::Index position;
    std::size_t target;
    mesh::Point place;
  };
  const analysis::Solution& solution_;
  std::size_t block_;
  Shape shape_;
  analysis::FieldSelection field_;
  Raster& raster_;
  std::vector<double> state_;  // variables, then their derivatives
  std::vector<basis::Point> points_;
  std::vector<Sample> samples_;
};

/// The cell centres of a raster.
struct Cells {
  Window window;
  int columns, rows;
  double x(int column) const { return window.x0 + (column + 0.5) * window.width() / columns; }
  double y(int row) const { return window.y1 - (row + 0.5) * window.height() / rows; }

  /// First and one past the last column or row whose centre may lie between two coordinates.
  std::array<int, 2> columns_between(double low, double high) const {
    return range((low - window.x0) / window.width() * columns, (high - window.x0) / window.width() * columns, columns);
  }
  std::array<int, 2> rows_between(double low, double high) const {
    return range((window.y1 - high) / window.height() * rows, (window.y1 - low) / window.height() * rows, rows);
  }

 private:
  static std::array<int, 2> range(double low, double high, int count) {
    constexpr double margin = 1e-6;  // of a cell: a centre on a side must not be missed by both elements
    const double first = std::ceil(low - 0.5 - margin), last = std::floor(high - 0.5 + margin);
    return {static_cast<int>(std::clamp<double>(first, 0, count)),
            static_cast<int>(std::clamp<double>(last + 1, 0, count))};
  }
};

/// Inverse of the affine map of a straight triangle.
struct TriangleInverse {
  mesh::Point origin;
  double xx, xy, yx, yy;  // reference = matrix · (place − origin)

  TriangleInverse(const mesh::Point& a, const mesh::Point& b, const mesh::Point& c) : origin(a) {
    const double determinant = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    xx = (c[1] - a[1]) / determinant;
    xy = -(c[0] - a[0]) / determinant;
    yx = -(b[1] - a[1]) / determinant;
    yy = (b[0] - a[0]) / determinant;
  }
  basis::Point operator()(double x, double y) const {
    const double dx = x - origin[0], dy = y - origin[1];
    return {xx * dx + xy * dy, yx * dx + yy * dy, 0};
  }
};

}  // namespace galerna::drawing
