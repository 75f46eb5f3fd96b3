#include "drawing/raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "analysis/element_map.hpp"
#include "drawing/raster_cells.hpp"
#include "files/vtk_cells.hpp"

namespace galerna::drawing {

using analysis::BlockSampler;
using analysis::ElementMap;
using analysis::in_reference;
using analysis::Solution;
using files::cell_pattern;
using files::CellPattern;
using files::VtkCells;
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

Raster::Raster(int width, int height)
    : columns(width), rows(height), values(static_cast<std::size_t>(width) * height), covered(values.size()) {}

std::array<double, 2> Raster::range() const {
  std::array<double, 2> range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (covered[i] && std::isfinite(values[i])) range = {std::min(range[0], values[i]), std::max(range[1], values[i])};
  if (range[0] > range[1]) return {0, 0};
  return range;
}

namespace {

/// Finds the cells in the elements of one block and has them sampled.
class BlockRasterizer {
 public:
  BlockRasterizer(const Solution& solution, std::size_t index, int field, const Cells& cells, Raster& raster)
      : solution_(solution),
        index_(index),
        block_(solution.mesh->blocks[index]),
        cells_(cells),
        sampler_(solution, index, field, raster) {}

  void run() {
    for (Index position = 0; position < block_.size(); ++position) add_element(position);
    sampler_.flush();
  }

 private:
  static constexpr double tolerance = 1e-7;  // in reference coordinates: no centre on a side is lost to round-off

  /// A curved element as small straight triangles.
  struct Pieces {
    CellPattern pattern;
    BlockSampler geometry;
  };

  void add_element(Index position) {
    const ElementMap map(*solution_.mesh, block_, position);
    const ElementMap::Box box = map.box();
    const auto [column_begin, column_end] = cells_.columns_between(box.low[0], box.high[0]);
    const auto [row_begin, row_end] = cells_.rows_between(box.low[1], box.high[1]);
    if (column_begin >= column_end || row_begin >= row_end) return;
    if (block_.order > 1) {
      add_curved(position, std::max(column_end - column_begin, row_end - row_begin));
    } else if (block_.shape == Shape::triangle) {
      const Index* nodes = block_.nodes.data() + 3 * position;
      const std::vector<Point>& places = solution_.mesh->nodes;
      add_triangle(position, {places[nodes[0]], places[nodes[1]], places[nodes[2]]},
                   {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, tolerance);
    } else {
      for (int row = row_begin; row < row_end; ++row)
        for (int column = column_begin; column < column_end; ++column)
          if (const auto reference = map.to_reference({cells_.x(column), cells_.y(row), box.low[2]}, tolerance))
            add_sample(position, *reference, row, column);
    }
  }

  /// A triangle of an element: straight between its corners in space and in reference coordinates.
  void add_triangle(Index position, const std::array<Point, 3>& places, const std::array<basis::Point, 3>& references,
                    double margin) {
    const auto [low_x, high_x] = std::minmax({places[0][0], places[1][0], places[2][0]});
    const auto [low_y, high_y] = std::minmax({places[0][1], places[1][1], places[2][1]});
    const auto [column_begin, column_end] = cells_.columns_between(low_x, high_x);
    const auto [row_begin, row_end] = cells_.rows_between(low_y, high_y);
    if (column_begin >= column_end || row_begin >= row_end) return;
    const TriangleInverse inverse(places[0], places[1], places[2]);
    for (int row = row_begin; row < row_end; ++row)
      for (int column = column_begin; column < column_end; ++column) {
        const basis::Point share = inverse(cells_.x(column), cells_.y(row));
        if (!in_reference(Shape::triangle, share, margin)) continue;
        basis::Point reference = {0, 0, 0};
        for (std::size_t d = 0; d < 2; ++d)
          reference[d] =
              (1 - share[0] - share[1]) * references[0][d] + share[0] * references[1][d] + share[1] * references[2][d];
        add_sample(position, reference, row, column);
      }
  }

  /// \param cells how many the element is wide or high.
  void add_curved(Index position, int cells) {
    constexpr int cells_a_piece = 8, most_pieces = 128;
    constexpr double overlap = 0.02;  // neighbours cut their common side differently; no gap may stay between them
    int count = 4;
    while (count * cells_a_piece < cells && count < most_pieces) count *= 2;
    std::unique_ptr<Pieces>& pieces = pieces_[count];
    if (!pieces) {
      const CellPattern pattern = cell_pattern(block_.shape, count, VtkCells::subdivided);
      pieces.reset(new Pieces{pattern, BlockSampler(solution_, static_cast<int>(index_), pattern.points)});
    }
    pieces->geometry.places(position, places_);
    for (const CellPattern::Cell& cell : pieces->pattern.cells)
      for (std::size_t i = 2; i < cell.nodes.size(); ++i) {
        const int a = cell.nodes[0], b = cell.nodes[i - 1], c = cell.nodes[i];
        const std::vector<basis::Point>& references = pieces->pattern.points;
        add_triangle(position, {places_[a], places_[b], places_[c]}, {references[a], references[b], references[c]},
                     overlap);
      }
  }

  void add_sample(Index position, const basis::Point& reference, int row, int column) {
    const std::size_t target = static_cast<std::size_t>(row) * cells_.columns + column;
    sampler_.add(position, reference, target, {cells_.x(column), cells_.y(row), 0});
  }

  const Solution& solution_;
  std::size_t index_;
  const ElementBlock& block_;
  Cells cells_;
  BatchSampler sampler_;
  std::map<int, std::unique_ptr<Pieces>> pieces_;  // by the number of pieces along a side
  std::vector<Point> places_;
};

}  // namespace

Raster rasterize(const Solution& solution, int field, const Window& window, int columns, int rows) {
  Raster raster(columns, rows);
  const Cells cells = {window, columns, rows};
  for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block)
    BlockRasterizer(solution, block, field, cells, raster).run();
  return raster;
}

}  // namespace galerna::drawing
