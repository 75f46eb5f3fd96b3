// The Navier–Stokes equations in space.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/box.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// Flow between a wall at rest and a moving, warmer one, of pressure 1: an exact solution of the Navier–Stokes
/// equations that no coordinate axis is special to. Velocity is linear across, and conduction balances the heat of
/// friction.
constexpr const char* couette = R"toml(
[mesh]
file = "box.msh"
[constants]
cold = 0.8
warm = 1.0
[functions]
T = "cold + (warm - cold)*z + 0.72*1.25*0.4/2.8*z*(1 - z)"
[equations]
type = "navier-stokes"
mu = 0.05
[time]
scheme = "ssprk54"
cfl = 0.5
end = 0.1
[boundary.bottom]
type = "no-slip-isothermal"
temperature = "cold"
[boundary.top]
type = "moving-wall-isothermal"
velocity_x = 1
velocity_y = 0.5
velocity_z = 0
temperature = "warm"
[output.forces]
density = 1
velocity = 1
length = 1
pressure = 1
area = 1
)toml";

files::Report channel(const Folder& folder, mesh::Index n, const std::string& device) {
  mesh::Mesh mesh = mesh::make_box({n, n, n});
  mesh::transform(mesh, [](const mesh::Point& x) {
    const double bump = 0.08 * std::sin(M_PI * x[0]) * std::sin(M_PI * x[1]) * std::sin(M_PI * x[2]);
    return mesh::Point{x[0] + bump, x[1] - bump, x[2] + 0.5 * bump};
  });
  mesh::write_gmsh(mesh, folder / "box.msh");
  const std::string state =
      "density = \"1/T\"\nvelocity_x = \"z\"\nvelocity_y = \"z/2\"\nvelocity_z = 0\npressure = 1\n";
  std::string text = couette;
  for (const char* name : {"initial", "exact"}) text += fmt::format("[{}]\n{}", name, state);
  for (const char* name : {"left", "right", "front", "back"})
    text += fmt::format("[boundary.{}]\n{}type = \"dirichlet\"\n", name, state);
  return run(folder, text + "[discretization]\norder = 1\n", {}, {.device = device}).report;
}

void expect_order(const std::string& device) {
  Folder folder;
  const files::Report coarse = channel(folder, 3, device), fine = channel(folder, 6, device);
  for (std::size_t v : {0, 4})
    EXPECT_GE(std::log2(coarse.errors.at(v).l2 / fine.errors.at(v).l2), 1.8)
        << coarse.errors[v].l2 << ", " << fine.errors[v].l2;
  for (const auto& c : fine.conservation) EXPECT_LT(std::abs(c.defect), 1e-12 * (1 + std::abs(c.start))) << c.variable;
  // Friction μ ∂v/∂z, the same on both walls but for its sign, and no force across.
  for (const auto& wall : fine.forces) {
    const double sign = wall.boundary == "top" ? -1 : 1, exact[] = {0.05 * sign, 0.025 * sign, 0};
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(wall.force.viscous[k], exact[k], 2e-3);
  }
}

/// At degree 1; the order at others is that of the case manufactured-3d.
TEST(QuickViscousSpace, OrderIsTheDegreePlusOneBetweenMovingWalls) {
  expect_order("cpu");
}

TEST(QuickViscousSpace, OrderIsTheDegreePlusOneOnTheGpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_order("cuda");
}

}  // namespace
}  // namespace galerna::tests
