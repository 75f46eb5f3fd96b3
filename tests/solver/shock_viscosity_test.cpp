// Artificial viscosity in whole runs: an oblique shock against its exact pressure, by Newton's method; restarts; units.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

#include "files/atomic_file.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/gmsh_writer.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

constexpr double gamma = 1.4, mach = 2.5, turn = 10 * std::numbers::pi / 180;

/// Behind an oblique shock that turns a stream: p₂/p₁ by the weak solution of the θ-β-M relation.
double pressure_ratio() {
  double low = std::asin(1 / mach), high = 1.0;
  const auto deflection = [](double beta) {
    const double n = mach * std::sin(beta);
    return std::atan(2 / std::tan(beta) * (n * n - 1) / (mach * mach * (gamma + std::cos(2 * beta)) + 2));
  };
  for (int k = 0; k < 60; ++k) (deflection(0.5 * (low + high)) < turn ? low : high) = 0.5 * (low + high);
  const double n = mach * std::sin(low);
  return 1 + 2 * gamma / (gamma + 1) * (n * n - 1);
}

/// A stream that comes down at an angle onto a wall along x.
/// \param box whether the wall is the lower side of a box, along x and y
std::string oblique_shock(const std::string& time, const std::string& shock, double unit = 1, bool box = false) {
  const std::string stream = fmt::format(
      "density = {}\nvelocity_x = {:.17g}\nvelocity_{} = {:.17g}\n{}pressure = {:.17g}\n", unit, mach * std::cos(turn),
      box ? "z" : "y", -mach * std::sin(turn), box ? "velocity_y = 0\n" : "", unit / gamma);
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n"
      "riemann = \"hllc\"\n[output]\nsolution = false\n[output.forces]\ndensity = 1\nvelocity = 1\npressure = 0\n" +
      std::string(box ? "area = 1\nlength = 1\n" : "length = 1\n") + "[output.checkpoint]\nsteps = 10\n[shock]\n" +
      shock + "[initial]\n" + stream + "[boundary.bottom]\ntype = \"slip-wall\"\n";
  for (const char* side : {"left", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + stream;
  for (const char* side : {"front", "back"})
    if (box) text += std::string("[boundary.") + side + "]\ntype = \"symmetry\"\n";
  return text + "[boundary.right]\ntype = \"supersonic-outflow\"\n[time]\n" + time;
}

/// \param up direction across the wall
void expect_oblique_shock(const Outcome& found, std::size_t up) {
  EXPECT_EQ(found.report.status, "steady");
  EXPECT_LE(found.report.residual.at("relative"), 1e-9);
  ASSERT_EQ(found.report.forces.size(), 1u);
  // The mean pressure on the wall, which begins with the shock.
  EXPECT_NEAR(-found.report.forces.at(0).force.pressure[up] * gamma, pressure_ratio(), 0.01 * pressure_ratio());
  EXPECT_GT(found.report.limiter.at("viscosity"), 0);
  EXPECT_LT(found.report.limiter.at("viscosity"), 0.7);
}

const std::string by_newton = "scheme = \"newton\"\nsteady_residual = 1e-9\n";

TEST(ShockViscosity, OfAnObliqueShockConvergesByNewtonsMethod) {
  for (const mesh::CellStyle style : {mesh::CellStyle::random_triangles, mesh::CellStyle::quadrilaterals}) {
    Folder folder;
    write_square(folder, 12, style);
    expect_oblique_shock(run(folder, oblique_shock(by_newton, "")), 1);
  }
}

/// In the end it is that of the state, however the state was reached.
TEST(ShockViscosity, DoesNotDependOnTheFirstStep) {
  Folder folder;
  write_square(folder, 12, mesh::CellStyle::random_triangles);
  std::vector<double> forces;
  for (const char* first : {"1", "5", "20"}) {
    const Outcome found = run(folder, oblique_shock(by_newton, ""), {std::string("solver.first_cfl=") + first});
    EXPECT_EQ(found.report.status, "steady") << first;
    EXPECT_EQ(found.report.limiter.at("frozen"), 0) << first;
    forces.push_back(found.report.forces.at(0).force.pressure[1]);
  }
  EXPECT_NEAR(forces[1], forces[0], 1e-7 * std::abs(forces[0]));
  EXPECT_NEAR(forces[2], forces[0], 1e-7 * std::abs(forces[0]));
}

TEST(ShockViscosity, OfAnObliqueShockConvergesInSpace) {
  Folder folder;
  mesh::write_gmsh(mesh::make_box({8, 1, 8}, {1, 1, 1}, 0, Shape::hexahedron), folder / "square.msh");
  expect_oblique_shock(run(folder, oblique_shock(by_newton, "", 1, true)), 2);
}

/// Half of a stream at Mach 3 that meets a cylinder of radius 1: quadrilaterals between it and an ellipse ahead of the
/// shock.
void write_blunt_body(const Folder& folder) {
  mesh::Mesh mesh = mesh::make_rectangle(12, 8, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals);
  for (auto& node : mesh.nodes) {
    const double angle = node[1] * std::numbers::pi / 2;
    node = {-(1 + 1.1 * (1 - node[0])) * std::cos(angle), (1 + 3.4 * (1 - node[0])) * std::sin(angle)};
  }
  mesh::write_gmsh(mesh, folder / "square.msh");
}

/// The way to the shock leads through states near vacuum, at which no part of a step is admissible. The pressure at the
/// stagnation point is Rayleigh's: J. W. Strutt, Proc. R. Soc. Lond. A 84 (1910) 247.
TEST(ShockViscosity, OfABowShockConvergesPastStatesNearVacuum) {
  Folder folder;
  write_blunt_body(folder);
  const std::string stream = "density = 1\nvelocity_x = 3\nvelocity_y = 0\npressure = \"1/1.4\"\n";
  const Outcome found = run(
      folder,
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\nriemann = \"llf\"\n"
      "[shock]\n[time]\n" +
          by_newton + "[initial]\n" + stream + "[boundary.left]\ntype = \"far-field\"\n" + stream +
          "[boundary.right]\ntype = \"slip-wall\"\n[boundary.bottom]\ntype = \"symmetry\"\n[boundary.top]\n"
          "type = \"supersonic-outflow\"\n[output]\nsolution = false\n[output.probe.nose]\npoint = [-1, 0]\n"
          "fields = [\"pressure\"]\n");
  EXPECT_EQ(found.report.status, "steady");
  const std::string table = files::read_file(folder / "out/probe_nose.csv");
  EXPECT_NEAR(std::stod(table.substr(table.rfind(',') + 1)) * gamma, 12.061, 0.04 * 12.061);
}

/// What Newton's method knows of viscosity means nothing where a run goes on without it.
TEST(ShockViscosity, IsForgottenByNewtonsMethodWithoutIt) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = oblique_shock(by_newton, "method = \"viscosity\"\n");
  ASSERT_EQ(run(folder, text).report.status, "steady");
  const auto end = folder / "with.h5";
  std::filesystem::rename(folder / "out/checkpoint_final.h5", end);
  const long steps = files::read_checkpoint(end).step;
  const std::vector<std::string> without = {"shock=", fmt::format("time.max_steps={}", steps + 40)};
  const Outcome found = run(folder, text, without, {.device = "cpu", .restart = end});
  EXPECT_GT(found.report.time.steps, steps);
  EXPECT_FALSE(found.report.limiter.contains("viscosity"));
}

/// A state with frozen viscosity goes on in time, where it follows the flow, and without viscosity.
TEST(ShockViscosity, ThawsWhereNoSteadyStateIsSought) {
  Folder folder;
  write_square(folder, 4);
  const std::string shock = "method = \"viscosity\"\nfreeze = 1\n",
                    local = oblique_shock(
                        "scheme = \"ssprk33\"\ncfl = 0.4\nlocal = true\nsteady = 1e-13\nmax_steps = 25\n", shock);
  ASSERT_EQ(run(folder, local).report.limiter.at("frozen"), 1);
  const auto frozen = folder / "frozen.h5";
  std::filesystem::rename(folder / "out/checkpoint_final.h5", frozen);
  const solver::RunOptions restart = {.device = "cpu", .restart = frozen};
  const std::string in_time = oblique_shock("scheme = \"ssprk33\"\nend = 1e9\nmax_steps = 30\n", shock);
  const Outcome followed = run(folder, in_time, {}, restart);
  EXPECT_EQ(followed.report.limiter.at("frozen"), 0);
  const Outcome bare = run(folder, local, {"shock=", "time.max_steps=26"}, restart);
  EXPECT_EQ(bare.report.time.steps, 26);
}

/// In time, and frozen by local steps.
TEST(ShockViscosity, GoesOnWithTheSameBits) {
  for (const std::string time :
       {"scheme = \"ssprk33\"\nend = 1\n", "scheme = \"ssprk33\"\ncfl = 0.4\nlocal = true\nsteady = 1e-13\n"}) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = oblique_shock(time + "max_steps = 25\n", "method = \"viscosity\"\nfreeze = 1\n");
    const Outcome whole = run(folder, text);
    const Outcome continued =
        run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_00000010.h5"});
    EXPECT_EQ(continued.coefficients, whole.coefficients) << time;
    EXPECT_EQ(continued.report.limiter, whole.report.limiter);
  }
}

TEST(ShockViscosity, DoesNotDependOnUnits) {
  Folder folder;
  write_square(folder, 4);
  const std::string time = "scheme = \"ssprk33\"\nend = 0.1\nmax_steps = 30\n", shock = "method = \"viscosity\"\n";
  const std::vector<double> one = run(folder, oblique_shock(time, shock)).coefficients,
                            other = run(folder, oblique_shock(time, shock, 4)).coefficients;
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(other[i], 4 * one[i]) << i;
}

}  // namespace
}  // namespace galerna::tests
