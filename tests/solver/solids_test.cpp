// Flows on hexahedra, prisms and pyramids.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "case_names.hpp"
#include "dg/curved_solids.hpp"
#include "mesh/box.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A density wave in a stream of constant velocity and pressure through the boundary of the unit cube, which is of n³
/// cubes bent inside, cut into elements of the shape and of a geometry order.
files::Report wave(Shape shape, int order, mesh::Index n, const std::string& device, int geometry_order = 1) {
  Folder folder;
  const auto bend = [](const mesh::Point& x) {
    const double bump = 0.08 * std::sin(M_PI * x[0]) * std::sin(M_PI * x[1]) * std::sin(M_PI * x[2]);
    return mesh::Point{x[0] + bump, x[1] - bump, x[2] + 0.5 * bump};
  };
  const mesh::Mesh cubes = mesh::make_box({n, n, n}, {1, 1, 1}, 0, shape);
  mesh::write_gmsh(raise_solids(cubes, geometry_order, bend), folder / "box.msh");
  std::string text =
      "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[functions]\n"
      "wave = \"1 + 0.2*sin(1.2*(x - t))*cos(1.2*(y - 0.5*t))*cos(1.2*(z + 0.4*t))\"\n";
  const std::string state = "density = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\nvelocity_z = -0.4\npressure = 1\n";
  for (const char* name : {"initial", "exact"}) text += fmt::format("[{}]\n{}", name, state);
  for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
    text += fmt::format("[boundary.{}]\n{}type = \"dirichlet\"\n", name, state);
  text += fmt::format(
      "[discretization]\norder = {}\nriemann = \"hllc\"\n[time]\nscheme = \"ssprk54\"\ncfl = 0.5\nend = 0.1\n", order);
  return run(folder, text, {}, {.device = device}).report;
}

void expect_order_of(const files::Report& coarse, const files::Report& fine, int order) {
  for (std::size_t v = 0; v < 5; ++v)
    EXPECT_GE(std::log2(coarse.errors.at(v).l2 / fine.errors.at(v).l2), order + 0.8)
        << coarse.errors[v].l2 << ", " << fine.errors[v].l2;
  for (const auto& c : fine.conservation) EXPECT_LT(std::abs(c.defect), 1e-13 * (1 + std::abs(c.start))) << c.variable;
}

class SolidOrder : public ::testing::TestWithParam<std::tuple<Shape, int>> {
 protected:
  void expect_order(const std::string& device) const {
    const auto [shape, order] = GetParam();
    const mesh::Index n = order <= 2 ? 4 : 3;
    expect_order_of(wave(shape, order, n, device), wave(shape, order, 2 * n, device), order);
  }
};

TEST_P(SolidOrder, IsTheDegreePlusOne) {
  expect_order("cpu");
}

TEST_P(SolidOrder, IsTheDegreePlusOneOnTheGpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_order("cuda");
}

/// The kernels are those of straight pyramids.
TEST(CurvedPyramids, HaveTheOrderOfTheDegreePlusOne) {
  expect_order_of(wave(Shape::pyramid, 1, 4, "cpu", 2), wave(Shape::pyramid, 1, 8, "cpu", 2), 1);
}

INSTANTIATE_TEST_SUITE_P(QuickShapes, SolidOrder,
                         ::testing::Combine(::testing::Values(Shape::hexahedron, Shape::prism, Shape::pyramid),
                                            ::testing::Values(1)),
                         CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, SolidOrder,
                         ::testing::Combine(::testing::Values(Shape::hexahedron, Shape::prism, Shape::pyramid),
                                            ::testing::Values(2)),
                         CaseName{});

}  // namespace
}  // namespace galerna::tests
