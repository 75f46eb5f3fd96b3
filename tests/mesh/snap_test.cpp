#include "mesh/snap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "base/vectors.hpp"
#include "mesh/balls.hpp"
#include "mesh/bernstein.hpp"
#include "mesh/blend.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/lattice_values.hpp"
#include "mesh/prepare.hpp"
#include "mesh/raise.hpp"
#include "mesh/refine.hpp"
#include "mesh/true_area.hpp"

namespace galerna::mesh {
namespace {

Snap onto(const RoundSurface& surface) {
  return {{"wall", surface}};
}

/// Calls visit(shape of the side, places of its nodes in the order of its lattice) for all sides of the wall.
void for_each_wall_side(const Mesh& mesh, const std::function<void(Shape, int, const std::vector<Point>&)>& visit) {
  for (const Side& side : mesh.boundaries[0].sides) {
    const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
    const Shape shape = side_shape(block.shape, side.side);
    const auto lattice = node_lattice(block.shape, block.order), own = node_lattice(shape, block.order);
    const Table linear = lattice_values(block.shape, 1, lattice, block.order);
    const auto corners = side_corners(block.shape, side.side);
    std::vector<Point> places(own.size());
    for (const int n : side_nodes(block.shape, block.order, side.side)) {
      const auto weight = [&](std::size_t c) {
        return linear(static_cast<std::size_t>(n), static_cast<std::size_t>(corners[c])) * block.order;
      };
      const bool triangle = corners.size() == 3;
      const LatticePoint at = {static_cast<int>(std::lround(triangle ? weight(1) : weight(1) + weight(2))),
                               static_cast<int>(std::lround(triangle ? weight(2) : weight(2) + weight(3))), 0};
      const auto position = std::find(own.begin(), own.end(), at) - own.begin();
      places[static_cast<std::size_t>(position)] =
          mesh.nodes[static_cast<std::size_t>(mesh.element_nodes(side.element)[static_cast<std::size_t>(n)])];
    }
    visit(shape, block.order, places);
  }
}

/// By Gauss's rule of five points along each axis.
double wall_area(const Mesh& mesh) {
  static constexpr double points[] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                      0.9061798459386640},
                          weights[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                       0.2369268850561891};
  double sum = 0;
  for_each_wall_side(mesh, [&](Shape shape, int order, const std::vector<Point>& places) {
    std::vector<Unit> at;
    std::vector<double> weight;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        const double v = 0.5 + 0.5 * points[j], rest = shape == Shape::triangle ? 1 - v : 1;
        at.push_back({(0.5 + 0.5 * points[i]) * rest, v, 0});
        weight.push_back(0.25 * weights[i] * weights[j] * rest);
      }
    const Table from_nodes = bernstein_from_nodes(shape, order),
                along[] = {product(bernstein_derivatives(shape, order, at, 0), from_nodes),
                           product(bernstein_derivatives(shape, order, at, 1), from_nodes)};
    for (std::size_t q = 0; q < at.size(); ++q) {
      std::array<Point, 2> tangents{};
      for (std::size_t axis = 0; axis < 2; ++axis)
        for (std::size_t n = 0; n < places.size(); ++n)
          tangents[axis] = plus(tangents[axis], times(along[axis](q, n), places[n]));
      sum += weight[q] * norm(cross(tangents[0], tangents[1]));
    }
  });
  return sum;
}

double farthest_off(const Mesh& mesh, const std::function<double(const Point&)>& distance_of) {
  double off = 0;
  for_each_wall_side(mesh, [&](Shape, int, const std::vector<Point>& places) {
    for (const Point& x : places) off = std::max(off, std::abs(distance_of(x) - 1));
  });
  return off;
}

double from_origin(const Point& x) {
  return norm(x);
}

/// The ball, its elements first divided as straight ones, then raised and divided `levels` times.
Mesh curved_ball(const Mesh& ball, int order, int levels) {
  const Snap sphere = onto(RoundSurface::sphere({}, 1));
  const Mesh straight = refine(ball, 1, sphere);
  return order == 1 ? refine(straight, levels, sphere) : refine(curve(straight, sphere, order), levels, sphere);
}

/// Volume and area converge with order N + 1 at least, and all nodes of the surface lie on it.
TEST(Snap, CurvedBallsConvergeToTheSphere) {
  for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
    for (int order = 1; order <= 4; ++order) {
      double volume[2], area[2];
      for (const int level : {0, 1}) {
        const Mesh mesh = curved_ball(tests::ball_of(shape), order, level + (order == 1 ? 1 : 0));
        volume[level] = std::abs(true_area(mesh) - 4 * M_PI / 3), area[level] = std::abs(wall_area(mesh) - 4 * M_PI);
        EXPECT_LT(farthest_off(mesh, from_origin), 1e-14);
      }
      const double of_volume = std::log2(volume[0] / volume[1]), of_area = std::log2(area[0] / area[1]);
      EXPECT_GT(of_volume, order + 0.9) << name(shape) << " of order " << order;
      EXPECT_GT(of_area, order + 0.9) << name(shape) << " of order " << order;
    }
}

/// The largest difference of order N of the nodes of curved tetrahedra: h^N times a derivative of order N.
double largest_difference(const Mesh& mesh, int order) {
  double largest = 0;
  const std::vector<LatticePoint> lattice = node_lattice(Shape::tetrahedron, order);
  const auto binomial = [](int n, int k) { return std::tgamma(n + 1) / (std::tgamma(k + 1) * std::tgamma(n - k + 1)); };
  for (Index e = 0; e < mesh.element_count(); ++e) {
    if (mesh.blocks[static_cast<std::size_t>(mesh.locate(e).block)].order != order) continue;
    for (const LatticePoint& powers : lattice) {
      if (powers[0] + powers[1] + powers[2] != order) continue;
      Point difference{};
      for (std::size_t n = 0; n < lattice.size(); ++n) {
        double weight = 1;
        for (std::size_t k = 0; k < 3; ++k)
          weight *= lattice[n][k] > powers[k]
                        ? 0
                        : binomial(powers[k], lattice[n][k]) * ((powers[k] - lattice[n][k]) % 2 ? -1 : 1);
        difference = plus(difference, times(weight, mesh.nodes[static_cast<std::size_t>(mesh.element_nodes(e)[n])]));
      }
      largest = std::max(largest, norm(difference));
    }
  }
  return largest;
}

/// Round a sphere, with vertices that a smooth map places.
TEST(Snap, DerivativesOfTetrahedraDecreaseAsOptimalInterpolationAsks) {
  const auto largest = [](Index n, int order) {
    Mesh mesh = make_box({2 * n, 3 * n, n});
    transform(mesh, [](const Point& x) {
      const double z = x[2] - 0.5;
      const Point direction = {1, x[1] - 0.5 + 0.2 * z * z, z};
      return times((1 + x[0]) / norm(direction), direction);
    });
    return largest_difference(curve(mesh, {{"left", RoundSurface::sphere({}, 1)}}, order), order);
  };
  for (int order = 2; order <= 4; ++order)
    EXPECT_GT(std::log2(largest(4, order) / largest(8, order)), order - 0.05) << order;
}

TEST(Snap, ElementsOfAllShapesFitTogetherOnTheSphere) {
  for (int order = 1; order <= 4; ++order) {
    Mesh mesh = curved_ball(tests::ball_of_all_solids(), order, order < 3 ? 1 : 0);
    const auto sides = mesh.boundaries[0].sides.size();
    ASSERT_NO_THROW(prepare(mesh)) << order;
    ASSERT_EQ(mesh.boundaries.size(), 1U) << order;
    EXPECT_EQ(mesh.boundaries[0].sides.size(), sides);
    EXPECT_LT(farthest_off(mesh, from_origin), 1e-14);
  }
}

/// A quarter of a pipe between radii 1 and 2, of length 1, about an axis through (1, 2, 3) that no coordinate runs
/// along.
struct Pipe {
  Point axis = unit({1, 2, 2}), first = unit({2, 1, -2}), second = cross(axis, first), foot = {1, 2, 3};

  Mesh mesh(Shape shape) const {
    Mesh mesh = make_box({2, 3, 1}, {1, 1, 1}, 0, shape);
    transform(mesh, [&](const Point& x) {
      const double r = 1 + x[0], angle = M_PI / 2 * x[1];
      const Point across = plus(times(r * std::cos(angle), first), times(r * std::sin(angle), second));
      return plus(foot, plus(times(x[2], axis), across));
    });
    return mesh;
  }
  Snap snap() const {
    return {{"left", RoundSurface::cylinder(foot, times(3, axis), 1)},
            {"right", RoundSurface::cylinder(plus(foot, axis), axis, 2)}};
  }
};

TEST(Snap, CurvedPipesConvergeToTheCylinder) {
  const Pipe pipe;
  for (const Shape shape : {Shape::tetrahedron, Shape::prism, Shape::hexahedron})
    for (int order = 2; order <= 4; ++order) {
      double errors[2];
      for (const int level : {0, 1}) {
        const Mesh mesh = refine(curve(pipe.mesh(shape), pipe.snap(), order), level, pipe.snap());
        errors[level] = std::abs(true_area(mesh) - 3 * M_PI / 4);
      }
      EXPECT_GT(std::log2(errors[0] / errors[1]), order + 0.9) << name(shape) << " of order " << order;
    }
}

/// In the plane, too: a curved mesh follows the circles that it is refined onto.
TEST(Snap, CurvedElementsInThePlaneFollowCircles) {
  for (const CellStyle style : {CellStyle::random_triangles, CellStyle::quadrilaterals}) {
    Mesh mesh = make_rectangle(2, 4, {1, 0}, {2, M_PI / 2}, style);
    transform(mesh, [](const Point& x) { return Point{x[0] * std::cos(x[1]), x[0] * std::sin(x[1]), 0}; });
    mesh = raise(mesh, 3, std::vector<char>(static_cast<std::size_t>(mesh.element_count()), 1)).mesh;
    const Snap circles = {{"left", RoundSurface::circle({}, 1)}, {"right", RoundSurface::circle({}, 2)}};
    Mesh fine = refine(mesh, 2, circles);
    EXPECT_NEAR(true_area(fine), 0.75 * M_PI, 1e-5);
    ASSERT_NO_THROW(prepare(fine));
  }
}

/// The nodes of an element for which the displacement of a side is given.
struct Filled {
  std::vector<Unit> nodes;
  std::vector<Point> values;
};

/// \param bulge of the side `side`, 0 along its edges
Filled fill(Shape shape, int order, int side, const std::function<double(const Unit&)>& bulge) {
  const Blend blend(shape, order);
  Filled result{lattice_coordinates(shape, order), {}};
  result.values.resize(result.nodes.size());
  std::vector<char> given(result.nodes.size(), 0);
  for (const int n : side_nodes(shape, order, side)) {
    const auto at = static_cast<std::size_t>(n);
    if (blend.corners()[at].size() == 1) continue;
    given[at] = 1;
    result.values[at] = {bulge(result.nodes[at]), 0, 0};
  }
  blend.fill(result.values, given);
  return result;
}

TEST(Blend, IsLinearAcrossQuadrilateralsAndHexahedra) {
  const auto in_x = [](const Unit& u) { return u[0] * (1 - u[0]) * (1 + u[0]); };
  const Filled plane = fill(Shape::quadrilateral, 3, 0, in_x);
  for (std::size_t n = 0; n < plane.nodes.size(); ++n)
    EXPECT_NEAR(plane.values[n][0], (1 - plane.nodes[n][1]) * in_x(plane.nodes[n]), 1e-14);
  const auto bulge = [&](const Unit& u) { return in_x(u) * u[1] * (1 - u[1]); };
  const Filled space = fill(Shape::hexahedron, 3, 0, bulge);
  for (std::size_t n = 0; n < space.nodes.size(); ++n)
    EXPECT_NEAR(space.values[n][0], (1 - space.nodes[n][2]) * bulge(space.nodes[n]), 1e-14);
}

/// On all sides but the one that moves, and those that have an edge of it where this moves, nothing does.
TEST(Blend, LeavesOtherSidesAlone) {
  for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
    for (int side = 0; side < side_count(shape); ++side) {
      const Blend blend(shape, 4);
      std::vector<Point> values(blend.corners().size());
      std::vector<char> given(values.size(), 0);
      for (const int n : side_nodes(shape, 4, side)) {
        const auto at = static_cast<std::size_t>(n);
        given[at] = blend.corners()[at].size() > 1;
        if (blend.corners()[at].size() > 2) values[at] = {1, 0, 0};
      }
      blend.fill(values, given);
      double inside = 0;
      for (std::size_t n = 0; n < values.size(); ++n) {
        if (blend.corners()[n].size() > (shape == Shape::tetrahedron ? 3U : 4U))
          inside = std::max(inside, values[n][0]);
        if (!given[n] && blend.corners()[n].size() == 2) EXPECT_EQ(values[n], Point{});
      }
      for (int other = 0; other < side_count(shape); ++other)
        for (const int n : side_nodes(shape, 4, other))
          if (other != side && !given[static_cast<std::size_t>(n)])
            EXPECT_EQ(values[static_cast<std::size_t>(n)], Point{});
      EXPECT_GT(inside, shape == Shape::tetrahedron ? 0.1 : 0.2) << name(shape);
    }
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Snap, SaysWhatIsWrong) {
  const auto expect = [](const std::string& part, const std::function<void()>& action) {
    const std::string text = message(action);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect("the radius of a sphere must be positive", [] { RoundSurface::sphere({}, 0); });
  expect("the radius of a cylinder must be positive", [] { RoundSurface::cylinder({}, {0, 0, 1}, -1); });
  expect("the direction of a cylinder must not be 0", [] { RoundSurface::cylinder({}, {}, 1); });
  const Mesh box = make_box({2, 2, 2});
  const auto snap = [](const RoundSurface& surface) { return Snap{{"left", surface}}; };
  expect(
      "of boundary 'left' lies 2.06 off its sphere of radius 0.5 about (-2.5, 0.5, 0.5), but its side is 0.354 long: "
      "check boundary.left.sphere",
      [&] {
        refine(box, 1, snap(RoundSurface::sphere({-2.5, 0.5, 0.5}, 0.5)));
      });
  expect(
      "lies in the middle of the cylinder of radius 0.3 round the axis through (-1, 0.5, 0.25) along (1, 0, 0) that it "
      "should move onto: check boundary.left.cylinder",
      [&] {
        refine(box, 1, snap(RoundSurface::cylinder({-1, 0.5, 0.25}, {2, 0, 0}, 0.3)));
      });
  expect("no boundary 'lfet' to move onto a sphere, did you mean 'left'?", [&] {
    refine(box, 1, {{"lfet", RoundSurface::sphere({}, 1)}});
  });
  const Snap sphere = onto(RoundSurface::sphere({}, 1));
  const Mesh ball = tests::ball_of(Shape::tetrahedron);
  expect("geometry order 5 of curved surfaces: allowed are 2 to 4", [&] { curve(ball, sphere, 5); });
  expect("the mesh has tetrahedra of geometry order 2 already", [&] { curve(curve(ball, sphere, 2), sphere, 2); });
  expect("is folded", [&] { curve(tests::ball_of_all_solids(), sphere, 4); });
}

}  // namespace
}  // namespace galerna::mesh
