#include "drawing/raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace galerna::drawing {

Window window_of(const mesh::Mesh& mesh) {
  const double infinity = std::numeric_limits<double>::infinity();
  Window window = {infinity, -infinity, infinity, -infinity};
  for (const mesh::ElementBlock& block : mesh.blocks)
    for (mesh::Index node : block.nodes) {
      const mesh::Point& place = mesh.nodes[static_cast<std::size_t>(node)];
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

}  // namespace galerna::drawing
