#include "drawing/rasterize.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "analysis/element_map.hpp"
#include "analysis/sampling.hpp"
#include "base/parallel.hpp"
#include "drawing/raster_cells.hpp"
#include "drawing/sights.hpp"
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

namespace {

/// Rows of a raster, from `begin` up to `end`.
struct Rows {
  int begin, end;
};

/// Finds what of the elements of one block is seen. Bands of rows are searched apart, by any threads, each through the
/// elements in their order: of elements that meet in a cell the last one is seen, whoever comes first.
class BlockRasterizer {
 public:
  BlockRasterizer(const Solution& solution, std::size_t index, const Cells& cells, std::vector<Sight>& sights)
      : solution_(solution), index_(index), block_(solution.mesh->blocks[index]), cells_(cells), sights_(sights) {
    rows_.resize(static_cast<std::size_t>(block_.size()));
    constexpr Index elements_at_once = 1024;
    in_parallel(block_.size(), elements_at_once, [&](Index begin, Index end) {
      for (Index position = begin; position < end; ++position)
        rows_[static_cast<std::size_t>(position)] = rows_of(position);
    });
  }

  void search(const Rows& band) {
    for (Index position = 0; position < block_.size(); ++position) {
      const Rows& rows = rows_[static_cast<std::size_t>(position)];
      if (rows.begin < band.end && rows.end > band.begin) add_element(position, band);
    }
  }

 private:
  static constexpr double tolerance = 1e-7;  // in reference coordinates: no centre on a side is lost to round-off

  /// A curved element as small straight triangles.
  struct Pieces {
    CellPattern pattern;
    BlockSampler geometry;
  };

  /// In which an element may be seen; none if it has no column.
  Rows rows_of(Index position) const {
    const ElementMap::Box box = ElementMap(*solution_.mesh, block_, position).box();
    const auto [column_begin, column_end] = cells_.columns_between(box.low[0], box.high[0]);
    const auto [row_begin, row_end] = cells_.rows_between(box.low[1], box.high[1]);
    return column_begin < column_end ? Rows{row_begin, row_end} : Rows{0, 0};
  }

  void add_element(Index position, const Rows& band) {
    const ElementMap map(*solution_.mesh, block_, position);
    const ElementMap::Box box = map.box();
    const auto [column_begin, column_end] = cells_.columns_between(box.low[0], box.high[0]);
    const auto [row_begin, row_end] = cells_.rows_between(box.low[1], box.high[1]);
    if (column_begin >= column_end || row_begin >= row_end) return;
    if (block_.order > 1) {
      add_curved(position, std::max(column_end - column_begin, row_end - row_begin), band);
    } else if (block_.shape == Shape::triangle) {
      const Index* nodes = block_.nodes.data() + 3 * position;
      const std::vector<Point>& places = solution_.mesh->nodes;
      add_triangle(position, {places[nodes[0]], places[nodes[1]], places[nodes[2]]},
                   {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, tolerance, band);
    } else {
      for (int row = std::max(row_begin, band.begin); row < std::min(row_end, band.end); ++row)
        for (int column = column_begin; column < column_end; ++column)
          if (const auto reference = map.to_reference({cells_.x(column), cells_.y(row), box.low[2]}, tolerance))
            add_sample(position, *reference, row, column);
    }
  }

  /// A triangle of an element: straight between its corners in space and in reference coordinates.
  void add_triangle(Index position, const std::array<Point, 3>& places, const std::array<basis::Point, 3>& references,
                    double margin, const Rows& band) {
    const auto [low_x, high_x] = std::minmax({places[0][0], places[1][0], places[2][0]});
    const auto [low_y, high_y] = std::minmax({places[0][1], places[1][1], places[2][1]});
    const auto [column_begin, column_end] = cells_.columns_between(low_x, high_x);
    const auto [row_begin, row_end] = cells_.rows_between(low_y, high_y);
    if (column_begin >= column_end || row_begin >= row_end) return;
    const TriangleInverse inverse(places[0], places[1], places[2]);
    for (int row = std::max(row_begin, band.begin); row < std::min(row_end, band.end); ++row)
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
  void add_curved(Index position, int cells, const Rows& band) {
    constexpr int cells_a_piece = 8, most_pieces = 128;
    constexpr double overlap = 0.02;  // neighbours cut their common side differently; no gap may stay between them
    int count = 4;
    while (count * cells_a_piece < cells && count < most_pieces) count *= 2;
    const Pieces& pieces = pieces_of(count);
    thread_local std::vector<Point> places;
    pieces.geometry.places(position, places);
    for (const CellPattern::Cell& cell : pieces.pattern.cells)
      for (std::size_t i = 2; i < cell.nodes.size(); ++i) {
        const int a = cell.nodes[0], b = cell.nodes[i - 1], c = cell.nodes[i];
        const std::vector<basis::Point>& references = pieces.pattern.points;
        add_triangle(position, {places[a], places[b], places[c]}, {references[a], references[b], references[c]},
                     overlap, band);
      }
  }

  const Pieces& pieces_of(int count) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Pieces>& pieces = pieces_[count];
    if (!pieces) {
      const CellPattern pattern = cell_pattern(block_.shape, count, VtkCells::subdivided);
      pieces.reset(new Pieces{pattern, BlockSampler(solution_, static_cast<int>(index_), pattern.points)});
    }
    return *pieces;
  }

  void add_sample(Index position, const basis::Point& reference, int row, int column) {
    sights_[static_cast<std::size_t>(row) * cells_.columns + column] = {position, static_cast<int>(index_), reference};
  }

  const Solution& solution_;
  std::size_t index_;
  const ElementBlock& block_;
  Cells cells_;
  std::vector<Sight>& sights_;
  std::vector<Rows> rows_;  // [element]
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Pieces>> pieces_;  // by the number of pieces along a side
};

}  // namespace

Raster rasterize(const Solution& solution, int field, const Window& window, int columns, int rows) {
  Raster raster(columns, rows);
  const Cells cells = {window, columns, rows};
  std::vector<Sight> sights(raster.values.size());
  for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block) {
    BlockRasterizer rasterizer(solution, block, cells, sights);
    constexpr int rows_of_a_band = 16;
    in_parallel(rows, rows_of_a_band, [&](std::int64_t begin, std::int64_t end) {
      rasterizer.search({static_cast<int>(begin), static_cast<int>(end)});
    });
  }
  const auto place = [&](std::size_t target) {
    const auto column = static_cast<int>(target % static_cast<std::size_t>(columns)),
               row = static_cast<int>(target / static_cast<std::size_t>(columns));
    return Point{cells.x(column), cells.y(row), 0};
  };
  sample(solution, field, sights, place, raster);
  return raster;
}

}  // namespace galerna::drawing
