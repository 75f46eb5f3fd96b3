// Runs on meshes of triangles and quadrilaterals, curved and side by side.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "case_names.hpp"
#include "solver/mixtures.hpp"

namespace galerna::tests {
namespace {

/// The density wave through a boundary where it is given.
std::string wave_through(int order, const std::string& time) {
  return std::string("[mesh]\nfile = \"square.msh\"\n") + density_wave +
         "[discretization]\norder = " + std::to_string(order) + "\nriemann = \"hllc\"\n[time]\n" + time +
         "[boundary.rim]\ntype = \"dirichlet\"\ndensity = \"wave\"\nvelocity_x = 1\nvelocity_y = 0.5\npressure = 1\n";
}

void expect_conserved(const files::Report& report, double tolerance) {
  for (const auto& c : report.conservation)
    EXPECT_LT(std::abs(c.defect), tolerance * (1 + std::abs(c.start))) << c.variable;
}

double density_error(int order, mesh::Index n) {
  Folder folder;
  write_mixture(folder, n, std::max(order, 2));
  const files::Report report = run(folder, wave_through(order, "scheme = \"ssprk54\"\ncfl = 0.4\nend = 0.1\n"),
                                   {"functions.wave=\"1 + 0.2*sin(3*(x - t))*cos(3*(y - 0.5*t))\""})
                                   .report;
  expect_conserved(report, 1e-12);
  return report.errors.at(0).l2;
}

class ElementOrder : public ::testing::TestWithParam<int> {};

TEST_P(ElementOrder, OnCurvedMixturesIsTheDegreePlusOne) {
  const double coarse = density_error(GetParam(), 8), fine = density_error(GetParam(), 16);
  EXPECT_GE(std::log2(coarse / fine), GetParam() + 0.8) << coarse << ", " << fine;
}
INSTANTIATE_TEST_SUITE_P(QuickDegrees, ElementOrder, ::testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, ElementOrder, ::testing::Range(2, 4), CaseName{});

TEST(ElementRun, AccountsForWhatLeavesThroughTheBoundaryOfCurvedMixtures) {
  Folder folder;
  write_mixture(folder, 6, 3);
  const Outcome result = run(folder, wave_through(2, "cfl = 0.6\nend = 0.1\n"));
  EXPECT_EQ(result.report.status, "done");
  EXPECT_EQ(result.report.elements.size(), 2u);
  expect_conserved(result.report, 1e-12);
}

TEST(ElementRun, ContinuesFromACheckpointBitForBit) {
  Folder folder;
  write_mixture(folder, 6, 2);
  const std::string text = wave_through(2, "cfl = 0.6\nend = 0.1\nmax_steps = 20\n");
  const Outcome whole = run(folder, text);
  run(folder, text, {"time.max_steps=7", "output.directory=\"" + (folder / "half").string() + "\""});
  const Outcome continued =
      run(folder, text, {}, {.device = "cpu", .restart = folder / "half" / "checkpoint_final.h5"});
  EXPECT_EQ(whole.coefficients, continued.coefficients);
}

TEST(ElementRun, ControlsTheErrorAndWatchesTheChange) {
  Folder folder;
  write_mixture(folder, 4, 2);
  const Outcome controlled = run(folder, wave_through(2, "scheme = \"ssprk43\"\ntolerance = 1e-5\nend = 0.05\n"));
  EXPECT_EQ(controlled.report.status, "done");
  const std::string steady = wave_through(1, "cfl = 0.5\nsteady = 1e-8\nmax_steps = 4000\n");
  EXPECT_EQ(run(folder, steady,
                {"functions.wave=\"1 + 0.1*x\"", "initial.velocity_x=0", "initial.velocity_y=0",
                 "boundary.rim.velocity_x=0", "boundary.rim.velocity_y=0"})
                .report.status,
            "steady");
}

TEST(ElementRun, PlansItsMemory) {
  Folder folder;
  write_mixture(folder, 6, 3);
  for (const std::string& device : devices())
    for (const auto precision : {device::Precision::double_precision, device::Precision::single_precision}) {
      Silent silent;
      solver::Simulation simulation(settings(folder, wave_through(2, "cfl = 0.5\nend = 1\n")),
                                    {.device = device, .precision = precision}, silent);
      EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used()) << device;
    }
}

TEST(ElementRun, RefusesLimitersOnOtherElementsThanStraightTriangles) {
  Folder folder;
  write_mixture(folder, 4, 2);
  try {
    run(folder, wave_through(1, "cfl = 0.5\nend = 1\n") + "[shock]\nlimiter = \"barth-jespersen\"\n");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(
        std::string(error.what()).find("limits slopes on straight triangles only, but the mesh has quadrilaterals"),
        std::string::npos)
        << error.what();
  }
}

/// Air between a resting wall and a moving one, both at T = 1: u = y, T = 1 + ½ (γ − 1)/γ Pr y (1 − y) at p = 1, an
/// exact solution where μ is constant; fluid enters and leaves as in it.
std::string couette(int order, const std::string& time) {
  const std::string flow =
      "density = \"1/(1 + 0.5*Pr*0.4/1.4*y*(1 - y))\"\nvelocity_x = \"y\"\nvelocity_y = 0\npressure = 1\n";
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[constants]\nPr = 0.72\n[equations]\ntype = \"navier-stokes\"\nmu = 0.1\n"
      "prandtl = 0.72\n[discretization]\norder = " +
      std::to_string(order) + "\n[time]\n" + time + "[initial]\n" + flow + "[exact]\n" + flow +
      "[output]\nsolution = false\n";
  for (const char* side : {"left", "right"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + flow;
  return text +
         "[boundary.bottom]\ntype = \"no-slip-isothermal\"\ntemperature = 1\n"
         "[boundary.top]\ntype = \"moving-wall-isothermal\"\ntemperature = 1\nvelocity_x = 1\nvelocity_y = 0\n";
}

/// \param levels how often each cell of an irregular mesh is divided into four.
double couette_error(int order, int levels, mesh::CellStyle cells) {
  Folder folder;
  write_square(folder, 4, cells, 0.1);
  const Outcome result = run(folder, couette(order, "cfl = 0.8\nend = 0.5\nscheme = \"ssprk33\"\n"),
                             {"mesh.refine=" + std::to_string(levels)});
  EXPECT_EQ(result.report.status, "done");
  expect_conserved(result.report, 1e-11);
  return result.report.errors.at(1).l2;
}

void expect_couette_order(int order, mesh::CellStyle cells, double above_degree) {
  const double coarse = couette_error(order, 0, cells), fine = couette_error(order, 1, cells);
  EXPECT_GT(std::log2(coarse / fine), order + above_degree) << coarse << ", " << fine;
  EXPECT_LT(fine, 1e-3);
}

/// Lines of points in quadrilaterals, sums over all modes in triangles.
class ViscousOrder : public ::testing::TestWithParam<int> {};

TEST_P(ViscousOrder, OfCouetteFlowOnQuadrilateralsIsTheDegreePlusOne) {
  expect_couette_order(GetParam(), mesh::CellStyle::quadrilaterals, 0.8);
}
TEST_P(ViscousOrder, OfCouetteFlowOnTrianglesIsTheDegreePlusOne) {
  expect_couette_order(GetParam(), mesh::CellStyle::triangles, 0.7);
}
INSTANTIATE_TEST_SUITE_P(QuickDegrees, ViscousOrder, ::testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, ViscousOrder, ::testing::Values(2), CaseName{});

TEST(ViscousRun, ContinuesFromACheckpointBitForBitAndPlansItsMemory) {
  Folder folder;
  write_square(folder, 5);
  const std::string text = couette(2, "cfl = 0.8\nend = 1\nmax_steps = 20\n");
  const Outcome whole = run(folder, text);
  run(folder, text, {"time.max_steps=7", "output.directory=\"" + (folder / "half").string() + "\""});
  const solver::RunOptions restart = {.device = "cpu", .restart = folder / "half" / "checkpoint_final.h5"};
  EXPECT_EQ(whole.coefficients, run(folder, text, {}, restart).coefficients);
  Silent silent;
  solver::Simulation simulation(settings(folder, text), {.device = "cpu"}, silent);
  EXPECT_EQ(simulation.memory().held(), simulation.flow().discretization().device().memory_used());
}

/// Without viscosity to speak of, the limited Navier–Stokes equations (element kernels) are the limited Euler equations
/// (the triangles' own kernels), where no boundary prescribes anything that would bound slopes.
/// The sensor of the other limiter has a floor of its own with viscosity.
TEST(ViscousRun, IsLimitedAsWithoutViscosity) {
  Folder folder;
  write_square(folder, 12);
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[discretization]\norder = 1\n[shock]\nlimiter = \"barth-jespersen\"\nneighbours "
      "= \"vertex\"\npositivity = "
      "true\n"
      "[time]\ncfl = 0.3\nend = 0.1\n[initial]\ndensity = \"where(x < 0.5, 1, 0.125)\"\nvelocity_x = 0\nvelocity_y = "
      "0\n"
      "pressure = \"where(x < 0.5, 1, 0.1)\"\n";
  for (const char* side : {"left", "right", "bottom", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"supersonic-outflow\"\n";
  const Outcome inviscid = run(folder, text + "[equations]\ntype = \"euler\"\n"),
                viscous = run(folder, text + "[equations]\ntype = \"navier-stokes\"\nmu = 1e-30\nprandtl = 0.72\n");
  EXPECT_EQ(viscous.report.status, "done");
  ASSERT_EQ(inviscid.coefficients.size(), viscous.coefficients.size());
  EXPECT_LT(relative_difference(inviscid.coefficients, viscous.coefficients), 5e-11);  // of the largest, 1.8
}

}  // namespace
}  // namespace galerna::tests
