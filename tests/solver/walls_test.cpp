// Forces and heat that are reported of walls.
#include "solver/outputs/walls.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "mesh/box.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A gas in a box whose walls all hold it back or drive it.
const char* box = R"toml(
[mesh]
file = "square.msh"
[equations]
type = "navier-stokes"
mu = 0.02
prandtl = 0.72
[discretization]
order = 1
[time]
scheme = "euler"
step = 1e-4
end = 1
[initial]
density = "1 + 0.1*cos(pi*x)"
velocity_x = 0.3
velocity_y = "0.1*sin(pi*y)"
pressure = 1
[boundary.bottom]
type = "no-slip-isothermal"
temperature = 0.9
[boundary.top]
type = "moving-wall-isothermal"
velocity_x = 0.5
velocity_y = 0
temperature = 1.2
[boundary.left]
type = "no-slip-adiabatic"
[boundary.right]
type = "slip-wall"
[output]
solution = false
)toml";

/// Density 1 and linear profiles of velocity and temperature between walls that have the same: nothing jumps.
const char* couette = R"toml(
[mesh]
file = "square.msh"
periodic = [{ from = "left", to = "right", translation = [1, 0] }]
[equations]
type = "navier-stokes"
mu = 0.02
prandtl = 0.72
[discretization]
order = 2
[time]
cfl = 0.1
max_steps = 1
end = 1
[initial]
density = 1
velocity_x = "0.5*y"
velocity_y = 0
pressure = "1 + 0.1*y"
[boundary.bottom]
type = "no-slip-isothermal"
temperature = 1
[boundary.top]
type = "moving-wall-isothermal"
velocity_x = 0.5
velocity_y = 0
temperature = 1.1
[output]
solution = false
[output.forces]
density = 1
velocity = 0.5
length = 1
pressure = 1
)toml";

/// One step of forward Euler takes from the gas what the walls take, to round-off.
TEST(Walls, ForceAndHeatAreWhatTheGasLoses) {
  for (const mesh::CellStyle style : {mesh::CellStyle::random_triangles, mesh::CellStyle::quadrilaterals})
    for (const int degree : {1, 2}) {
      Folder folder;
      write_square(folder, 4, style);
      Silent silent;
      solver::Simulation simulation(settings(folder, box, {"discretization.order=" + std::to_string(degree)}),
                                    {.device = "cpu"}, silent);
      simulation.flow().stepper().set_stop(1, 1000);
      for (int step = 0; step < 3; ++step) {
        const std::vector<double> before = simulation.flow().integrals();
        const auto walls = simulation.flow().walls(simulation.flow().boundary_flow());
        const double dt = simulation.flow().stepper().advance_one().dt;
        const std::vector<double> after = simulation.flow().integrals();
        double momentum[2] = {0, 0}, energy = 0;
        ASSERT_EQ(walls.size(), 4u);
        for (const analysis::Wall& wall : walls) {
          const analysis::WallForce force = analysis::wall_force(wall);
          for (std::size_t d = 0; d < 2; ++d) momentum[d] += force.total()[d];
          if (wall.name == "top") energy += 0.5 * force.viscous[0];  // work
          for (const analysis::WallSide& side : wall.sides)
            for (const analysis::WallPoint& point : side.points) energy += point.heat * point.length;
        }
        EXPECT_GT(std::abs(momentum[0]), 0.01);
        EXPECT_NEAR((after[0] - before[0]) / dt, 0, 1e-10);
        EXPECT_NEAR((after[1] - before[1]) / dt, -momentum[0], 1e-10) << "p " << degree << ", step " << step;
        EXPECT_NEAR((after[2] - before[2]) / dt, -momentum[1], 1e-10) << "p " << degree << ", step " << step;
        EXPECT_NEAR((after[3] - before[3]) / dt, -energy, 1e-10) << "p " << degree << ", step " << step;
      }
    }
}

/// In a uniform stream that a floor begins to stop all friction is in the jump: the polynomials have no gradient.
TEST(Walls, TheJumpAtAWallCarriesFriction) {
  Folder folder;
  write_square(folder, 4);
  Silent silent;
  solver::Simulation simulation(settings(folder, box, {"initial.velocity_y=0", "initial.density=1"}), {.device = "cpu"},
                                silent);
  const auto walls = simulation.flow().walls(simulation.flow().boundary_flow());
  EXPECT_EQ(walls[0].name, "bottom");
  EXPECT_GT(analysis::wall_force(walls[0]).viscous[0], 0.02 * 0.3 / 0.25) << "of a boundary layer of a cell's height";
  for (const analysis::WallSample& sample : analysis::sample_wall(simulation.flow().mesh(), walls[0]))
    EXPECT_NEAR(sample.velocity(), 0.3, 1e-12) << "of the solution, not of the wall";
}

TEST(Walls, FrictionAndHeatOfALinearFlowAreExact) {
  for (const mesh::CellStyle style : {mesh::CellStyle::random_triangles, mesh::CellStyle::quadrilaterals}) {
    Folder folder;
    // Only with constant Jacobians is the projection of polynomials exact.
    write_square(folder, 4, style, style == mesh::CellStyle::quadrilaterals ? 0 : 0.15);
    Silent silent;
    solver::Simulation simulation(settings(folder, couette), {.device = "cpu"}, silent);
    const double tau = 0.02 * 0.5, heat = 0.02 * 1.4 / (0.4 * 0.72) * 0.1;
    for (const analysis::Wall& wall : simulation.flow().walls(simulation.flow().boundary_flow()))
      for (const analysis::WallSample& sample : analysis::sample_wall(simulation.flow().mesh(), wall)) {
        const bool bottom = wall.name == "bottom";
        const double temperature = bottom ? 1 : 1.1, speed = bottom ? 0 : 0.5;
        // Along the top s runs against the flow, whose friction pulls the wall back.
        EXPECT_NEAR(sample.at.friction[0], bottom ? tau : -tau, 1e-12);
        EXPECT_NEAR(sample.shear(), tau, 1e-12);
        EXPECT_NEAR(sample.at.heat, bottom ? heat : -heat, 1e-12);
        EXPECT_NEAR(sample.pressure(), temperature, 1e-12);
        EXPECT_NEAR(sample.at.density, 1, 1e-12);
        EXPECT_NEAR(sample.at.temperature, temperature, 1e-12);
        EXPECT_NEAR(sample.velocity(), bottom ? 0 : -speed, 1e-12);
        EXPECT_NEAR(sample.at.mach, speed / std::sqrt(1.4 * temperature), 1e-12);
      }
  }
}

TEST(Walls, AreWrittenAndReported) {
  Folder folder;
  write_square(folder, 4);
  const files::Report report = run(folder, couette).report;
  ASSERT_EQ(report.forces.size(), 2u);
  EXPECT_EQ(report.forces[0].boundary, "bottom");
  EXPECT_NEAR(report.forces[0].coefficients->drag_viscous, 0.02 * 0.5 / 0.125, 1e-3);
  std::ifstream file(folder / "out/wall_top.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_NE(line.find("cp,cf,density"), std::string::npos);
  int rows = 0;
  while (std::getline(file, line)) ++rows;
  EXPECT_EQ(rows, 4 * 3) << "the points of the rule on sides, p + 1 on each";
}

/// A stream round half a circle, of constant pressure, along sides that are straight: the flux of momentum through them
/// is no force on the circle, where nothing passes.
TEST(Walls, OnStraightSidesOfACurvedWallThePressureAloneIsTheForce) {
  Folder folder;
  mesh::Mesh mesh = mesh::make_rectangle(8, 2, {0, 0}, {1, 1}, mesh::CellStyle::triangles);
  mesh::transform(mesh, [](const mesh::Point& x) {
    return mesh::Point{-(1 + x[1]) * std::cos(M_PI * x[0]), (1 + x[1]) * std::sin(M_PI * x[0]), 0};
  });
  mesh::write_gmsh(mesh, folder / "square.msh");
  std::string text = R"toml(
[mesh]
file = "square.msh"
[equations]
type = "euler"
[discretization]
order = 3
[time]
step = 1e-9
max_steps = 1
end = 1
[initial]
density = 1
velocity_x = "0.5*y/sqrt(x^2 + y^2)"
velocity_y = "-0.5*x/sqrt(x^2 + y^2)"
pressure = 1
[boundary.bottom]
type = "slip-wall"
circle = { centre = [0, 0], radius = 1 }
)toml";
  for (const char* name : {"left", "right", "top"})
    text += fmt::format("[boundary.{}]\ntype = \"supersonic-outflow\"\n", name);
  const files::Report report = run(folder, text).report;
  const auto force = report.forces.at(0).force.total();
  EXPECT_NEAR(force[0], 0, 5e-4);
  EXPECT_NEAR(force[1], -2, 5e-4);  // of the chord; the whole flux is off by 7e-3
}

}  // namespace
}  // namespace galerna::tests
