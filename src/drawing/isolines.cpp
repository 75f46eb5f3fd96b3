#include "drawing/isolines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "analysis/element_map.hpp"
#include "analysis/field_sampler.hpp"
#include "base/parallel.hpp"
#include "files/vtk_cells.hpp"

namespace galerna::drawing {

using analysis::ElementMap;
using analysis::FieldSampler;
using analysis::FieldSelection;
using analysis::Solution;
using files::cell_pattern;
using files::CellPattern;
using files::VtkCells;
using mesh::ElementBlock;
using mesh::Index;
using mesh::Point;

namespace {

bool touches(const ElementMap::Box& box, const Window& window) {
  return box.low[0] <= window.x1 && box.high[0] >= window.x0 && box.low[1] <= window.y1 && box.high[1] >= window.y0;
}

/// An element shape cut into small triangles, with the sampler of its corners.
struct Subdivision {
  std::vector<std::array<int, 3>> triangles;
  FieldSampler sampler;

  Subdivision(const Solution& solution, int block, int field, const CellPattern& pattern)
      : sampler(solution, block, pattern.points, FieldSelection(solution.fields, std::vector<int>{field})) {
    for (const CellPattern::Cell& cell : pattern.cells)
      for (std::size_t i = 2; i < cell.nodes.size(); ++i)
        triangles.push_back({cell.nodes[0], cell.nodes[i - 1], cell.nodes[i]});
  }
};

struct Corner {
  const Point* place;
  double value;
};

/// Where the level lies between two corners. The lower corner comes first, so that both triangles at a side find the
/// same bits.
Point crossing(Corner a, Corner b, double level) {
  if (a.value > b.value) std::swap(a, b);
  const double share = (level - a.value) / (b.value - a.value);
  const Point &p = *a.place, &q = *b.place;
  return {p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]), 0};
}

void march(const std::array<Corner, 3>& corners, const std::vector<double>& levels, std::vector<Segment>& segments) {
  const auto [low, high] = std::minmax({corners[0].value, corners[1].value, corners[2].value});
  if (!std::isfinite(low) || !std::isfinite(high)) return;
  for (auto level = std::upper_bound(levels.begin(), levels.end(), low); level != levels.end() && *level <= high;
       ++level) {
    std::array<Point, 2> ends;
    std::size_t found = 0;
    for (std::size_t i = 0; i < 3 && found < 2; ++i) {
      const Corner &a = corners[i], &b = corners[(i + 1) % 3];
      if ((a.value < *level) != (b.value < *level)) ends[found++] = crossing(a, b, *level);
    }
    if (found == 2) segments.push_back({ends[0][0], ends[0][1], ends[1][0], ends[1][1]});
  }
}

/// Triangles along a side of an element: a power of two, as many as the degree deserves and the eye can tell.
int subdivisions(const ElementMap::Box& box, int degree, double pixel) {
  constexpr double pixels_a_piece = 4;
  const double size = std::max(box.high[0] - box.low[0], box.high[1] - box.low[1]) / (pixels_a_piece * pixel);
  const double wanted = std::clamp(size, 1.0, 8.0 * (degree + 1));
  return 1 << static_cast<int>(std::ceil(std::log2(wanted)));
}

/// Finds isolines in the elements of one block, by any threads.
class BlockIsolines {
 public:
  BlockIsolines(const Solution& solution, std::size_t index, int field, const std::vector<double>& levels,
                const Window& window, double pixel)
      : solution_(solution),
        index_(index),
        block_(solution.mesh->blocks[index]),
        field_(field),
        levels_(levels),
        window_(window),
        pixel_(pixel) {}

  /// Appends those of all elements, in their order.
  void append_to(std::vector<Segment>& segments) {
    constexpr Index elements_at_once = 512;
    std::vector<std::vector<Segment>> found(
        static_cast<std::size_t>((block_.size() + elements_at_once - 1) / elements_at_once));
    in_parallel(block_.size(), elements_at_once, [&](Index begin, Index end) {
      for (Index position = begin; position < end; ++position)
        append_element(position, found[static_cast<std::size_t>(begin / elements_at_once)]);
    });
    for (const std::vector<Segment>& part : found) segments.insert(segments.end(), part.begin(), part.end());
  }

 private:
  void append_element(Index position, std::vector<Segment>& segments) {
    const ElementMap::Box box = ElementMap(*solution_.mesh, block_, position).box();
    if (!touches(box, window_)) return;
    const Subdivision& subdivision =
        subdivision_of(std::max(subdivisions(box, solution_.degree, pixel_), block_.order));
    thread_local std::vector<double> values;
    thread_local std::vector<Point> places;
    subdivision.sampler.fields(position, values);
    subdivision.sampler.places(position, places);
    const auto corner = [&](int point) {
      return Corner{&places[static_cast<std::size_t>(point)], values[static_cast<std::size_t>(point)]};
    };
    for (const auto& [a, b, c] : subdivision.triangles) march({corner(a), corner(b), corner(c)}, levels_, segments);
  }

  const Subdivision& subdivision_of(int count) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Subdivision>& subdivision = by_count_[count];
    if (!subdivision)
      subdivision = std::make_unique<Subdivision>(solution_, static_cast<int>(index_), field_,
                                                  cell_pattern(block_.shape, count, VtkCells::subdivided));
    return *subdivision;
  }

  const Solution& solution_;
  std::size_t index_;
  const ElementBlock& block_;
  int field_;
  const std::vector<double>& levels_;
  const Window& window_;
  double pixel_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Subdivision>> by_count_;
};

/// One side of an element as segments, one for a straight element.
void append_side(const mesh::Mesh& mesh, const ElementBlock& block, Index position, int side,
                 std::vector<Segment>& segments) {
  const Index* nodes = block.nodes.data() + position * block.nodes_per_element();
  const auto corners = side_corners(block.shape, side);
  if (block.order == 1) {
    const Point &a = mesh.nodes[nodes[corners[0]]], &b = mesh.nodes[nodes[corners[1]]];
    segments.push_back({a[0], a[1], b[0], b[1]});
    return;
  }
  const int pieces = 6 * block.order;
  std::vector<basis::Point> along;
  for (int i = 0; i <= pieces; ++i) along.push_back({2.0 * i / pieces - 1, 0, 0});
  const basis::Matrix values =
      basis::lagrange_values(block.shape, block.order, basis::side_points(block.shape, side, along));
  Point last = {};
  for (int i = 0; i <= pieces; ++i) {
    Point place = {0, 0, 0};
    for (int node = 0; node < values.cols(); ++node)
      for (std::size_t d = 0; d < 2; ++d) place[d] += values(i, node) * mesh.nodes[nodes[node]][d];
    if (i > 0) segments.push_back({last[0], last[1], place[0], place[1]});
    last = place;
  }
}

}  // namespace

std::vector<Segment> isolines(const Solution& solution, int field, const std::vector<double>& levels,
                              const Window& window, double pixel) {
  std::vector<Segment> segments;
  for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block)
    BlockIsolines(solution, block, field, levels, window, pixel).append_to(segments);
  return segments;
}

std::vector<Segment> mesh_lines(const mesh::Mesh& mesh, bool boundary_only, const Window& window) {
  std::vector<Segment> segments;
  const auto append = [&](const ElementBlock& block, Index position, int side) {
    if (touches(ElementMap(mesh, block, position).box(), window)) append_side(mesh, block, position, side, segments);
  };
  for (const mesh::Face& face : mesh.faces) {
    if (boundary_only && face.right.element >= 0) continue;
    const mesh::Mesh::Location where = mesh.locate(face.left.element);
    append(mesh.blocks[static_cast<std::size_t>(where.block)], where.position, face.left.side);
  }
  if (!mesh.faces.empty() || boundary_only) return segments;
  std::set<std::pair<Index, Index>> drawn;  // by corner nodes: a side that two elements share is drawn once
  for (const ElementBlock& block : mesh.blocks)
    for (Index position = 0; position < block.size(); ++position)
      for (int side = 0; side < side_count(block.shape); ++side) {
        const auto corners = side_corners(block.shape, side);
        const Index* nodes = block.nodes.data() + position * block.nodes_per_element();
        if (drawn.insert(std::minmax(nodes[corners[0]], nodes[corners[1]])).second) append(block, position, side);
      }
  return segments;
}

}  // namespace galerna::drawing
