#include "drawing/space_raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <tuple>

#include "base/lattice.hpp"
#include "base/vectors.hpp"
#include "drawing/raster_cells.hpp"
#include "drawing/sights.hpp"
#include "files/vtk_cells.hpp"

namespace galerna::drawing {

using analysis::Solution;
using files::cell_pattern;
using files::CellPattern;
using files::VtkCells;
using mesh::ElementBlock;
using mesh::Index;
using mesh::Point;

namespace {

/// A vertex of a small triangle: (u, v, w) and reference coordinates in its element.
struct Vertex {
  Point seen;
  basis::Point reference;
};

Vertex between(const Vertex& a, const Vertex& b, double share) {
  Vertex result;
  for (std::size_t k = 0; k < 3; ++k) {
    result.seen[k] = a.seen[k] + share * (b.seen[k] - a.seen[k]);
    result.reference[k] = a.reference[k] + share * (b.reference[k] - a.reference[k]);
  }
  return result;
}

/// Distances from the sides of a reference shape, linear functions that are 0 on the side and positive inside.
class SideDistances {
 public:
  explicit SideDistances(Shape shape) {
    for (int side = 0; side < side_count(shape); ++side)
      sides_.push_back({reference_normal(shape, side), reference_corner(shape, side_corners(shape, side)[0])});
  }
  std::size_t count() const { return sides_.size(); }
  double operator()(std::size_t side, const basis::Point& at) const {
    const auto& [normal, corner] = sides_[side];
    return dot(normal, minus(corner, at));
  }

 private:
  std::vector<std::pair<Point, Point>> sides_;
};

/// Puts small triangles into a raster, the nearest in front.
class Painter {
 public:
  Painter(const Cells& cells, double line, Raster& raster)
      : cells_(cells), line_(line), raster_(raster), sights_(raster.values.size()) {
    raster_.shades.assign(sights_.size(), 1.0F);
    raster_.depths.assign(sights_.size(), -std::numeric_limits<float>::infinity());
    raster_.lines.assign(sights_.size(), 0);
  }

  /// What is added from now on belongs to this element. \param shaded whether light falls on it
  void begin(int block, Index position, const SideDistances& distances, bool shaded) {
    block_ = block;
    position_ = position;
    distances_ = &distances;
    shaded_ = shaded;
  }

  void add(const std::array<Vertex, 3>& t) {
    const auto [low_u, high_u] = std::minmax({t[0].seen[0], t[1].seen[0], t[2].seen[0]});
    const auto [low_v, high_v] = std::minmax({t[0].seen[1], t[1].seen[1], t[2].seen[1]});
    const auto [column_begin, column_end] = cells_.columns_between(low_u, high_u);
    const auto [row_begin, row_end] = cells_.rows_between(low_v, high_v);
    if (column_begin >= column_end || row_begin >= row_end) return;
    const TriangleInverse inverse(t[0].seen, t[1].seen, t[2].seen);
    if (!std::isfinite(inverse.xx + inverse.yy)) return;  // seen from its edge
    const float shade = shaded_ ? shade_of(t) : 1.0F;
    const double cell = cells_.window.width() / cells_.columns;
    for (int row = row_begin; row < row_end; ++row)
      for (int column = column_begin; column < column_end; ++column) {
        const basis::Point share = inverse(cells_.x(column), cells_.y(row));
        constexpr double margin = 1e-6;
        if (share[0] < -margin || share[1] < -margin || share[0] + share[1] > 1 + margin) continue;
        const Vertex here = at(t, share);
        const std::size_t target = static_cast<std::size_t>(row) * cells_.columns + column;
        const auto depth = static_cast<float>(here.seen[2]);
        if (raster_.covered[target] && depth <= raster_.depths[target]) continue;
        raster_.covered[target] = 1;
        raster_.depths[target] = depth;
        raster_.shades[target] = shade;
        raster_.lines[target] = line_ > 0 && near_line(t, inverse, here, 0.5 * line_ * cell);
        sights_[target] = {position_, block_, here.reference};
      }
  }

  /// What is nearest to the viewer in each cell.
  const std::vector<Sight>& sights() const { return sights_; }

 private:
  static Vertex at(const std::array<Vertex, 3>& t, const basis::Point& share) {
    Vertex result;
    for (std::size_t k = 0; k < 3; ++k) {
      const double first = 1 - share[0] - share[1];
      result.seen[k] = first * t[0].seen[k] + share[0] * t[1].seen[k] + share[1] * t[2].seen[k];
      result.reference[k] = first * t[0].reference[k] + share[0] * t[1].reference[k] + share[1] * t[2].reference[k];
    }
    return result;
  }

  /// Light comes from above the viewer's left shoulder.
  static float shade_of(const std::array<Vertex, 3>& t) {
    const Point n = cross(minus(t[1].seen, t[0].seen), minus(t[2].seen, t[0].seen));
    constexpr Point light = {-0.36, 0.48, 0.8};
    const double towards = n[2] < 0 ? -1 : 1;
    return static_cast<float>(0.55 + 0.45 * std::max(0.0, towards * dot(n, light) / norm(n)));
  }

  /// Whether a side of the element passes within `reach`: its distance falls to zero there.
  bool near_line(const std::array<Vertex, 3>& t, const TriangleInverse& inverse, const Vertex& here,
                 double reach) const {
    for (std::size_t side = 0; side < distances_->count(); ++side) {
      const double d0 = (*distances_)(side, t[0].reference), first = (*distances_)(side, t[1].reference) - d0,
                   second = (*distances_)(side, t[2].reference) - d0;
      const double slope =
          std::hypot(first * inverse.xx + second * inverse.yx, first * inverse.xy + second * inverse.yy);
      const double distance = (*distances_)(side, here.reference);
      // On a boundary's own side it is zero everywhere.
      if (slope * reach > 1e-9 && distance < slope * reach) return true;
    }
    return false;
  }

  const Cells& cells_;
  double line_;
  Raster& raster_;
  std::vector<Sight> sights_;
  int block_ = 0;
  Index position_ = 0;
  const SideDistances* distances_ = nullptr;
  bool shaded_ = false;
};

/// Reference points and small simplices between them that an element or a side is seen as.
struct Pieces {
  std::vector<basis::Point> points;  ///< in the element
  basis::Matrix geometry;            ///< [point][node]
  std::vector<std::vector<int>> simplices;
};

/// A cell of any shape as tetrahedra around its first corner, or as triangles.
void add_simplices(Shape shape, const std::vector<int>& nodes, std::vector<std::vector<int>>& simplices) {
  if (dimension(shape) == 2) {
    for (std::size_t i = 2; i < nodes.size(); ++i) simplices.push_back({nodes[0], nodes[i - 1], nodes[i]});
    return;
  }
  for (int side = 0; side < side_count(shape); ++side) {
    const auto corners = side_corners(shape, side);
    if (std::find(corners.begin(), corners.end(), 0) != corners.end()) continue;
    for (std::size_t i = 2; i < corners.size(); ++i)
      simplices.push_back({nodes[0], nodes[static_cast<std::size_t>(corners[0])],
                           nodes[static_cast<std::size_t>(corners[i - 1])],
                           nodes[static_cast<std::size_t>(corners[i])]});
  }
}

Shape shape_of_cell(Shape parent, std::size_t nodes) {
  if (dimension(parent) == 2) return nodes == 3 ? Shape::triangle : Shape::quadrilateral;
  return nodes == 4 ? Shape::tetrahedron : nodes == 5 ? Shape::pyramid : nodes == 6 ? Shape::prism : Shape::hexahedron;
}

/// \param side of the element, −1 for all of it
Pieces make_pieces(const ElementBlock& block, int side, int count) {
  const Shape shape = side < 0 ? block.shape : side_shape(block.shape, side);
  const CellPattern pattern = cell_pattern(shape, count, VtkCells::subdivided);
  Pieces pieces;
  pieces.points = side < 0 ? pattern.points : basis::side_points(block.shape, side, pattern.points);
  pieces.geometry = basis::lagrange_values(block.shape, block.order, pieces.points);
  for (const CellPattern::Cell& cell : pattern.cells)
    add_simplices(shape_of_cell(shape, cell.nodes.size()), cell.nodes, pieces.simplices);
  return pieces;
}

/// Shows the cuts and sides of a scene.
class SceneShower {
 public:
  SceneShower(const mesh::Mesh& mesh, const Scene& scene, const Cells& cells, Painter& painter)
      : mesh_(mesh), scene_(scene), cells_(cells), painter_(painter) {
    for (const ElementBlock& block : mesh.blocks) distances_.emplace_back(block.shape);
  }

  void run() {
    for (const Plane& plane : scene_.planes) cut_by(moved_inside(mesh_, plane));
    for (const int boundary : scene_.boundaries)
      for (const mesh::Side& side : mesh_.boundaries[static_cast<std::size_t>(boundary)].sides) show_side(side);
  }

 private:
  void cut_by(const Plane& plane) {
    // The same in (u, v, w).
    const Plane seen = {scene_.frame.project(plane.point), scene_.frame.project(plane.normal)};
    for (std::size_t b = 0; b < mesh_.blocks.size(); ++b)
      for (Index e = 0; e < mesh_.blocks[b].size(); ++e) {
        if (!may_meet(b, e, plane)) continue;
        const auto [low, high] = box(b, e);
        const Pieces& pieces = pieces_of(b, -1, count_of(b, low, high, 8));
        const std::vector<Vertex> vertices = vertices_of(b, e, pieces);
        painter_.begin(static_cast<int>(b), e, distances_[b], false);
        for (const std::vector<int>& simplex : pieces.simplices) cut(vertices, simplex, seen);
      }
  }

  bool may_meet(std::size_t b, Index position, const Plane& plane) const {
    const ElementBlock& block = mesh_.blocks[b];
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const Index* nodes = block.nodes.data() + position * block.nodes_per_element();
    for (int n = 0; n < block.nodes_per_element(); ++n) {
      const double distance = plane.distance(mesh_.nodes[static_cast<std::size_t>(nodes[n])]);
      low = std::min(low, distance), high = std::max(high, distance);
    }
    // The sides of curved elements may bulge between their nodes.
    const double bulge = block.order > 1 ? 0.3 * (high - low) : 0;
    return low - bulge <= 0 && high + bulge >= 0;
  }

  void cut(const std::vector<Vertex>& vertices, const std::vector<int>& simplex, const Plane& plane) {
    std::vector<const Vertex*> above, below;
    for (const int n : simplex) {
      const Vertex& vertex = vertices[static_cast<std::size_t>(n)];
      (plane.distance(vertex.seen) >= 0 ? above : below).push_back(&vertex);
    }
    if (above.empty() || below.empty()) return;
    std::vector<Vertex> corners;  // round the cut, which has three or four of them
    const auto meet = [&](const Vertex& a, const Vertex& b) {
      const double first = plane.distance(a.seen), second = plane.distance(b.seen);
      corners.push_back(between(a, b, first / (first - second)));
    };
    if (above.size() == 2) {
      meet(*above[0], *below[0]), meet(*above[0], *below[1]), meet(*above[1], *below[1]), meet(*above[1], *below[0]);
    } else {
      const bool one_above = above.size() == 1;
      for (const Vertex* other : one_above ? below : above)
        meet(one_above ? *above[0] : *other, one_above ? *other : *below[0]);
    }
    for (std::size_t i = 2; i < corners.size(); ++i) painter_.add({corners[0], corners[i - 1], corners[i]});
  }

  void show_side(const mesh::Side& side) {
    const auto [block, position] = mesh_.locate(side.element);
    const auto b = static_cast<std::size_t>(block);
    const auto [low, high] = box(b, position);
    const Pieces& pieces = pieces_of(b, side.side, count_of(b, low, high, 64));
    const std::vector<Vertex> vertices = vertices_of(b, position, pieces);
    painter_.begin(block, position, distances_[b], true);
    for (const std::vector<int>& t : pieces.simplices) {
      const auto at = [&](std::size_t i) -> const Vertex& { return vertices[static_cast<std::size_t>(t[i])]; };
      painter_.add({at(0), at(1), at(2)});
    }
  }

  /// Of the element's nodes, in (u, v, w).
  std::pair<Point, Point> box(std::size_t b, Index position) const {
    const ElementBlock& block = mesh_.blocks[b];
    Point low, high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    const Index* nodes = block.nodes.data() + position * block.nodes_per_element();
    for (int n = 0; n < block.nodes_per_element(); ++n) {
      const Point seen = scene_.frame.project(mesh_.nodes[static_cast<std::size_t>(nodes[n])]);
      for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], seen[k]), high[k] = std::max(high[k], seen[k]);
    }
    return {low, high};
  }

  /// Into how many pieces along an edge: one where that is exact, else pieces of some eight cells.
  int count_of(std::size_t b, const Point& low, const Point& high, int most) const {
    const ElementBlock& block = mesh_.blocks[b];
    if (block.order == 1 && is_simplex(block.shape)) return 1;
    const double wide = (high[0] - low[0]) / cells_.window.width() * cells_.columns,
                 tall = (high[1] - low[1]) / cells_.window.height() * cells_.rows;
    int count = 2;
    while (8 * count < std::max(wide, tall) && count < most) count *= 2;
    return count;
  }

  const Pieces& pieces_of(std::size_t b, int side, int count) {
    std::unique_ptr<Pieces>& pieces = pieces_[{b, side, count}];
    if (!pieces) pieces = std::make_unique<Pieces>(make_pieces(mesh_.blocks[b], side, count));
    return *pieces;
  }

  std::vector<Vertex> vertices_of(std::size_t b, Index position, const Pieces& pieces) const {
    const ElementBlock& block = mesh_.blocks[b];
    const Index* nodes = block.nodes.data() + position * block.nodes_per_element();
    std::vector<Vertex> vertices;
    for (std::size_t q = 0; q < pieces.points.size(); ++q) {
      Point place{};
      for (int n = 0; n < block.nodes_per_element(); ++n)
        for (std::size_t k = 0; k < 3; ++k)
          place[k] +=
              pieces.geometry(static_cast<Eigen::Index>(q), n) * mesh_.nodes[static_cast<std::size_t>(nodes[n])][k];
      vertices.push_back({scene_.frame.project(place), pieces.points[q]});
    }
    return vertices;
  }

  const mesh::Mesh& mesh_;
  const Scene& scene_;
  const Cells& cells_;
  Painter& painter_;
  std::vector<SideDistances> distances_;                                         // [block]
  std::map<std::tuple<std::size_t, int, int>, std::unique_ptr<Pieces>> pieces_;  // block, side, count
};

}  // namespace

Raster rasterize(const Solution& solution, int field, const Scene& scene, const Window& window, int columns, int rows,
                 double line) {
  Raster raster(columns, rows);
  const Cells cells = {window, columns, rows};
  Painter painter(cells, line, raster);
  SceneShower(*solution.mesh, scene, cells, painter).run();
  sample(
      solution, field, painter.sights(), [](std::size_t) { return Point{}; }, raster);
  return raster;
}

std::vector<Segment> raster_isolines(const Raster& raster, const Window& window, const std::vector<double>& levels) {
  const Cells cells = {window, raster.columns, raster.rows};
  const double cell = window.width() / raster.columns;
  std::vector<Segment> segments;
  for (int row = 0; row + 1 < raster.rows; ++row)
    for (int column = 0; column + 1 < raster.columns; ++column) {
      std::array<std::array<double, 3>, 4> corners;  // x, y, value, round the square
      bool whole = true;
      float nearest = -std::numeric_limits<float>::infinity(), farthest = -nearest;
      for (std::size_t i = 0; i < 4; ++i) {
        const int r = row + (i == 1 || i == 2), c = column + (i >= 2);
        const std::size_t at = static_cast<std::size_t>(r) * raster.columns + c;
        whole = whole && raster.covered[at] && std::isfinite(raster.values[at]);
        corners[i] = {cells.x(c), cells.y(r), raster.values[at]};
        nearest = std::max(nearest, raster.depths[at]), farthest = std::min(farthest, raster.depths[at]);
      }
      constexpr float steepest = 20;  // what is farther apart along the line of sight is not beside each other
      if (!whole || nearest - farthest > steepest * cell) continue;
      for (const double level : levels) {
        std::vector<std::array<double, 2>> ends;
        for (std::size_t i = 0; i < 4; ++i) {
          const auto &a = corners[i], &b = corners[(i + 1) % 4];
          if ((a[2] < level) == (b[2] < level)) continue;
          const double share = (level - a[2]) / (b[2] - a[2]);
          ends.push_back({a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])});
        }
        for (std::size_t i = 1; i < ends.size(); i += 2)
          segments.push_back({ends[i - 1][0], ends[i - 1][1], ends[i][0], ends[i][1]});
      }
    }
  return segments;
}

}  // namespace galerna::drawing
