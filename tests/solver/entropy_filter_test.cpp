// The entropy filter, on elements of all shapes (docs/theory.md, Entropy filter).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/solution.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "mesh/box.hpp"
#include "solver/case_warnings.hpp"
#include "solver/mixtures.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::vector<std::string> sides_of_square = {"left", "right", "top", "bottom"},
                               sides_of_box = {"left", "right", "front", "back", "top", "bottom"};

/// Sod's tube between walls, of units in which density, speeds and lengths are `density`, `speed` and 1.
std::string tube(int order, const std::vector<std::string>& walls, const std::string& time, double density = 1,
                 double speed = 1) {
  const auto step_at_middle = [](double left, double right) {
    return "\"where(x < 0.5, " + std::to_string(left) + ", " + std::to_string(right) + ")\"\n";
  };
  const double pressure = density * speed * speed;
  std::string text = "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = " +
                     std::to_string(order) + "\nriemann = \"hllc\"\n[shock]\nmethod = \"filter\"\n[initial]\n" +
                     "density = " + step_at_middle(density, 0.125 * density) +
                     "pressure = " + step_at_middle(pressure, 0.1 * pressure) + "velocity_x = 0\nvelocity_y = 0\n" +
                     (walls == sides_of_box ? "velocity_z = 0\n" : "") + "[output]\nsolution = false\n[time]\n" + time;
  for (const std::string& wall : walls) text += "[boundary." + wall + "]\ntype = \"slip-wall\"\n";
  return text;
}

/// Least and largest density at nodes of all elements.
std::pair<double, double> range_of_density(const analysis::Solution& solution) {
  double least = 1e300, largest = -1e300;
  for (int block = 0; block < static_cast<int>(solution.pieces.size()); ++block) {
    const mesh::ElementBlock& of = solution.mesh->blocks[static_cast<std::size_t>(block)];
    const basis::Matrix values =
        basis::basis_values(of.shape, solution.degree, basis::lagrange_nodes(of.shape, solution.degree + 1));
    for (mesh::Index e = 0; e < of.size(); ++e) {
      std::vector<double> room;
      const double* modes = solution.modes(block, e, room);
      for (int q = 0; q < values.rows(); ++q) {
        const double density = values.row(q).dot(Eigen::Map<const Eigen::RowVectorXd>(modes, values.cols()));
        least = std::min(least, density);
        largest = std::max(largest, density);
      }
    }
  }
  return {least, largest};
}

void expect_conserved(const files::Report& report) {
  for (const auto& found : report.conservation)
    if (found.variable == "density" || found.variable == "energy")
      EXPECT_NEAR(found.end, found.start, 1e-12 * std::abs(found.start)) << found.variable;
}

const std::string to_end = "scheme = \"ssprk33\"\nend = 0.2\n";

/// No new extrema: none beyond 2 % of the jump.
void expect_tube(const Folder& folder, const std::string& text, const std::string& device) {
  Silent silent;
  solver::Simulation simulation(settings(folder, text), {.device = device}, silent);
  const files::Report report = simulation.run();
  EXPECT_EQ(report.status, "done");
  EXPECT_GT(report.limiter.at("filtered"), 0);
  expect_conserved(report);
  const auto [least, largest] = range_of_density(simulation.flow().solution());
  EXPECT_GT(least, 0.125 - 0.02 * 0.875);
  EXPECT_LT(largest, 1 + 0.02 * 0.875);
}

TEST(EntropyFilter, KeepsTheTubeWithinItsRangeInThePlane) {
  for (const auto& [style, order] :
       {std::pair{mesh::CellStyle::random_triangles, 3}, std::pair{mesh::CellStyle::quadrilaterals, 1}}) {
    Folder folder;
    mesh::write_gmsh(mesh::make_rectangle(40, 2, {0, 0}, {1, 0.05}, style, 0.1), folder / "square.msh");
    for (const std::string& device : devices()) expect_tube(folder, tube(order, sides_of_square, to_end), device);
  }
}

TEST(EntropyFilter, KeepsTheTubeWithinItsRangeInSpace) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::pyramid}) {
    SCOPED_TRACE(name(shape));
    Folder folder;
    mesh::write_gmsh(mesh::make_box({20, 1, 1}, {1, 0.05, 0.05}, 0, shape), folder / "square.msh");
    for (const std::string& device : devices()) expect_tube(folder, tube(2, sides_of_box, to_end), device);
  }
}

TEST(EntropyFilter, KeepsMassAndEnergyOnCurvedElements) {
  Folder plane, space;
  write_mixture(plane, 8, 3);
  mesh::write_gmsh(raise_solids(mesh::make_box({4, 4, 4}, {1, 1, 1}, 0, Shape::prism), 2, wavy_in_space),
                   space / "square.msh");
  for (const auto& [folder, order, walls] :
       {std::tuple{&plane, 3, std::vector<std::string>{"rim"}}, std::tuple{&space, 1, sides_of_box}}) {
    const files::Report report = run(*folder, tube(order, walls, "scheme = \"ssprk33\"\nend = 0.1\n")).report;
    EXPECT_EQ(report.status, "done");
    EXPECT_GT(report.limiter.at("filtered"), 0);
    expect_conserved(report);
  }
}

TEST(EntropyFilter, LeavesSmoothFlowAlone) {
  Folder folder;
  write_square(folder, 8);
  const std::string text = periodic_square + std::string(density_wave) +
                           "[discretization]\norder = 3\n[time]\nscheme = \"ssprk33\"\ncfl = 0.5\nend = 0.1\n";
  const Outcome without = run(folder, text), with = run(folder, text + "[shock]\nmethod = \"filter\"\n");
  EXPECT_EQ(with.report.limiter.at("filtered"), 0);
  ASSERT_EQ(with.coefficients.size(), without.coefficients.size());
  for (std::size_t i = 0; i < with.coefficients.size(); ++i)  // traces are computed at other moments
    ASSERT_NEAR(with.coefficients[i], without.coefficients[i], 1e-13) << i;
}

/// What is chosen where nothing is asked for.
TEST(EntropyFilter, IsWhatAnEmptySectionTakesInTime) {
  Folder folder;
  write_square(folder, 2);
  const auto shock_of = [&](const std::string& time) {
    return *settings(folder,
                     periodic_square + std::string(density_wave) + "[discretization]\norder = 1\n[shock]\n" + time)
                .shock;
  };
  const std::string in_time = "[time]\ncfl = 0.5\nend = 1\n", steady = "[time]\ncfl = 0.5\nsteady = 1e-8\n";
  EXPECT_EQ(shock_of(in_time).method, "filter");
  EXPECT_FALSE(shock_of(in_time).why.empty());
  EXPECT_EQ(shock_of(steady).method, "viscosity");
  EXPECT_EQ(shock_of("positivity = true\n" + in_time).method, "none");
  EXPECT_EQ(shock_of("limiter = \"barth-jespersen\"\n" + in_time).method, "limiter");
  EXPECT_EQ(shock_of("method = \"filter\"\n" + steady).method, "filter");
}

TEST(EntropyFilter, WarnsThatASteadyStateMayNeverCome) {
  Folder folder;
  write_square(folder, 2);
  const auto warnings = [&](const std::string& time) {
    return solver::case_warnings(settings(folder, periodic_square + std::string(density_wave) +
                                                      "[discretization]\norder = 1\n[shock]\nmethod = \"filter\"\n" +
                                                      time));
  };
  EXPECT_TRUE(warnings("[time]\ncfl = 0.5\nend = 1\n").empty());
  const auto of_steady = warnings("[time]\ncfl = 0.5\nsteady = 1e-8\n");
  ASSERT_EQ(of_steady.size(), 1u);
  EXPECT_EQ(of_steady[0].name, "filter-of-steady-flow");
}

/// Coefficients in other units, which are powers of two, are the same but for these.
TEST(EntropyFilter, DependsOnNoUnits) {
  Folder folder;
  mesh::write_gmsh(mesh::make_rectangle(20, 2, {0, 0}, {1, 0.1}, mesh::CellStyle::quadrilaterals, 0.1),
                   folder / "square.msh");
  const std::string steps = "scheme = \"ssprk33\"\nend = 1\nmax_steps = 60\n";
  const std::vector<double> one = run(folder, tube(2, sides_of_square, steps)).coefficients,
                            other = run(folder, tube(2, sides_of_square, steps, 4, 16)).coefficients;
  const std::size_t modes = 9;
  const std::array<double, 4> units = {4, 64, 64, 1024};
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(other[i], units[i / modes % 4] * one[i]) << i;
}

TEST(EntropyFilter, GoesOnWithTheSameBits) {
  Folder folder;
  mesh::write_gmsh(mesh::make_rectangle(20, 2, {0, 0}, {1, 0.1}, mesh::CellStyle::random_triangles, 0.1),
                   folder / "square.msh");
  const auto text = [&](int steps) {
    return tube(2, sides_of_square, "scheme = \"ssprk33\"\nend = 1\nmax_steps = " + std::to_string(steps) + "\n");
  };
  const std::vector<double> whole = run(folder, text(40)).coefficients;
  run(folder, text(17));
  const Outcome continued = run(folder, text(40), {}, {.device = "cpu", .restart = folder / "out/checkpoint_final.h5"});
  EXPECT_GT(continued.report.limiter.at("filtered"), 0);
  EXPECT_EQ(continued.coefficients, whole);
}

}  // namespace
}  // namespace galerna::tests
