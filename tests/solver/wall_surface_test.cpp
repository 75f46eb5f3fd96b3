// Friction and heat on walls in space.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/wall_friction.hpp"
#include "files/boundary_surface.hpp"
#include "files/vtu_file.hpp"
#include "mesh/box.hpp"
#include "solver/outputs/walls.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::vector<Shape> shapes = {Shape::tetrahedron, Shape::hexahedron};

/// A box whose floor the gas sticks to, in a state that is given on the rest of its boundary, too. No step is made.
std::string flow(const std::string& state, const std::string& floor) {
  std::string text = R"toml(
[mesh]
file = "box.msh"
[equations]
type = "navier-stokes"
mu = 0.02
prandtl = 0.72
[discretization]
order = 1
[time]
cfl = 0.1
end = 0
[output.forces]
density = 1
velocity = 0.5
length = 1
area = 0.5
pressure = 1
)toml";
  text += fmt::format("[initial]\n{}[boundary.bottom]\n{}", state, floor);
  for (const char* name : {"left", "right", "front", "back", "top"})
    text += fmt::format("[boundary.{}]\n{}type = \"dirichlet\"\n", name, state);
  return text;
}

void write_box(const Folder& folder, Shape shape) {
  // Only with constant Jacobians are projections of polynomials exact.
  mesh::write_gmsh(mesh::make_box({3, 2, 2}, {1, 0.8, 0.6}, shape == Shape::tetrahedron ? 0.1 : 0, shape),
                   folder / "box.msh");
}

/// u = z (1 + a x), v = z (1 + a y) / 2, w = 0: friction μ (1 + a x, (1 + a y) / 2, 0) on the floor, where the flow has
/// no divergence. Polynomials of degree 1 on hexahedra hold a = 1, on tetrahedra a = 0.
TEST(QuickWallSurface, FrictionOfAKnownFlowIsExact) {
  for (const Shape shape : shapes) {
    const double a = shape == Shape::hexahedron ? 1 : 0;
    const std::string state = fmt::format(
        "density = 1\nvelocity_x = \"z*(1 + {0}*x)\"\nvelocity_y = \"z*(1 + {0}*y)/2\"\nvelocity_z = 0\npressure = 1\n",
        a);
    Folder folder;
    write_box(folder, shape);
    Silent silent;
    const auto given = settings(folder, flow(state, "type = \"no-slip-adiabatic\"\n"));
    solver::Simulation simulation(given, {.device = "cpu"}, silent);
    const analysis::Wall wall = simulation.flow().walls(simulation.flow().boundary_flow()).at(0);
    const analysis::Solution solution = simulation.flow().solution();
    const files::BoundarySurface surface = files::sample_boundary(solution, "bottom");
    analysis::WallFriction friction(simulation.flow().mesh(), wall, 1);
    ASSERT_EQ(surface.first_point.size(), wall.sides.size() + 1);
    for (std::size_t face = 0; face < surface.sides.size(); ++face) {
      const auto points = surface.reference_of(face);
      const auto values = friction.at(surface.sides[face], points);
      for (std::size_t q = 0; q < points.size(); ++q) {
        const auto& x = surface.places[surface.first_point[face] + q];
        EXPECT_NEAR(values[q].force[0], 0.02 * (1 + a * x[0]), 1e-12) << name(shape);
        EXPECT_NEAR(values[q].force[1], 0.01 * (1 + a * x[1]), 1e-12);
        EXPECT_NEAR(values[q].force[2], 0, 1e-12);
        EXPECT_NEAR(values[q].heat, 0, 1e-12) << "of a wall that lets none through";
      }
    }
    // The integral of what is drawn is the force that is reported.
    const analysis::WallForce force = analysis::wall_force(wall);
    double sum[3] = {0, 0, 0};
    for (const analysis::WallSide& side : wall.sides) {
      const basis::Quadrature rule = basis::quadrature(side_shape(shape, side.side.side), 6);
      const auto values = friction.at(side.side, rule.points);
      double area = 0;
      for (const analysis::WallPoint& point : side.points) area += point.length;
      for (std::size_t q = 0; q < values.size(); ++q)
        for (std::size_t d = 0; d < 3; ++d)
          sum[d] += values[q].force[d] * area * rule.weights[q] / reference_measure(rule.shape);
    }
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(sum[d], force.viscous[d], 1e-14) << name(shape);
    EXPECT_NEAR(force.viscous[0], 0.02 * (1 + 0.5 * a) * 0.8, 1e-12);
    EXPECT_NEAR(force.viscous[1], 0.01 * (1 + 0.4 * a) * 0.8, 1e-12);
  }
}

/// A flow of linear momentum and energy at density 1: nothing jumps at the floor, where T = 1 and ∂T/∂z = 0.1. The file
/// has what the formulas say.
TEST(QuickWallSurface, TheFileHasFrictionAndHeat) {
  const std::string state =
      "density = 1\nvelocity_x = \"0.5*z\"\nvelocity_y = \"0.2*z\"\nvelocity_z = 0\n"
      "pressure = \"1 + 0.1*z - 0.2*0.29*z^2\"\n";
  for (const Shape shape : shapes) {
    Folder folder;
    write_box(folder, shape);
    run(folder, flow(state, "type = \"no-slip-isothermal\"\ntemperature = 1\n"));
    const VtuFile file(folder / "out/wall_bottom.vtu");
    const auto cf = file.numbers("cf"), heat = file.numbers("heat_flux"), shear = file.numbers("shear");
    ASSERT_FALSE(cf.empty());
    ASSERT_EQ(shear.size(), 3 * cf.size());
    for (std::size_t q = 0; q < cf.size(); ++q) {
      EXPECT_NEAR(shear[3 * q], 0.02 * 0.5, 1e-8) << name(shape);
      EXPECT_NEAR(shear[3 * q + 1], 0.02 * 0.2, 1e-8);
      EXPECT_NEAR(shear[3 * q + 2], 0, 1e-8);
      EXPECT_NEAR(cf[q], 0.02 * std::hypot(0.5, 0.2) / 0.125, 1e-7);
      EXPECT_NEAR(heat[q], 0.02 * 1.4 / (0.4 * 0.72) * 0.1, 1e-8) << "into the wall, by Fourier's law";
    }
  }
}

/// Without viscosity there is nothing to write.
TEST(QuickWallSurface, InviscidFlowsHaveNoFriction) {
  Folder folder;
  write_box(folder, Shape::tetrahedron);
  run(folder,
      flow("density = 1\nvelocity_x = 0.5\nvelocity_y = 0\nvelocity_z = 0\npressure = 1\n", "type = \"slip-wall\"\n"),
      {"equations.type=\"euler\"", "equations.mu=", "equations.prandtl="});
  const VtuFile file(folder / "out/wall_bottom.vtu");
  EXPECT_TRUE(file.has("cp"));
  for (const char* name : {"cf", "shear", "heat_flux"}) EXPECT_FALSE(file.has(name)) << name;
}

}  // namespace
}  // namespace galerna::tests
