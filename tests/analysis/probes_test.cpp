#include "analysis/probes.hpp"

#include <cmath>

#include "analysis/element_map.hpp"
#include "base/error.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using tests::contains;

double quadratic(double x, double y, double z) {
  return 1 + x * x - 3 * x * y + y + z * x;
}

TEST(Probes, FindTheValueAnywhere) {
  for (const mesh::Mesh& mesh : {tests::triangles(7, 5), tests::quadrilaterals(6, 4), tests::mixed(8, 3)}) {
    // On bilinear elements only linear functions are polynomials of the reference coordinates' degree.
    const auto linear = [](double x, double y, double) { return 2 - x + 3 * y; };
    const Solution solution = tests::project(mesh, 2, linear);
    const PointLocator locator(mesh);
    for (int i = 0; i <= 40; ++i)
      for (int j = 0; j <= 20; ++j) {
        const mesh::Point place = {i / 20.0, j / 20.0, 0};
        const auto found = locator.find(place);
        ASSERT_TRUE(found.has_value()) << place[0] << " " << place[1];
        EXPECT_NEAR(evaluate(solution, *found)[0], linear(place[0], place[1], 0), 1e-11);
      }
  }
}

TEST(Probes, EveryShapeInThreeDimensions) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism}) {
    const mesh::Mesh mesh = tests::one_element(shape, true);
    const Solution solution = tests::project(mesh, 3, quadratic);
    const PointLocator locator(mesh);
    mesh::Point centre = {0, 0, 0};
    for (const mesh::Point& node : mesh.nodes)
      for (std::size_t d = 0; d < 3; ++d) centre[d] += node[d] / static_cast<double>(mesh.nodes.size());
    const auto found = locator.find(centre);
    ASSERT_TRUE(found.has_value()) << name(shape);
    EXPECT_NEAR(evaluate(solution, *found)[0], quadratic(centre[0], centre[1], centre[2]), 1e-10);
    EXPECT_FALSE(locator.find({9, 9, 9}).has_value());
  }
}

TEST(Probes, CurvedElements) {
  const mesh::Mesh mesh = tests::curved_triangle();
  const PointLocator locator(mesh);
  EXPECT_TRUE(locator.find({0.64, 0.64, 0}).has_value());  // outside the straight triangle
  EXPECT_FALSE(locator.find({0.66, 0.66, 0}).has_value());
}

TEST(Probes, SharedPointsBelongToTheFirstElement) {
  const mesh::Mesh mesh = tests::triangles(2, 2);
  const PointLocator locator(mesh);
  EXPECT_EQ(locator.find(mesh.nodes[4])->element, 0);  // the node in the middle touches six elements
}

TEST(Probes, OutsideIsAnErrorThatNamesProbeAndPoint) {
  const mesh::Mesh mesh = tests::triangles(3, 3);
  const PointLocator locator(mesh);
  try {
    locator.locate({2.5, 0.25, 0}, "wake");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "probe wake"));
    EXPECT_TRUE(contains(error.what(), "(2.5, 0.25"));
  }
  EXPECT_FALSE(locator.find({std::nan(""), 0, 0}).has_value());
  EXPECT_FALSE(locator.find({-1e-6, 0.5, 0}).has_value());
}

TEST(Probes, FieldsByName) {
  const mesh::Mesh mesh = tests::triangles(2, 2);
  const Solution solution =
      tests::project(mesh, 1,
                     {[](double, double, double) { return 2; }, [](double x, double, double) { return 2 * x; },
                      [](double, double, double) { return 0; }, [](double, double, double) { return 10; }});
  const LocatedPoint point = PointLocator(mesh).locate({0.7, 0.3, 0}, "p");
  const auto values = evaluate(solution, point, {"velocity_x", "density"});
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NEAR(values[0], 0.7, 1e-12);
  EXPECT_NEAR(values[1], 2, 1e-12);
  try {
    evaluate(solution, point, {"densty"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean \"density\"?"));
  }
}

TEST(Probes, GoFromSolutionToSolution) {
  const mesh::Mesh mesh = tests::mixed(8, 3);
  const PointLocator locator(mesh);
  std::vector<LocatedPoint> points;
  for (const mesh::Point& place : line_points({0.1, 0.05, 0}, {1.9, 0.9, 0}, 9))
    points.push_back(locator.locate(place, "p"));
  const auto solution = [&](int degree, double time) {
    Solution result = tests::project(mesh, degree, [time](double x, double y, double) { return x * x + time * x * y; });
    const auto along_y = [](double x, double, double, double t, const double* u) { return x + 10 * t + 100 * u[2]; };
    result.fields.further = {{"slope_y", true, true, along_y}};
    result.time = time;
    return result;
  };
  Probe probe(solution(2, 0), points, {"slope_y", "density"});
  const std::pair<int, double> moments[] = {{2, 0}, {2, 1.5}, {3, 1.5}, {3, 2}, {1, 2.5}};  // degree, time
  for (const auto& [degree, time] : moments) {
    const Solution now = solution(degree, time);
    const auto values = probe.evaluate(now);
    ASSERT_EQ(values.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(values[i], evaluate(now, points[i], {"slope_y", "density"})) << degree << " " << time << " " << i;
      const auto [x, y, z] = points[i].place;
      if (degree == 3) {
        EXPECT_NEAR(values[i][0], x + 10 * time + 100 * time * x, 1e-8);
        EXPECT_NEAR(values[i][1], x * x + time * x * y, 1e-10);
      }
    }
  }
}

TEST(Probes, NeedOnlyTheElementsOfTheirPoints) {
  const mesh::Mesh mesh = tests::mixed(6, 3);
  const Solution whole = tests::project(mesh, 2, [](double x, double y, double) { return x * y; });
  const PointLocator locator(mesh);
  std::vector<LocatedPoint> points;
  for (const mesh::Point& place : line_points({0.1, 0.3, 0}, {1.9, 0.8, 0}, 7))
    points.push_back(locator.locate(place, "p"));
  Solution part = whole;
  part.pieces.assign(2, {});
  const auto positions = positions_of(mesh, points);
  for (int block = 0; block < 2; ++block)
    for (const mesh::Index position : positions[static_cast<std::size_t>(block)]) {
      Piece& piece = part.pieces[static_cast<std::size_t>(block)];
      std::vector<double> room;
      const double* modes = whole.modes(block, position, room);
      piece.coefficients.insert(piece.coefficients.end(), modes,
                                modes + basis::mode_count(mesh.blocks[block].shape, 2));
      piece.positions.push_back(position);
    }
  EXPECT_LT(part.coefficients().size(), whole.coefficients().size() / 2);
  EXPECT_EQ(Probe(part, points, {}).evaluate(part), Probe(whole, points, {}).evaluate(whole));
}

TEST(Probes, Lines) {
  const auto points = line_points({0, 0, 0}, {1, 2, 0}, 5);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points.front(), (mesh::Point{0, 0, 0}));
  EXPECT_EQ(points[2], (mesh::Point{0.5, 1, 0}));
  EXPECT_EQ(points.back(), (mesh::Point{1, 2, 0}));
  EXPECT_EQ(line_points({3, 0, 0}, {1, 2, 0}, 1), (std::vector<mesh::Point>{{3, 0, 0}}));
}

}  // namespace
}  // namespace galerna::analysis
