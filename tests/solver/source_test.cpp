// Source terms by formulas: manufactured solutions.
#include <gtest/gtest.h>

#include <cmath>

#include "case_names.hpp"
#include "compiles.hpp"
#include "dg/plan_sets.hpp"
#include "solver/case_programs.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// ρ = 2 + 0.1 sin 2π(x + y − t), v = (1, 1), E = ρ² solves the Euler equations with these sources.
const char* manufactured = R"toml(
[functions]
rho = "2 + 0.1*sin(2*pi*(x + y - t))"
slope = "0.2*pi*cos(2*pi*(x + y - t))"
pressure_slope = "0.4*(2*rho - 1)*slope"
[equations]
type = "euler"
[initial]
density = "rho"
momentum_x = "rho"
momentum_y = "rho"
energy = "rho^2"
[exact]
density = "rho"
momentum_x = "rho"
momentum_y = "rho"
energy = "rho^2"
[source]
density = "slope"
momentum_x = "slope + pressure_slope"
momentum_y = "slope + pressure_slope"
energy = "2*density*slope + 2*pressure_slope"
[output]
solution = false
)toml";

std::string manufactured_case(int order) {
  return std::string(periodic_square) + manufactured +
         "[discretization]\nriemann = \"hllc\"\norder = " + std::to_string(order) +
         "\n[time]\nscheme = \"ssprk54\"\nend = 0.1\ncfl = " + (order < 4 ? "0.5" : "0.15") + "\n";
}

class ManufacturedEuler : public ::testing::TestWithParam<int> {};

TEST_P(ManufacturedEuler, ConvergesWithTheDegreePlusOne) {
  const int p = GetParam();
  Folder folder;
  write_square(folder, 10);
  const auto errors = [&](const char* refine) { return run(folder, manufactured_case(p), {refine}).report.errors; };
  const auto coarse = errors("mesh.refine=0"), fine = errors("mesh.refine=1");
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_GE(std::log2(coarse[v].l2 / fine[v].l2), p + 0.8)
        << coarse[v].variable << " " << coarse[v].l2 << " " << fine[v].l2;
}
INSTANTIATE_TEST_SUITE_P(Degrees, ManufacturedEuler, ::testing::Range(1, 4), CaseName{});

/// A gas at rest that loses half of its density in a unit of time: dρ/dt = −ρ/2 at every point.
std::string decay_case(int order) {
  const std::string at_rest = "momentum_x = 0\nmomentum_y = 0\nenergy = 2.5\n";
  return std::string(periodic_square) +
         "[equations]\ntype = \"euler\"\n[discretization]\norder = " + std::to_string(order) +
         "\n[time]\nstep = 0.01\nend = 0.5\n[initial]\ndensity = 1\n" + at_rest + "[exact]\ndensity = \"exp(-t/2)\"\n" +
         at_rest + "[source]\ndensity = \"-density/2\"\n";
}

TEST(Source, OfTheSolutionActsAtEveryDegree) {
  Folder folder;
  write_square(folder, 4);
  for (const int order : {0, 1, 3}) {
    const auto report = run(folder, decay_case(order)).report;
    for (const auto& error : report.errors) EXPECT_LT(error.linf, 1e-10) << error.variable << ", p = " << order;
  }
}

TEST(Source, IsWhatTheConservationReportIsLeftWith) {
  Folder folder;
  write_square(folder, 4);
  const auto report = run(folder, decay_case(2)).report;
  ASSERT_TRUE(report.conservation.at(0).source);
  EXPECT_NEAR(*report.conservation[0].source, std::exp(-0.25) - 1, 1e-10);
  EXPECT_NEAR(*report.conservation[3].source, 0, 1e-13);
}

TEST(Source, LeavesTilesOut) {
  Folder folder;
  write_square(folder, 2);
  const device::Target target{device::Kind::cuda, device::cuda_lanes, true};
  case_file::Settings with = settings(folder, manufactured_case(3));
  const mesh::Mesh mesh = solver::make_mesh(with);
  const auto structure = [&] {
    const dg::Spec spec = solver::make_spec(with, mesh, device::Precision::double_precision);
    return std::string(dg::plan_sets(mesh, spec, target)[0].structure->name);
  };
  EXPECT_EQ(structure(), "threads");
  with.source.clear();
  EXPECT_EQ(structure(), "tiles-64");
}

TEST(Source, CompilesForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  Folder folder;
  write_square(folder, 2);
  for (const int order : {0, 2})
    for (const auto& program :
         solver::make_programs(settings(folder, manufactured_case(order)),
                               {device::Kind::cuda, device::cuda_lanes, true}, device::Precision::double_precision))
      tests::expect_compiles(program, "sm_90");
}

TEST(Source, InSinglePrecisionAgrees) {
  Folder folder;
  write_square(folder, 6);
  const auto twice = run(folder, manufactured_case(2));
  const auto once =
      run(folder, manufactured_case(2), {}, {.device = "cpu", .precision = device::Precision::single_precision});
  EXPECT_LT(relative_difference(twice.coefficients, once.coefficients), 1e-5);
}

TEST(Source, OnTheGpuAgreesWithTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  Folder folder;
  write_square(folder, 8);
  for (const int order : {1, 3})
    EXPECT_LT(relative_difference(
                  run(folder, manufactured_case(order), {"time.max_steps=20"}).coefficients,
                  run(folder, manufactured_case(order), {"time.max_steps=20"}, {.device = "cuda"}).coefficients),
              1e-12);
}

}  // namespace
}  // namespace galerna::tests
