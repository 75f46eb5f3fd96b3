#include "mesh/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/parallel.hpp"
#include "base/vectors.hpp"

namespace galerna::mesh {
namespace {

/// Determinant of the edges from x to a, b, c.
double determinant(const Point& x, const Point& a, const Point& b, const Point& c) {
  return dot(minus(a, x), cross(minus(b, x), minus(c, x)));
}

/// Shape and corner positions of an element.
struct Corners {
  Shape shape;
  std::array<Point, 8> x;
  std::size_t count;
};

Corners corners_of(const Mesh& mesh, Index element) {
  const auto [block, position] = mesh.locate(element);
  const ElementBlock& b = mesh.blocks[static_cast<std::size_t>(block)];
  Corners c{b.shape, {}, static_cast<std::size_t>(corner_count(b.shape))};
  const Index first = position * b.nodes_per_element();
  for (std::size_t i = 0; i < c.count; ++i)
    c.x[i] = mesh.nodes[static_cast<std::size_t>(b.nodes[static_cast<std::size_t>(first) + i])];
  return c;
}

/// Twice the vector area of a polygon of three or four corners in its own order.
Point area_vector(const Point& a, const Point& b, const Point& c, const Point* d) {
  return d ? cross(minus(c, a), minus(*d, b)) : cross(minus(b, a), minus(c, a));
}

double side_measure(const Corners& e, int side) {
  const auto local = side_corners(e.shape, side);
  const auto at = [&](std::size_t i) -> const Point& { return e.x[static_cast<std::size_t>(local[i])]; };
  if (local.size() == 2) return distance(at(0), at(1));
  return 0.5 * norm(area_vector(at(0), at(1), at(2), local.size() == 4 ? &at(3) : nullptr));
}

/// Signed volume by the divergence theorem. A bilinear side contributes the mean of its two triangulations: they differ
/// by the tetrahedron of its four corners, which the bilinear surface halves.
double volume_inside(const Corners& e) {
  const Point& origin = e.x[0];
  double sixfold = 0;
  for (int s = 0; s < side_count(e.shape); ++s) {
    const auto local = side_corners(e.shape, s);
    const auto cone = [&](std::size_t i, std::size_t j, std::size_t k) {
      const auto at = [&](std::size_t n) -> const Point& { return e.x[static_cast<std::size_t>(local[n])]; };
      return determinant(origin, at(i), at(j), at(k));
    };
    if (local.size() == 3)
      sixfold += cone(0, 1, 2);
    else
      sixfold += 0.5 * (cone(0, 1, 2) + cone(0, 2, 3) + cone(0, 1, 3) + cone(1, 2, 3));
  }
  return sixfold / 6;
}

double measure_of(const Corners& e) {
  switch (e.shape) {
    case Shape::triangle:
      return 0.5 * norm(area_vector(e.x[0], e.x[1], e.x[2], nullptr));
    case Shape::quadrilateral:
      return 0.5 * norm(area_vector(e.x[0], e.x[1], e.x[2], &e.x[3]));
    case Shape::tetrahedron:
      return std::abs(determinant(e.x[0], e.x[1], e.x[2], e.x[3])) / 6;
    default:
      return std::abs(volume_inside(e));
  }
}

double inscribed_diameter_of(const Corners& e) {
  double sides = 0;
  for (int s = 0; s < side_count(e.shape); ++s) sides += side_measure(e, s);
  return sides > 0 ? 2 * dimension(e.shape) * measure_of(e) / sides : 0;
}

double circumradius(const Corners& e) {
  const double a = distance(e.x[1], e.x[2]), b = distance(e.x[0], e.x[2]), c = distance(e.x[0], e.x[1]);
  if (e.shape == Shape::triangle) return a * b * c / (4 * measure_of(e));
  // Products of the lengths of opposite edges are the sides of a triangle of area 6 · volume · circumradius.
  const double p = a * distance(e.x[0], e.x[3]), q = b * distance(e.x[1], e.x[3]), r = c * distance(e.x[2], e.x[3]);
  const double squared = (p + q + r) * (p + q - r) * (p - q + r) * (q + r - p) / 16;
  return std::sqrt(std::max(0.0, squared)) / (6 * measure_of(e));
}

double longest_edge(const Corners& e) {
  double longest = 0;
  for (int s = 0; s < side_count(e.shape); ++s) {
    const auto local = side_corners(e.shape, s);
    for (std::size_t i = 0; i < local.size(); ++i)
      longest = std::max(longest, distance(e.x[static_cast<std::size_t>(local[i])],
                                           e.x[static_cast<std::size_t>(local[(i + 1) % local.size()])]));
  }
  return longest;
}

struct Determinants {
  std::array<double, 8> values{};
  std::size_t count = 0;

  void push_back(double value) { values[count++] = value; }
};

/// Determinants of the corners' edges, each a quarter, half, … of the Jacobian there; [corner].
Determinants corner_determinants(const Corners& e) {
  // [corner] neighbours along the reference axes, in an order that is right-handed in a positive element.
  static constexpr int hexahedron[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                           {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
  static constexpr int prism[6][3] = {{1, 2, 3}, {2, 0, 4}, {0, 1, 5}, {5, 4, 0}, {3, 5, 1}, {4, 3, 2}};
  static constexpr int pyramid[4][3] = {{1, 3, 4}, {2, 0, 4}, {3, 1, 4}, {0, 2, 4}};
  Determinants result;
  const auto add = [&](const auto& table) {
    for (std::size_t c = 0; c < std::size(table); ++c)
      result.push_back(determinant(e.x[c], e.x[static_cast<std::size_t>(table[c][0])],
                                   e.x[static_cast<std::size_t>(table[c][1])],
                                   e.x[static_cast<std::size_t>(table[c][2])]));
  };
  switch (e.shape) {
    case Shape::triangle:
      result.push_back(area_vector(e.x[0], e.x[1], e.x[2], nullptr)[2]);
      return result;
    case Shape::quadrilateral:
      for (std::size_t c = 0; c < 4; ++c)
        result.push_back(area_vector(e.x[c], e.x[(c + 1) % 4], e.x[(c + 3) % 4], nullptr)[2]);
      return result;
    case Shape::tetrahedron:
      result.push_back(determinant(e.x[0], e.x[1], e.x[2], e.x[3]));
      return result;
    case Shape::hexahedron:
      add(hexahedron);
      break;
    case Shape::prism:
      add(prism);
      break;
    case Shape::pyramid:
      add(pyramid);
      break;
    case Shape::point:
    case Shape::line:
      break;
  }
  return result;
}

}  // namespace

double distance(const Point& a, const Point& b) {
  return norm(minus(a, b));
}

Box bounding_box(const Mesh& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr Box nothing = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  const auto include = [](Box& box, const Point& lower, const Point& upper) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = std::min(box.lower[k], lower[k]);
      box.upper[k] = std::max(box.upper[k], upper[k]);
    }
  };
  constexpr std::int64_t piece = 1 << 16;
  Box box = nothing;
  for (const ElementBlock& block : mesh.blocks) {
    const auto count = static_cast<std::int64_t>(block.nodes.size());
    std::vector<Box> parts(static_cast<std::size_t>((count + piece - 1) / piece), nothing);
    in_parallel(count, piece, [&](std::int64_t begin, std::int64_t end) {
      Box part = nothing;
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        const Point& x = mesh.nodes[static_cast<std::size_t>(block.nodes[i])];
        include(part, x, x);
      }
      parts[static_cast<std::size_t>(begin / piece)] = part;
    });
    for (const Box& part : parts) include(box, part.lower, part.upper);
  }
  return box.lower[0] > box.upper[0] ? Box{} : box;
}

double extent(const Mesh& mesh) {
  const Box box = bounding_box(mesh);
  return distance(box.lower, box.upper);
}

Point centroid(const Mesh& mesh, Index element) {
  const Corners e = corners_of(mesh, element);
  Point sum{};
  for (std::size_t c = 0; c < e.count; ++c)
    for (std::size_t k = 0; k < 3; ++k) sum[k] += e.x[c][k] / static_cast<double>(e.count);
  return sum;
}

Point side_centre(const Mesh& mesh, const Side& side) {
  const auto nodes = mesh.element_nodes(side.element);
  const auto corners = side_corners(mesh.shape(side.element), side.side);
  Point sum{};
  for (const int c : corners) {
    const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(c)]);
    for (std::size_t k = 0; k < 3; ++k) sum[k] += mesh.nodes[node][k] / static_cast<double>(corners.size());
  }
  return sum;
}

double measure(const Mesh& mesh, Index element) {
  return measure_of(corners_of(mesh, element));
}

double inscribed_diameter(const Mesh& mesh, Index element) {
  return inscribed_diameter_of(corners_of(mesh, element));
}

double aspect(const Mesh& mesh, Index element) {
  const Corners e = corners_of(mesh, element);
  const double diameter = inscribed_diameter_of(e);
  if (!(diameter > 0)) return std::numeric_limits<double>::infinity();
  const bool simplex = e.shape == Shape::triangle || e.shape == Shape::tetrahedron;
  return simplex ? 2 * circumradius(e) / (dimension(e.shape) * diameter) : longest_edge(e) / diameter;
}

std::array<double, 2> dihedral_angles(const Mesh& mesh, Index element) {
  const Corners e = corners_of(mesh, element);
  const Point inside = centroid(mesh, element);
  std::vector<Point> outward;
  for (int s = 0; s < side_count(e.shape); ++s) {
    const auto local = side_corners(e.shape, s);
    const auto at = [&](std::size_t i) -> const Point& { return e.x[static_cast<std::size_t>(local[i])]; };
    Point normal = area_vector(at(0), at(1), at(2), local.size() == 4 ? &at(3) : nullptr);
    const double sign = dot(normal, minus(at(0), inside)) < 0 ? -1 : 1, length = norm(normal);
    for (double& component : normal) component *= sign / length;
    outward.push_back(normal);
  }
  std::array<double, 2> angles = {180, 0};
  for (int s = 0; s < side_count(e.shape); ++s)
    for (int t = 0; t < s; ++t) {
      const auto a = side_corners(e.shape, s), b = side_corners(e.shape, t);
      const auto common =
          std::count_if(a.begin(), a.end(), [&](int c) { return std::find(b.begin(), b.end(), c) != b.end(); });
      if (common < 2) continue;
      const double cosine = -dot(outward[static_cast<std::size_t>(s)], outward[static_cast<std::size_t>(t)]);
      const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / M_PI;
      angles = {std::min(angles[0], angle), std::max(angles[1], angle)};
    }
  return angles;
}

Orientation orientation(const Mesh& mesh, Index element) {
  const Corners e = corners_of(mesh, element);
  const double size = longest_edge(e);
  // Round-off of a determinant is some 1e-16 of the product of its edges.
  const double zero = 1e-14 * std::pow(size, dimension(e.shape));
  bool positive = false, negative = false;
  const Determinants all = corner_determinants(e);
  for (const double determinant : std::span(all.values).first(all.count)) {
    if (!(std::abs(determinant) > zero)) return Orientation::degenerate;
    (determinant > 0 ? positive : negative) = true;
  }
  if (positive && negative) return Orientation::tangled;
  return positive ? Orientation::positive : Orientation::negative;
}

std::string to_text(const Point& point, int dimension) {
  return dimension == 2 ? fmt::format("({:.6g}, {:.6g})", point[0], point[1])
                        : fmt::format("({:.6g}, {:.6g}, {:.6g})", point[0], point[1], point[2]);
}

std::string name_of(const Mesh& mesh, Index element) {
  return fmt::format("{} {}", name(mesh.shape(element)), mesh.number(element));
}

std::string place_of(const Mesh& mesh, Index element) {
  return fmt::format("{} at {}", name_of(mesh, element), to_text(centroid(mesh, element), mesh.dimension));
}

}  // namespace galerna::mesh
