#include "mesh/collapse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace galerna::mesh {
namespace {

/// How often the same corner follows itself counts once; false where it comes again later: the side is pinched.
bool collapse(std::vector<Index>& corners) {
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
  return std::set<Index>(corners.begin(), corners.end()).size() == corners.size();
}

}  // namespace

std::optional<std::pair<Index, int>> repeated_corner(std::span<const Index> corners) {
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const auto times = std::count(corners.begin(), corners.end(), corners[i]);
    if (times > 1) return std::pair(corners[i], static_cast<int>(times));
  }
  return {};
}

std::optional<Shape> collapsed_shape(Shape shape, std::span<const Index> corners) {
  const std::size_t count = std::set<Index>(corners.begin(), corners.end()).size();
  if (shape == Shape::quadrilateral) {
    std::vector<Index> rest(corners.begin(), corners.end());
    return collapse(rest) && rest.size() == 3 ? std::optional(Shape::triangle) : std::nullopt;
  }
  if (dimension(shape) != 3) return {};
  std::set<std::set<Index>> triangles, quadrilaterals;
  std::size_t sides = 0;
  for (int s = 0; s < side_count(shape); ++s) {
    std::vector<Index> side;
    for (const int c : side_corners(shape, s)) side.push_back(corners[static_cast<std::size_t>(c)]);
    if (!collapse(side)) return {};
    if (side.size() < 3) continue;
    (side.size() == 3 ? triangles : quadrilaterals).emplace(side.begin(), side.end());
    ++sides;
  }
  if (triangles.size() + quadrilaterals.size() != sides) return {};  // two sides lie upon one another
  for (const Shape other : {Shape::tetrahedron, Shape::pyramid, Shape::prism}) {
    std::size_t own = 0;
    for (int s = 0; s < side_count(other); ++s) own += side_corners(other, s).size() == 3;
    if (count == static_cast<std::size_t>(corner_count(other)) && triangles.size() == own &&
        sides == static_cast<std::size_t>(side_count(other)))
      return other;
  }
  return {};
}

std::string collapse_remedy(Shape shape, std::span<const Index> corners) {
  if (const auto other = collapsed_shape(shape, corners)) return fmt::format("write it as a {}", name(*other));
  if (is_simplex(shape)) return fmt::format("it has no {}; take it out", dimension(shape) == 2 ? "area" : "volume");
  return dimension(shape) == 2 ? "it has no area; take it out"
                               : "no other shape has its sides; split it into tetrahedra and pyramids, or remesh it";
}

}  // namespace galerna::mesh
