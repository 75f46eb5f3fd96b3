#include "output/walls.hpp"

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "base/error.hpp"
#include "kernels/viscous_states.hpp"
#include "solutions.hpp"

namespace galerna::output {
namespace {

using std::numbers::pi;
using Gas = tests::Viscous<2>;
constexpr double mu = tests::ConstantAir::mu;

WallModel viscous_gas() {
  WallModel model;
  model.pressure = [](const double* u) { return Gas::pressure(tests::GasState<2>{{u[0], u[1], u[2], u[3]}}); };
  model.traction = [](const double* u, const double* g, std::array<double, 2> n) {
    const tests::Gradients<2> gradients{{{{g[0], g[1], g[2], g[3]}}, {{g[4], g[5], g[6], g[7]}}}};
    const auto f =
        Gas::viscous_flux(tests::GasState<2>{{u[0], u[1], u[2], u[3]}}, gradients, tests::Normal<2>{{n[0], n[1]}});
    return std::array<double, 2>{f[1], f[2]};
  };
  return model;
}

using Velocity = std::function<std::array<double, 2>(double x, double y)>;

/// Density 1, pressure p(x, y).
Solution flow(
    const mesh::Mesh& mesh, int degree, const Velocity& v,
    const std::function<double(double, double)>& p = [](double, double) { return 1.0; }) {
  return test::project(
      mesh, degree,
      {[](double, double, double) { return 1.0; }, [=](double x, double y, double) { return v(x, y)[0]; },
       [=](double x, double y, double) { return v(x, y)[1]; },
       [=](double x, double y, double) {
         const auto u = v(x, y);
         return p(x, y) / 0.4 + 0.5 * (u[0] * u[0] + u[1] * u[1]);
       }});
}

/// Triangles between a polygon of n corners on the unit circle (boundary "body") and the circle of radius 2.
mesh::Mesh ring(int n, int layers) {
  mesh::Mesh mesh;
  mesh.file = "ring.msh";
  mesh.dimension = 2;
  for (int j = 0; j <= layers; ++j)
    for (int i = 0; i < n; ++i) {
      const double r = 1 + 1.0 * j / layers, a = 2 * pi * i / n;
      mesh.nodes.push_back({r * std::cos(a), r * std::sin(a), 0});
    }
  mesh::ElementBlock block{Shape::triangle, 1, {}, {}, {}};
  mesh::Boundary body{"body", {}};
  for (int j = 0; j < layers; ++j)
    for (int i = 0; i < n; ++i) {
      const mesh::Index a = j * n + i, b = j * n + (i + 1) % n, c = a + n, d = b + n;
      if (j == 0) body.sides.push_back({block.size(), 1});  // opposite corner 1 of (a, d, b)
      block.nodes.insert(block.nodes.end(), {a, d, b, a, c, d});
    }
  for (mesh::Index i = 0; i < block.size(); ++i) {
    block.region.push_back(-1);
    block.source.push_back(i);
  }
  mesh.blocks.push_back(block);
  mesh.boundaries.push_back(body);
  return mesh;
}

TEST(Walls, ShearOfCouetteFlow) {
  for (const mesh::Mesh& mesh : {test::triangles(4, 3), test::quadrilaterals(4, 3)}) {
    const Solution solution = flow(mesh, 2, [](double, double y) { return std::array<double, 2>{y, 0}; });
    const double tolerance = mesh.blocks[0].shape == Shape::triangle ? 1e-12 : 1e-4;
    const WallForce bottom = wall_force(solution, "bottom", viscous_gas()),
                    top = wall_force(solution, "top", viscous_gas(), {0, 0.5});
    EXPECT_NEAR(bottom.viscous[0], 2 * mu, tolerance);
    EXPECT_NEAR(bottom.viscous[1], 0, tolerance);
    EXPECT_NEAR(bottom.pressure[1], -2, tolerance);
    EXPECT_NEAR(top.viscous[0], -2 * mu, tolerance);
    EXPECT_NEAR(top.viscous_moment, mu, tolerance) << "arm 0.5";
    EXPECT_NEAR(top.pressure_moment, 2, tolerance) << "2 upward at x = 1";
    EXPECT_NEAR(top.total()[1], 2, tolerance);
  }
}

TEST(Walls, ShearOfPoiseuilleFlowAlongTheWalls) {
  const mesh::Mesh mesh = test::triangles(4, 3);
  const Solution solution = flow(mesh, 4, [](double, double y) { return std::array<double, 2>{y * (1 - y), 0}; });
  for (const auto& [name, start] : std::vector<std::pair<std::string, double>>{{"bottom", 0}, {"top", 2}}) {
    const auto wall = sample_wall(solution, name, viscous_gas());
    ASSERT_EQ(wall.size(), 4u * 6);
    for (std::size_t i = 0; i < wall.size(); ++i) {
      // On the top wall s runs against the flow, with the fluid on the left.
      EXPECT_NEAR(wall[i].shear, name == "bottom" ? mu : -mu, 1e-12);
      EXPECT_NEAR(std::abs(wall[i].place[0] - start), wall[i].s, 1e-12);
      EXPECT_NEAR(wall[i].pressure, 1, 1e-12);
      EXPECT_EQ(wall[i].part, 0);
      EXPECT_TRUE(i == 0 || wall[i].s > wall[i - 1].s);
    }
  }
  EXPECT_TRUE(separation_points(sample_wall(solution, "bottom", viscous_gas())).empty());
}

TEST(Walls, SolidBodyRotationHasNoShear) {
  const mesh::Mesh mesh = ring(24, 2);
  const Solution solution = flow(mesh, 2, [](double x, double y) { return std::array<double, 2>{-y, x}; });
  for (const WallSample& sample : sample_wall(solution, "body", viscous_gas())) EXPECT_NEAR(sample.shear, 0, 1e-12);
  const WallForce force = wall_force(solution, "body", viscous_gas());
  EXPECT_NEAR(force.viscous_moment, 0, 1e-12);
  EXPECT_NEAR(force.pressure[0], 0, 1e-12);
}

/// A vortex v = e_φ/r has τ_rφ = −2μ/r²: the moment of the fluid on the body is −4πμ.
TEST(Walls, MomentOfAVortex) {
  const mesh::Mesh mesh = ring(96, 8);
  const Solution solution = flow(mesh, 4, [](double x, double y) {
    const double r2 = x * x + y * y;
    return std::array<double, 2>{-y / r2, x / r2};
  });
  EXPECT_NEAR(wall_force(solution, "body", viscous_gas()).viscous_moment, -4 * pi * mu, 4e-3 * 4 * pi * mu);
}

double error_of_potential_flow(int n) {
  const mesh::Mesh mesh = ring(n, n / 8);
  const auto velocity = [](double x, double y) {
    const double r2 = x * x + y * y;
    return std::array<double, 2>{1 - (x * x - y * y) / (r2 * r2), -2 * x * y / (r2 * r2)};
  };
  const auto pressure = [&](double x, double y) {
    const auto v = velocity(x, y);
    return 10 + 0.5 * (1 - v[0] * v[0] - v[1] * v[1]);
  };
  const Solution solution = flow(mesh, 3, velocity, pressure);
  WallModel model = viscous_gas();
  model.traction = {};
  const auto wall = sample_wall(solution, "body", model);
  EXPECT_EQ(wall.size(), 5u * static_cast<std::size_t>(n));
  EXPECT_GT(wall.front().place[0], 0.9);
  EXPECT_LT(wall.front().place[1], 0) << "clockwise round the body";
  EXPECT_NEAR(wall.back().s, 2 * n * std::sin(pi / n), 0.1) << "the polygon's length";
  const WallForce force = wall_force(solution, "body", model);
  EXPECT_NEAR(force.pressure[0], 0, 1e-9);
  EXPECT_NEAR(force.pressure[1], 0, 1e-9);
  double error = 0;
  for (const WallSample& sample : wall) {
    const double angle = std::atan2(sample.place[1], sample.place[0]);
    const double cp = 1 - 4 * std::pow(std::sin(angle), 2);
    error = std::max(error, std::abs((sample.pressure - 10) / 0.5 - cp));
  }
  return error;
}

TEST(Walls, PressureOfPotentialFlowRoundACylinder) {
  const double coarse = error_of_potential_flow(32), fine = error_of_potential_flow(64);
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(coarse / fine, 4, 0.8) << "the polygon is second-order accurate";
}

TEST(Walls, FindSeparationAndAttachment) {
  // Along the bottom u = y (x − 0.5)(x − 1.7): backward between.
  const mesh::Mesh mesh = test::triangles(5, 4);
  const Solution solution = flow(mesh, 6, [](double x, double y) {
    return std::array<double, 2>{y * (x - 0.5) * (x - 1.7), 0};
  });
  const auto points = separation_points(sample_wall(solution, "bottom", viscous_gas()));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].kind, FlowPoint::Kind::separation);
  EXPECT_NEAR(points[0].place[0], 0.5, 1e-3);
  EXPECT_NEAR(points[0].s, 0.5, 1e-3);
  EXPECT_EQ(points[1].kind, FlowPoint::Kind::attachment);
  EXPECT_NEAR(points[1].place[0], 1.7, 1e-3);
}

TEST(Walls, PiecesOfAWallComeOneAfterTheOther) {
  mesh::Mesh mesh = test::triangles(4, 3);
  auto& walls = mesh.boundaries;
  walls[0].sides.insert(walls[0].sides.end(), walls[2].sides.begin(), walls[2].sides.end());
  const Solution solution = flow(mesh, 1, [](double, double) { return std::array<double, 2>{0, 0}; });
  const auto wall = sample_wall(solution, "bottom", viscous_gas());
  ASSERT_EQ(wall.size(), 8u * 3);
  EXPECT_EQ(wall.front().part, 0);
  EXPECT_NEAR(wall.front().place[1], 0, 1e-12);
  EXPECT_EQ(wall.back().part, 1);
  EXPECT_NEAR(wall.back().place[1], 1, 1e-12);
  EXPECT_LT(wall.back().s, 2);
}

TEST(Walls, ArcLengthOfACurvedSide) {
  mesh::Mesh mesh = test::curved_triangle();
  mesh.boundaries = {{"arc", {{0, 0}}}};
  const Solution solution = flow(mesh, 6, [](double, double) { return std::array<double, 2>{0, 0}; });
  const auto wall = sample_wall(solution, "arc", viscous_gas());
  double length = 0;  // of the polyline through the samples, from the corner on
  mesh::Point last = {1, 0, 0};
  for (const WallSample& sample : wall) {
    length += std::hypot(sample.place[0] - last[0], sample.place[1] - last[1]);
    EXPECT_NEAR(sample.s, length, 2e-2);
    last = sample.place;
  }
}

TEST(ForceCoefficients, AreTakenAlongAndAcrossTheStream) {
  WallForce force;
  force.pressure = {3, 4, 0};
  force.viscous = {1, -1, 0};
  force.pressure_moment = 5;
  force.viscous_moment = 1;
  const Reference reference{2, 3, 0.5, 0, 90, {0, 0}};  // ½ρU² = 9, L = 0.5; drag along y, lift along −x
  const ForceCoefficients k = coefficients(force, reference);
  EXPECT_NEAR(k.drag_pressure, 4 / 4.5, 1e-14);
  EXPECT_NEAR(k.drag_viscous, -1 / 4.5, 1e-14);
  EXPECT_NEAR(k.drag, 3 / 4.5, 1e-14);
  EXPECT_NEAR(k.lift, -4 / 4.5, 1e-14);
  EXPECT_NEAR(k.moment, 6 / 2.25, 1e-14);
}

TEST(Walls, WritesCoefficientsWhereThereIsAReference) {
  const mesh::Mesh mesh = test::triangles(2, 2);
  const Solution solution = flow(mesh, 1, [](double, double y) { return std::array<double, 2>{y, 0}; });
  const auto wall = sample_wall(solution, "bottom", viscous_gas());
  test::Folder folder;
  Reference reference;
  reference.pressure = 0.5;
  write_wall(wall, reference, folder / "wall.csv");
  std::ifstream stream(folder / "wall.csv");
  std::string header, row, cell;
  std::getline(stream, header);
  std::getline(stream, row);
  EXPECT_EQ(header, "part,s,x,y,normal_x,normal_y,pressure,shear,cp,cf");
  std::vector<double> values;
  for (std::istringstream cells(row); std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
  ASSERT_EQ(values.size(), 10u);
  EXPECT_EQ(values[8], (values[6] - 0.5) / 0.5);
  EXPECT_EQ(values[9], values[7] / 0.5);
}

}  // namespace
}  // namespace galerna::output
