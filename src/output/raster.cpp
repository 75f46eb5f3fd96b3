#include "output/raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "output/element_map.hpp"
#include "output/sampling.hpp"

namespace galerna::output {

using mesh::ElementBlock;
using mesh::Index;
using mesh::Point;

Window window_of(const mesh::Mesh& mesh) {
  const double infinity = std::numeric_limits<double>::infinity();
  Window window = {infinity, -infinity, infinity, -infinity};
  for (const ElementBlock& block : mesh.blocks)
    for (Index node : block.nodes) {
      const Point& place = mesh.nodes[static_cast<std::size_t>(node)];
      window = {std::min(window.x0, place[0]), std::max(window.x1, place[0]), std::min(window.y0, place[1]),
                std::max(window.y1, place[1])};
    }
  return window;
}

std::array<double, 2> Raster::range() const {
  std::array<double, 2> range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (covered[i] && std::isfinite(values[i])) range = {std::min(range[0], values[i]), std::max(range[1], values[i])};
  if (range[0] > range[1]) return {0, 0};
  return range;
}

namespace {

/// Evaluates one field at many points of many elements of a block, in batches.
class BatchSampler {
 public:
  BatchSampler(const Solution& solution, std::size_t block, int field, Raster& raster)
      : solution_(solution),
        shape_(solution.mesh->blocks[block].shape),
        field_(field),
        coefficients_(solution.coefficients.data() + coefficient_offsets(solution)[block]),
        raster_(raster),
        state_(solution.variables.size()),
        fields_(solution.fields.names.size()) {}

  void add(Index position, const basis::Point& reference, std::size_t target) {
    points_.push_back(reference);
    samples_.push_back({position, target});
    if (points_.size() == batch) flush();
  }

  void flush() {
    if (points_.empty()) return;
    const basis::Matrix values = basis::basis_values(shape_, solution_.degree, points_);
    const Eigen::Index modes = values.cols();
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const double* c = coefficients_ + samples_[i].position * static_cast<Index>(state_.size()) * modes;
      for (std::size_t v = 0; v < state_.size(); ++v, c += modes) {
        state_[v] = 0;
        for (Eigen::Index mode = 0; mode < modes; ++mode)
          state_[v] += c[mode] * values(static_cast<Eigen::Index>(i), mode);
      }
      solution_.fields.evaluate(state_.data(), fields_.data());
      raster_.values[samples_[i].target] = fields_[static_cast<std::size_t>(field_)];
      raster_.covered[samples_[i].target] = 1;
    }
    points_.clear();
    samples_.clear();
  }

 private:
  static constexpr std::size_t batch = 1024;
  struct Sample {
    Index position;
    std::size_t target;
  };
  const Solution& solution_;
  Shape shape_;
  int field_;
  const double* coefficients_;
  Raster& raster_;
  std::vector<double> state_, fields_;
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
  Point origin;
  double xx, xy, yx, yy;  // reference = matrix · (place − origin)

  TriangleInverse(const Point& a, const Point& b, const Point& c) : origin(a) {
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

void rasterize_element(const mesh::Mesh& mesh, const ElementBlock& block, Index position, const Cells& cells,
                       BatchSampler& sampler) {
  constexpr double tolerance = 1e-7;  // in reference coordinates, so that no centre on a side is lost to round-off
  const ElementMap map(mesh, block, position);
  const ElementMap::Box box = map.box();
  const auto [column_begin, column_end] = cells.columns_between(box.low[0], box.high[0]);
  const auto [row_begin, row_end] = cells.rows_between(box.low[1], box.high[1]);
  if (column_begin >= column_end || row_begin >= row_end) return;
  const auto target = [&](int row, int column) { return static_cast<std::size_t>(row) * cells.columns + column; };
  if (block.shape == Shape::triangle && block.order == 1) {
    const Index* nodes = block.nodes.data() + 3 * position;
    const TriangleInverse inverse(mesh.nodes[nodes[0]], mesh.nodes[nodes[1]], mesh.nodes[nodes[2]]);
    for (int row = row_begin; row < row_end; ++row)
      for (int column = column_begin; column < column_end; ++column) {
        const basis::Point reference = inverse(cells.x(column), cells.y(row));
        if (in_reference(Shape::triangle, reference, tolerance)) sampler.add(position, reference, target(row, column));
      }
    return;
  }
  for (int row = row_begin; row < row_end; ++row)
    for (int column = column_begin; column < column_end; ++column)
      if (const auto reference = map.to_reference({cells.x(column), cells.y(row), box.low[2]}, tolerance))
        sampler.add(position, *reference, target(row, column));
}

}  // namespace

Raster rasterize(const Solution& solution, int field, const Window& window, int columns, int rows) {
  Raster raster = {columns, rows, {}, {}};
  raster.values.assign(static_cast<std::size_t>(columns) * rows, 0.0);
  raster.covered.assign(raster.values.size(), 0);
  const Cells cells = {window, columns, rows};
  for (std::size_t b = 0; b < solution.mesh->blocks.size(); ++b) {
    const ElementBlock& block = solution.mesh->blocks[b];
    BatchSampler sampler(solution, b, field, raster);
    for (Index position = 0; position < block.size(); ++position)
      rasterize_element(*solution.mesh, block, position, cells, sampler);
    sampler.flush();
  }
  return raster;
}

}  // namespace galerna::output
