#include "mesh/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"
#include "mesh/prepare.hpp"
#include "mesh/refine.hpp"
#include "mesh/side_key.hpp"
#include "mesh/true_area.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

/// A quarter of the annulus between radii 1 and 2, of radial × angular cells; "left" is the inner circle.
Mesh annulus(Index radial, Index angular, CellStyle style) {
  Mesh mesh = make_rectangle(radial, angular, {1, 0}, {2, M_PI / 2}, style);
  transform(mesh, [](const Point& x) { return Point{x[0] * std::cos(x[1]), x[0] * std::sin(x[1]), 0}; });
  return mesh;
}

/// `count` triangles around the centre of the unit disc; their outer sides are the boundary "wall".
Mesh disc(Index count) {
  Mesh mesh;
  mesh.file = "disc";
  mesh.dimension = 2;
  mesh.nodes = {{0, 0, 0}};
  ElementBlock block{Shape::triangle, 1, {}, {}, {}};
  Boundary wall{"wall", {}};
  for (Index i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(count);
    mesh.nodes.push_back({std::cos(angle), std::sin(angle), 0});
    for (const Index node : {Index{0}, i + 1, (i + 1) % count + 1}) block.nodes.push_back(node);
    block.region.push_back(-1);
    block.source.push_back(i);
    wall.sides.push_back({i, 0});
  }
  mesh.image = own_images(mesh.nodes.size());
  mesh.blocks = {block};
  mesh.boundaries = {wall};
  return mesh;
}

Curves circles(std::initializer_list<std::pair<const char*, double>> list) {
  Curves curves;
  for (const auto& [name, radius] : list) curves[name] = make_circle({0, 0, 0}, radius);
  return curves;
}

std::vector<Point> nodes_on(const Mesh& mesh, const Boundary& boundary) {
  std::vector<Point> points;
  for (const Side& side : boundary.sides) {
    const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
    for (const int n : side_nodes(block.shape, block.order, side.side))
      points.push_back(
          mesh.nodes[static_cast<std::size_t>(mesh.element_nodes(side.element)[static_cast<std::size_t>(n)])]);
  }
  return points;
}

const Boundary& boundary_of(const Mesh& mesh, const std::string& name) {
  for (const Boundary& boundary : mesh.boundaries)
    if (boundary.name == name) return boundary;
  throw std::logic_error("no boundary " + name);
}

TEST(Curve, AreaOfADiscConverges) {
  for (int order = 2; order <= 6; ++order) {
    const Curves curves = circles({{"wall", 1}});
    const double coarse = std::abs(true_area(curve(disc(8), curves, order)) - M_PI),
                 fine = std::abs(true_area(curve(disc(16), curves, order)) - M_PI);
    EXPECT_GT(std::log2(coarse / fine), (order % 2 == 0 ? order + 2 : order + 1) - 0.1) << order << ": " << fine;
  }
}

TEST(Curve, AreaOfAnAnnulusConverges) {
  const Curves curves = circles({{"left", 1}, {"right", 2}});
  for (const CellStyle style : {CellStyle::random_triangles, CellStyle::quadrilaterals})
    for (int order = 2; order <= 6; ++order) {
      const auto error = [&](Index n) {
        return std::abs(true_area(curve(annulus(3, n, style), curves, order)) - 0.75 * M_PI);
      };
      EXPECT_GT(std::log2(error(4) / error(8)), order + 0.9) << order;
    }
}

TEST(Curve, RaisesTheElementsAtTheWallOnly) {
  for (const CellStyle style : {CellStyle::random_triangles, CellStyle::quadrilaterals}) {
    const Mesh straight = annulus(4, 6, style);
    Mesh mesh = curve(straight, circles({{"left", 1}}), 3);
    ASSERT_EQ(mesh.blocks.size(), 2U);
    EXPECT_EQ(mesh.blocks[0].order, 1);
    EXPECT_EQ(mesh.blocks[1].order, 3);
    EXPECT_EQ(mesh.blocks[1].size(), 6);
    EXPECT_EQ(mesh.element_count(), straight.element_count());
    for (const Point& x : nodes_on(mesh, boundary_of(mesh, "left"))) EXPECT_NEAR(std::hypot(x[0], x[1]), 1, 1e-13);
    for (const Side& side : boundary_of(mesh, "left").sides) EXPECT_TRUE(is_curved(mesh, side.element));
    // Sources and other boundaries go with their elements.
    std::set<Index> sources;
    for (const ElementBlock& block : mesh.blocks) sources.insert(block.source.begin(), block.source.end());
    EXPECT_EQ(static_cast<Index>(sources.size()), straight.element_count());
    for (const Point& x : nodes_on(mesh, boundary_of(mesh, "bottom"))) EXPECT_NEAR(x[1], 0, 1e-14);
    // Faces are those of the straight mesh, and raised elements share the nodes between them.
    Mesh prepared = straight;
    prepare(prepared);
    prepare(mesh);
    EXPECT_EQ(mesh.faces.size(), prepared.faces.size());
    EXPECT_EQ(mesh.boundary_faces, prepared.boundary_faces);
    const std::size_t inner = style == CellStyle::quadrilaterals ? 4 : 1;
    if (style == CellStyle::quadrilaterals) {
      EXPECT_EQ(mesh.nodes.size(), straight.nodes.size() + 6 * inner + 6 * 2 + 6 * 2 + 7 * 2);
    }
  }
}

TEST(Curve, FollowsRefinement) {
  const Curves curves = circles({{"left", 1}, {"right", 2}});
  const Mesh fine = refine(annulus(2, 3, CellStyle::random_triangles), 2, {}, curves);
  for (const Point& x : nodes_on(fine, boundary_of(fine, "right"))) EXPECT_NEAR(std::hypot(x[0], x[1]), 2, 1e-14);
  const Mesh mesh = curve(fine, curves, 4);
  EXPECT_NEAR(true_area(mesh), 0.75 * M_PI, 2e-9);
}

/// An O-shaped grid around a section of chord 1, cut at the trailing edge; "bottom" is the wall.
Mesh around(const PlaneCurve& section, CellStyle style, double off = 0) {
  Mesh mesh = make_rectangle(28, 5, {-1, 0}, {1, 1}, style);
  transform(mesh, [&](const Point& x) {
    const Point wall = section.at(x[0]);
    const double angle = M_PI * (1 - x[0]), r = x[1];
    return Point{(1 - r) * (wall[0] + off) + r * (0.5 + 2 * std::cos(angle)),
                 (1 - r) * wall[1] + r * 2 * std::sin(angle), 0};
  });
  return mesh;
}

double naca0012(double x, double last) {
  return 0.6 * (0.2969 * std::sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x - last * x * x * x * x);
}

TEST(Curve, PutsNodesOntoNaca0012) {
  for (const TrailingEdge edge : {TrailingEdge::closed, TrailingEdge::blunt}) {
    const double last = edge == TrailingEdge::closed ? 0.1036 : 0.1015;
    const auto section = make_naca4("0012", 1, {0, 0, 0}, edge);
    for (const CellStyle style : {CellStyle::triangles, CellStyle::quadrilaterals})
      for (int order = 2; order <= 4; ++order) {
        const Mesh mesh = curve(around(*section, style, 1e-6), {{"bottom", section}}, order);
        double off = 0, leftmost = 1, rightmost = 0;
        for (const Point& x : nodes_on(mesh, boundary_of(mesh, "bottom"))) {
          off = std::max(off, std::abs(std::abs(x[1]) - naca0012(std::clamp(x[0], 0.0, 1.0), last)));
          leftmost = std::min(leftmost, x[0]), rightmost = std::max(rightmost, x[0]);
        }
        EXPECT_LT(off, 1e-12);
        EXPECT_NEAR(leftmost, 0, 1e-7);
        EXPECT_NEAR(rightmost, 1, 1e-5);
        EXPECT_EQ(boundary_of(mesh, "bottom").sides.size(), 28U);
      }
  }
}

TEST(PlaneCurve, CamberedSectionIsThatOfTheReport) {
  const auto section = make_naca4("2412", 1, {0, 0, 0}, TrailingEdge::blunt);
  // Report 460, table of NACA 2412: ordinates of the upper and lower surface in per cent, to two digits. At x = 40 %
  // the mean line is level and 2 % high.
  const Point top = section->at(std::sqrt(0.4)), below = section->at(-std::sqrt(0.4));
  EXPECT_NEAR(top[0], 0.4, 1e-14);
  EXPECT_NEAR(top[1], 0.0780, 5e-5);
  EXPECT_NEAR(below[1], -0.0380, 5e-5);
  for (const double s : {-0.9, -0.4, -0.1, 0.05, 0.3, 0.7, 0.95}) {
    const Point d = section->derivative(s), a = section->at(s - 1e-5), b = section->at(s + 1e-5);
    EXPECT_NEAR(d[0], (b[0] - a[0]) / 2e-5, 1e-8);
    EXPECT_NEAR(d[1], (b[1] - a[1]) / 2e-5, 1e-8);
    EXPECT_NEAR(section->parameter(section->at(s)), s, 1e-12);
  }
}

TEST(PlaneCurve, BaseOfABluntTrailingEdgeIsStraight) {
  const auto section = make_naca4("0012", 2, {1, 0, 0}, TrailingEdge::blunt);
  const Point upper = section->at(1), lower = section->at(-1);
  EXPECT_FALSE(section->span(upper, lower).has_value());
  EXPECT_FALSE(section->span(upper, {3, 0, 0}).has_value());
  EXPECT_TRUE(section->span(upper, section->at(0.9)).has_value());
  // A closed one belongs to both surfaces.
  const auto closed = make_naca4("0012", 1, {0, 0, 0}, TrailingEdge::closed);
  const auto above = closed->span({1, 0, 0}, closed->at(0.95)), under = closed->span(closed->at(-0.95), {1, 0, 0});
  EXPECT_NEAR((*above)[0], 1, 1e-12);
  EXPECT_NEAR((*under)[1], -1, 1e-12);
}

TEST(PlaneCurve, SplinesPassThroughTheirPoints) {
  std::vector<Point> points;
  for (int i = 0; i < 24; ++i) points.push_back({2 * std::cos(M_PI * i / 12), std::sin(M_PI * i / 12), 0});
  const auto ellipse = make_spline(points, true);
  for (const Point& x : points) EXPECT_LT(distance(ellipse->at(ellipse->parameter(x)), x), 1e-13);
  // Between them it is near the ellipse; across the seam as elsewhere.
  for (int i = 0; i < 24; ++i) {
    const Point x{2 * std::cos(M_PI * (i + 0.5) / 12), std::sin(M_PI * (i + 0.5) / 12), 0};
    EXPECT_LT(distance(ellipse->at(ellipse->parameter(x)), x), 1e-3);
  }
  const auto span = ellipse->span(points[23], points[1]);
  EXPECT_LT(std::abs((*span)[1] - (*span)[0]), 1);
  EXPECT_LT(distance(ellipse->at((*span)[1]), points[1]), 1e-13);
  const auto line = make_spline({{0, 0, 0}, {1, 1, 0}, {3, 3, 0}, {4, 4, 0}}, false);
  EXPECT_NEAR(line->at(line->parameter({2.5, 1.5, 0}))[1], 2, 1e-12);
  EXPECT_THROW(make_spline({{0, 0, 0}, {1, 1, 0}}, false), std::invalid_argument);
  EXPECT_THROW(make_spline({{0, 0, 0}, {0, 0, 0}, {1, 1, 0}}, false), std::invalid_argument);
  EXPECT_THROW(make_naca4("012", 1, {}, TrailingEdge::closed), std::invalid_argument);
  EXPECT_THROW(make_circle({}, 0), std::invalid_argument);
}

TEST(PlaneCurve, ClosedSplinesMayRepeatTheirFirstPoint) {
  std::vector<Point> points;
  for (int i = 0; i < 24; ++i) points.push_back({2 * std::cos(M_PI * i / 12), std::sin(M_PI * i / 12), 0});
  const auto once = make_spline(points, true);
  for (const double rounding : {0.0, 1e-16, 2.4e-15, 1e-12}) {
    std::vector<Point> repeated = points;
    repeated.push_back({2, -rounding, 0});
    const auto twice = make_spline(repeated, true);
    EXPECT_EQ(twice->name(), once->name());
    for (const double t : {0.0, 0.1, 3.7, 9.0})
      EXPECT_EQ(distance(twice->at(t), once->at(t)), 0) << rounding << ' ' << t;
  }
  points[3][1] = NAN;
  EXPECT_THROW(make_spline(points, true), std::invalid_argument);
}

TEST(Curve, WorksOnPeriodicMeshes) {
  // A channel with a bump on its floor; only one of the periodic sides belongs to a triangle of the wall.
  Mesh mesh = make_rectangle(6, 3, {0, 0}, {3, 1});
  std::vector<Point> points;
  for (int i = 0; i <= 30; ++i) points.push_back({0.1 * i, 0.1 * (1 - std::cos(2 * M_PI * i / 30.0)) / 2, 0});
  const auto floor = make_spline(points, false);
  for (Point& x : mesh.nodes) x[1] += (1 - x[1]) * 0.1 * (1 - std::cos(2 * M_PI * x[0] / 3)) / 2;
  Mesh curved = curve(mesh, {{"bottom", floor}}, 3);
  PrepareOptions options;
  options.periodic = {{"left", "right", {3, 0, 0}, {}}};
  ASSERT_NO_THROW(prepare(curved, options));
  EXPECT_EQ(curved.boundary_faces, 12);
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Curve, SaysWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const auto inner = circles({{"left", 1}});
  // Thinner than the arc is high.
  const std::string folded = message([&] { curve(annulus(40, 2, CellStyle::quadrilaterals), inner, 2); });
  has(folded, "quadrilateral 1 at (");
  has(folded, "is folded");
  has(folded, "lower mesh.geometry_order");
  has(message([&] {
        curve(annulus(2, 4, CellStyle::triangles), circles({{"left", 1.1}}), 2);
      }),
      "of boundary 'left' lies 0.1 off the circle of radius 1.1");
  // Two per cent of a side, 2 sin(π/40) long; all vertices are named.
  const std::string near = message([&] {
    curve(annulus(2, 40, CellStyle::triangles), circles({{"left", 1.00314}}), 2);
  });
  has(near, "the vertex at (1, 0) of boundary 'left' lies 0.00314 off the circle of radius 1.00314");
  has(near, "check the shape in [mesh.curve.left], or make the mesh fit it");
  EXPECT_GT(std::count(near.begin(), near.end(), '\n'), 3) << near;
  has(message([&] {
        curve(annulus(2, 4, CellStyle::triangles), circles({{"lfet", 1}}), 2);
      }),
      "no boundary 'lfet' to put onto a circle of radius 1 about (0, 0), did you mean 'left'?");
  has(message([&] { curve(curve(annulus(2, 4, CellStyle::triangles), inner, 2), inner, 2); }),
      "of geometry order 2 already");
  has(message([&] { curve(annulus(2, 4, CellStyle::triangles), inner, 7); }), "allowed are 2 to 6");
  has(message([&] { curve(disc(3), circles({{"wall", 1}}), 2); }), "nothing thrown");
  has(message([&] { refine(annulus(2, 4, CellStyle::triangles), 1, {}, circles({{"x", 1}})); }), "no boundary 'x'");
}

}  // namespace
}  // namespace galerna::mesh
