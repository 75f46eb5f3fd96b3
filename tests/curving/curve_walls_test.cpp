#include "curving/curve_walls.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/interruption.hpp"
#include "base/lattice.hpp"
#include "base/vectors.hpp"
#include "mesh/balls.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/periodic.hpp"
#include "mesh/plane_curve.hpp"
#include "mesh/prepare.hpp"
#include "mesh/refine.hpp"
#include "mesh/round_surface.hpp"
#include "mesh/side_surface.hpp"
#include "mesh/snap.hpp"
#include "mesh/true_area.hpp"
#include "mesh/validity.hpp"

namespace galerna::curving {
namespace {

using namespace mesh;

Surfaces shape(const std::string& name, const RoundSurface& surface) {
  return {{name, std::make_shared<RoundSurface>(surface)}};
}

/// The space between spheres of radius 1 and 2 over the octant of a cube's corner, whose other boundaries are planes.
Mesh shell(Index n, Shape element) {
  Mesh mesh = make_box({n, n, n}, {1, 1, 1}, 0, element);
  transform(mesh, [](const Point& x) {
    const Point direction = {1, std::tan(M_PI / 4 * x[1]), std::tan(M_PI / 4 * x[2])};
    return times((1 + x[0]) / norm(direction), direction);
  });
  return mesh;
}

const Boundary& boundary(const Mesh& mesh, const std::string& name) {
  for (const Boundary& b : mesh.boundaries)
    if (b.name == name) return b;
  throw std::logic_error("no boundary " + name);
}

void for_each_node(const Mesh& mesh, const std::string& name, const std::function<void(const Point&)>& visit) {
  for (const Side& side : boundary(mesh, name).sides) {
    const ElementBlock& block = mesh.blocks[at(mesh.locate(side.element).block)];
    for (const int n : side_nodes(block.shape, block.order, side.side))
      visit(mesh.nodes[at(mesh.element_nodes(side.element)[at(n)])]);
  }
}

/// Largest of |distance from the origin − 1| at nodes of a boundary, and at points between them.
double off_at_nodes(const Mesh& mesh, const std::string& name) {
  double off = 0;
  for_each_node(mesh, name, [&](const Point& x) { off = std::max(off, std::abs(norm(x) - 1)); });
  return off;
}

double off_between_nodes(const Mesh& mesh, const std::string& name) {
  double off = 0;
  for (const Side& side : boundary(mesh, name).sides) {
    const SideSurface surface(mesh, side);
    for (double u = 0.05; u < 1; u += 0.1)
      for (double v = 0.05; u + v < 1; v += 0.1) off = std::max(off, std::abs(norm(surface.at({u, v, 0})) - 1));
  }
  return off;
}

void expect_valid(Mesh mesh, const std::string& what) {
  for (const Validity& v : certify(mesh))
    if (v.most > 0) EXPECT_EQ(v.verdict, Validity::Verdict::valid) << what;
  EXPECT_NO_THROW(prepare(mesh)) << what;
}

constexpr Shape solids[] = {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron};

TEST(CurveWalls, SphereIsMetByAllShapesAndOrders) {
  for (const Shape element : solids)
    for (int order = 2; order <= 4; ++order) {
      const std::string what = fmt::format("{} of order {}", name(element), order);
      const Curved curved =
          curve_walls(shell(3, element), shape("left", RoundSurface::sphere({}, 1)), {.order = order});
      EXPECT_TRUE(curved.report.held.empty()) << what;
      EXPECT_GE(curved.report.least_ratio, 0.4) << what;
      EXPECT_LT(off_at_nodes(curved.mesh, "left"), 1e-12) << what;
      expect_valid(curved.mesh, what);
    }
}

TEST(CurveWalls, WallsConvergeToTheSphere) {
  for (const Shape element : {Shape::tetrahedron, Shape::hexahedron})
    for (int order = 2; order <= 4; ++order) {
      const auto off = [&](Index n) {
        return off_between_nodes(
            curve_walls(shell(n, element), shape("left", RoundSurface::sphere({}, 1)), {.order = order}).mesh, "left");
      };
      EXPECT_GT(std::log2(off(3) / off(6)), order + 0.9) << name(element) << " of order " << order;
    }
}

TEST(CurveWalls, BallsHaveTheirVolume) {
  const mesh::Snap sphere{{"wall", RoundSurface::sphere({}, 1)}};
  for (int order = 2; order <= 3; ++order) {
    const auto off = [&](int levels) {
      const Mesh straight = refine(tests::ball_of_all_solids(), levels, sphere);
      const Curved curved = curve_walls(straight, shape("wall", RoundSurface::sphere({}, 1)), {.order = order});
      expect_valid(curved.mesh, "ball");
      return std::abs(true_area(curved.mesh) - 4 * M_PI / 3);
    };
    EXPECT_GT(std::log2(off(1) / off(2)), order + 0.5) << order;
  }
}

/// A quarter of a cylinder of radius 0.5 with 30 layers of elements, the first of height 1e-4, which are much thinner
/// than the wall's sides bulge (2.4e-3).
Mesh boundary_layer(Shape element) {
  Mesh mesh = make_box({30, 8, 1}, {1, 1, 1}, 0, element);
  transform(mesh, [](const Point& x) {
    const double growth = 1.25, y = 1e-4 * (std::pow(growth, 30 * x[0]) - 1) / (growth - 1), a = 0.5 * M_PI * x[1];
    return Point{(0.5 + y) * std::cos(a), (0.5 + y) * std::sin(a), 0.3 * x[2]};
  });
  return mesh;
}

TEST(CurveWalls, BoundaryLayersFollowWithoutFolding) {
  for (const Shape element : {Shape::prism, Shape::hexahedron})
    for (int order = 2; order <= 3; ++order) {
      const std::string what = fmt::format("{} of order {}", name(element), order);
      const Curved curved = curve_walls(boundary_layer(element),
                                        shape("left", RoundSurface::cylinder({}, {0, 0, 1}, 0.5)), {.order = order});
      EXPECT_TRUE(curved.report.held.empty()) << what;
      EXPECT_GE(curved.report.least_ratio, 0.7) << what;
      for_each_node(curved.mesh, "left", [&](const Point& x) { EXPECT_NEAR(std::hypot(x[0], x[1]), 0.5, 1e-14); });
      expect_valid(curved.mesh, what);
    }
}

TEST(CurveWalls, FlatBoundariesStayFlat) {
  const Curved curved = curve_walls(boundary_layer(Shape::prism),
                                    shape("left", RoundSurface::cylinder({}, {0, 0, 1}, 0.5)), {.order = 3});
  for_each_node(curved.mesh, "bottom", [](const Point& x) { EXPECT_NEAR(x[2], 0, 1e-15); });
  for_each_node(curved.mesh, "top", [](const Point& x) { EXPECT_NEAR(x[2], 0.3, 1e-15); });
  for_each_node(curved.mesh, "front", [](const Point& x) { EXPECT_NEAR(x[1], 0, 1e-15); });
  for_each_node(curved.mesh, "back", [](const Point& x) { EXPECT_NEAR(x[0], 0, 1e-15); });
}

Mesh around(const PlaneCurve& section, CellStyle style, Index along) {
  Mesh mesh = make_rectangle(8, along, {0, -1}, {1, 1}, style);
  transform(mesh, [&](const Point& x) {
    const double s = x[1];  // the trailing edge is a point of both ends
    const Point wall = section.at(s), far = {0.5 - 1.5 * std::cos(M_PI * s), 1.5 * std::sin(M_PI * s), 0};
    const double share = 1e-3 * (std::pow(1000, x[0]) - 1) / 0.999;
    return plus(times(1 - share, wall), times(share, far));
  });
  return mesh;
}

TEST(CurveWalls, WallsInThePlaneFollowCirclesAndSections) {
  const auto circle = make_circle({}, 1);
  const auto section = make_naca4("2412", 1, {}, TrailingEdge::closed);
  for (const CellStyle style : {CellStyle::triangles, CellStyle::quadrilaterals})
    for (int order = 2; order <= 4; ++order) {
      Mesh disc = make_rectangle(4, 12, {0, 0}, {1, 1}, style);
      transform(disc, [](const Point& x) {
        return Point{(1 + x[0]) * std::cos(M_PI * x[1]), (1 + x[0]) * std::sin(M_PI * x[1]), 0};
      });
      const Curved round = curve_walls(disc, {{"left", circle}}, {.order = order});
      EXPECT_GE(round.report.least_ratio, 0.4);
      EXPECT_LT(off_at_nodes(round.mesh, "left"), 1e-14);
      expect_valid(round.mesh, "circle");

      const Curved wing = curve_walls(around(*section, style, 40), {{"left", section}}, {.order = order});
      EXPECT_TRUE(wing.report.held.empty());
      for_each_node(wing.mesh, "left",
                    [&](const Point& x) { EXPECT_LT(distance(section->nearest(x).value(), x), 1e-12); });
      for (const Validity& v : certify(wing.mesh))
        if (v.most > 0) EXPECT_EQ(v.verdict, Validity::Verdict::valid);
    }
}

TEST(CurveWalls, RepeatsBitByBitOnAnyNumberOfThreads) {
  const char* before = std::getenv("OMP_NUM_THREADS");
  const std::string set = before ? before : "";
  const auto run = [](const char* threads) {
    setenv("OMP_NUM_THREADS", threads, 1);
    return curve_walls(shell(4, Shape::tetrahedron), shape("left", RoundSurface::sphere({}, 1)), {.order = 3})
        .mesh.nodes;
  };
  const auto first = run("1");
  EXPECT_EQ(run("3"), first);
  EXPECT_EQ(run("3"), first);
  if (before)
    setenv("OMP_NUM_THREADS", set.c_str(), 1);
  else
    unsetenv("OMP_NUM_THREADS");
}

TEST(CurveWalls, PeriodicBoundariesStayImages) {
  Mesh mesh = boundary_layer(Shape::prism);
  join_periodic(mesh, {{"bottom", "top", {0, 0, 0.3}, {}}}, 1e-9);
  const Curved curved = curve_walls(mesh, shape("left", RoundSurface::cylinder({}, {0, 0, 1}, 0.5)), {.order = 3});
  std::vector<Point> lower, upper;
  for_each_node(curved.mesh, "bottom", [&](const Point& x) { lower.push_back(x); });
  for_each_node(curved.mesh, "top", [&](const Point& x) { upper.push_back({x[0], x[1], x[2] - 0.3}); });
  for (const Point& x : lower)
    EXPECT_TRUE(std::any_of(upper.begin(), upper.end(), [&](const Point& y) { return distance(x, y) < 1e-14; }));
}

/// A wall that bulges more than the elements next to it are thick.
TEST(CurveWalls, WhatWouldFoldIsHeldBack) {
  Mesh mesh = make_rectangle(2, 3, {0, 0}, {1, 1}, CellStyle::triangles);
  transform(mesh, [](const Point& x) {
    const double r = 1 - 0.2 * x[0];  // inside of the circle, where its sides bulge away from thin elements
    return Point{r * std::cos(x[1]), r * std::sin(x[1]), 0};
  });
  // Outside of it, the wall bulges into them: sides of 1/3 bulge by 0.014 into elements 0.004 thick.
  Mesh thin = make_rectangle(1, 3, {0, 0}, {1, 1}, CellStyle::triangles);
  transform(thin, [](const Point& x) {
    const double r = 1 + 0.004 * x[0];
    return Point{r * std::cos(x[1]), r * std::sin(x[1]), 0};
  });
  EXPECT_TRUE(curve_walls(mesh, {{"left", make_circle({}, 1)}}, {.order = 3}).report.held.empty());
  const Curved curved = curve_walls(thin, {{"left", make_circle({}, 1)}}, {.order = 3});
  EXPECT_FALSE(curved.report.held.empty());
  EXPECT_GT(curved.report.solves, 1);
  for (const Validity& v : certify(curved.mesh)) EXPECT_EQ(v.verdict, Validity::Verdict::valid);
  const std::string text = describe(curved);
  EXPECT_NE(text.find("held back: "), std::string::npos) << text;
  EXPECT_NE(text.find("from its shape"), std::string::npos) << text;
}

/// A layer far thinner than its vertices are off the shape: all that is left to do is nothing.
TEST(CurveWalls, AValidStraightMeshAlwaysGivesAValidOne) {
  for (const double thickness : {1e-2, 1e-3, 1e-4, 1e-6}) {
    Mesh mesh = make_rectangle(1, 3, {0, 0}, {1, 1}, CellStyle::quadrilaterals);
    transform(mesh, [&](const Point& x) {
      const double r = 0.997 + thickness * x[0];  // the wall lies 0.003 inside of its shape
      return Point{r * std::cos(x[1]), r * std::sin(x[1]), 0};
    });
    for (int order = 2; order <= 4; ++order) {
      const Curved curved = curve_walls(mesh, {{"left", make_circle({}, 1)}}, {.order = order});
      EXPECT_FALSE(curved.report.held.empty());
      for (Index e = 0; e < curved.mesh.element_count(); ++e) {
        EXPECT_EQ(validity(curved.mesh, e).verdict, Validity::Verdict::valid) << thickness;
        EXPECT_EQ(validity(curved.mesh, e).sign, validity(mesh, e).sign) << thickness;
      }
      EXPECT_NO_THROW({
        Mesh ready = curved.mesh;
        prepare(ready);
      });
    }
  }
}

void expect_error(const std::string& text, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "no error: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(CurveWalls, WrongInputIsRefusedWithItsReason) {
  const Mesh mesh = shell(2, Shape::tetrahedron);
  const Surfaces sphere = shape("left", RoundSurface::sphere({}, 1));
  expect_error("geometry order 5 of curved walls: allowed are 2 to 4",
               [&] { curve_walls(mesh, sphere, {.order = 5}); });
  expect_error("Poisson's ratio 0.5: it must be less than 0.5", [&] { curve_walls(mesh, sphere, {.poisson = 0.5}); });
  expect_error("0 layers of curved elements", [&] { curve_walls(mesh, sphere, {.layers = 0}); });
  expect_error("no boundary 'lfet' to put onto a sphere of radius 1 about (0, 0, 0), did you mean 'left'?",
               [&] { curve_walls(mesh, shape("lfet", RoundSurface::sphere({}, 1)), {}); });
  expect_error("lies 0.1 off the sphere of radius 1.1",
               [&] { curve_walls(mesh, shape("left", RoundSurface::sphere({}, 1.1)), {}); });
  expect_error("lies in the middle of the sphere", [&] {
    Mesh moved = mesh;
    const Point corner = moved.nodes[0];
    transform(moved, [&](const Point& x) { return minus(x, corner); });
    curve_walls(moved, sphere, {});
  });
  class NoShape final : public Surface {
   public:
    using Surface::nearest;
    std::optional<Point> nearest(const Point&) const override { return Point{NAN, 0, 0}; }
    std::optional<Point> normal(const Point&) const override { return {}; }
    std::string name() const override { return "shape without places"; }
  };
  expect_error("would move to a place that is not finite on the shape without places", [&] {
    curve_walls(mesh, {{"left", std::make_shared<NoShape>()}}, {});
  });
  const Mesh curved = curve_walls(mesh, sphere, {}).mesh;
  expect_error("has tetrahedra of geometry order 2 already", [&] { curve_walls(curved, sphere, {}); });
  expect_error("is folded before it is curved", [&] {
    Mesh folded = make_rectangle(2, 2, {0, 0}, {1, 1}, CellStyle::quadrilaterals);
    folded.nodes[4] = {-0.3, 0.9, 0};
    curve_walls(folded, {{"left", make_spline({{0, 0, 0}, {0, 0.5, 0}, {0, 1, 0}}, false)}}, {});
  });
}

TEST(CurveWalls, EndsWhenItIsInterrupted) {
  const Mesh mesh = shell(2, Shape::tetrahedron);
  on_interruption([] { return true; });
  EXPECT_THROW(curve_walls(mesh, shape("left", RoundSurface::sphere({}, 1)), {}), Interruption);
  on_interruption({});
}

}  // namespace
}  // namespace galerna::curving
