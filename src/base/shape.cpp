#include "base/shape.hpp"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

namespace galerna {
namespace {

/// A list of at most n items; an item that is not there is a mistake of the caller.
template <class T, std::size_t n>
struct Few {
  std::array<T, n> items{};
  std::size_t count = 0;

  constexpr Few(std::initializer_list<T> list) : count(list.size()) {
    std::copy(list.begin(), list.end(), items.begin());
  }
  constexpr Few() = default;

  const T& at(int i) const {
    if (i < 0 || static_cast<std::size_t>(i) >= count) throw std::out_of_range("a shape has no such corner or side");
    return items[static_cast<std::size_t>(i)];
  }
  int size() const { return static_cast<int>(count); }
};

struct ShapeFacts {
  std::string_view name, plural;
  int dimension;
  double measure;
  Few<std::array<double, 3>, 8> corners;
  Few<Shape, 6> side_shapes;
  Few<Few<int, 4>, 6> sides;
};

using enum Shape;
constexpr std::array<ShapeFacts, 8> table = {{
    {"point", "points", 0, 1, {{0, 0, 0}}, {}, {}},
    {"line", "lines", 1, 2, {{-1, 0, 0}, {1, 0, 0}}, {point, point}, {{0}, {1}}},
    {"triangle", "triangles", 2, 0.5, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {line, line, line}, {{1, 2}, {0, 2}, {0, 1}}},
    {"quadrilateral",
     "quadrilaterals",
     2,
     4,
     {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
     {line, line, line, line},
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {"tetrahedron",
     "tetrahedra",
     3,
     1.0 / 6,
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
     {triangle, triangle, triangle, triangle},
     {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}},
    {"pyramid",
     "pyramids",
     3,
     4.0 / 3,
     {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}},
     {triangle, triangle, triangle, triangle, quadrilateral},
     {{0, 1, 4}, {3, 0, 4}, {1, 2, 4}, {2, 3, 4}, {0, 3, 2, 1}}},
    {"prism",
     "prisms",
     3,
     1,
     {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
     {triangle, triangle, quadrilateral, quadrilateral, quadrilateral},
     {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {0, 3, 5, 2}, {1, 2, 5, 4}}},
    {"hexahedron",
     "hexahedra",
     3,
     8,
     {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
     {quadrilateral, quadrilateral, quadrilateral, quadrilateral, quadrilateral, quadrilateral},
     {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}}},
}};

const ShapeFacts& facts(Shape shape) {
  return table[static_cast<std::size_t>(shape)];
}

}  // namespace

std::string_view name(Shape shape) {
  return facts(shape).name;
}
std::string_view plural_name(Shape shape) {
  return facts(shape).plural;
}
int dimension(Shape shape) {
  return facts(shape).dimension;
}
bool is_simplex(Shape shape) {
  return shape == Shape::triangle || shape == Shape::tetrahedron;
}
int corner_count(Shape shape) {
  return facts(shape).corners.size();
}
int side_count(Shape shape) {
  return facts(shape).sides.size();
}
Shape side_shape(Shape shape, int side) {
  return facts(shape).side_shapes.at(side);
}
double reference_measure(Shape shape) {
  return facts(shape).measure;
}

std::span<const int> side_corners(Shape shape, int side) {
  const Few<int, 4>& corners = facts(shape).sides.at(side);
  return std::span(corners.items).first(corners.count);
}

std::array<double, 3> reference_corner(Shape shape, int corner) {
  return facts(shape).corners.at(corner);
}

std::array<double, 3> reference_normal(Shape shape, int side) {
  const auto corners = side_corners(shape, side);
  const auto first = reference_corner(shape, corners[0]);
  const auto edge = [&](std::size_t to) {
    const auto corner = reference_corner(shape, corners[to]);
    return std::array{corner[0] - first[0], corner[1] - first[1], corner[2] - first[2]};
  };
  const auto s = edge(1);
  std::array<double, 3> normal = {s[1], -s[0], 0};
  if (dimension(shape) == 3) {
    // Two edges of a triangle; of a quadrilateral the first and the last, which span all of it.
    const auto t = edge(corners.size() - 1);
    const double part = corners.size() == 3 ? 0.5 : 1;
    normal = {part * (s[1] * t[2] - s[2] * t[1]), part * (s[2] * t[0] - s[0] * t[2]),
              part * (s[0] * t[1] - s[1] * t[0])};
  }
  double away = 0;
  const int count = corner_count(shape);
  for (int c = 0; c < count; ++c)
    for (std::size_t k = 0; k < 3; ++k) away += normal[k] * (first[k] - reference_corner(shape, c)[k]);
  if (away < 0)
    for (double& component : normal) component = -component;
  return normal;
}

int node_count(Shape shape, int order) {
  const int n = order + 1;
  switch (shape) {
    case Shape::point:
      return 1;
    case Shape::line:
      return n;
    case Shape::triangle:
      return n * (n + 1) / 2;
    case Shape::quadrilateral:
      return n * n;
    case Shape::tetrahedron:
      return n * (n + 1) * (n + 2) / 6;
    case Shape::pyramid:
      return n * (n + 1) * (2 * n + 1) / 6;
    case Shape::prism:
      return n * n * (n + 1) / 2;
    case Shape::hexahedron:
      return n * n * n;
  }
  throw std::logic_error("unknown shape");
}

}  // namespace galerna
