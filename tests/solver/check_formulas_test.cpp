// `check` and `run` refuse formulas that nothing can be computed with, by name and place.
#include "solver/check_formulas.hpp"

#include <gtest/gtest.h>

#include <map>

#include "solver/check_initial.hpp"
#include "solver/make_mesh.hpp"
#include "solver/polytopic/polytopic_formulas.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const char* channel = R"toml(
[mesh]
file = "square.msh"
[equations]
type = "navier-stokes"
mu = 0.01
[discretization]
order = 2
[time]
cfl = 0.5
end = 0.01
[initial]
density = 1
velocity_x = 0.3
velocity_y = 0
pressure = 1
[boundary.left]
type = "far-field"
density = 1
velocity_x = 0.3
velocity_y = 0
pressure = 1
[boundary.right]
type = "subsonic-outflow"
pressure = 1
[boundary.bottom]
type = "no-slip-isothermal"
temperature = 1
[boundary.top]
type = "subsonic-inflow"
total_pressure = 1.1
total_temperature = 1
direction_x = 1
direction_y = 0
)toml";

class QuickFormulas : public ::testing::Test {
 protected:
  QuickFormulas() { write_square(folder, 4); }

  /// What is said of the case where the run begins.
  std::string said(const std::vector<std::string>& set, double time = 0,
                   solver::FormulaUse use = solver::FormulaUse::start) const {
    const case_file::Settings all = settings(folder, channel, set);
    const mesh::Mesh mesh = solver::make_mesh(all);
    try {
      solver::require_usable_formulas(all, mesh, time, use);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  std::string said_of_start(const std::vector<std::string>& set) const {
    const case_file::Settings all = settings(folder, channel, set);
    try {
      solver::require_physical_initial_state(all, solver::make_mesh(all));
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  Folder folder;
};

TEST_F(QuickFormulas, ThatCannotBeUsedAreNamedWithTheirPlaces) {
  EXPECT_EQ(said({}), "");
  const std::pair<std::string, std::string> rows[] = {
      {"boundary.right.pressure=-1", "boundary.right.pressure = -1 is not positive at (1, "},
      {"boundary.right.pressure=\"0/0\"", "boundary.right.pressure = \"0/0\" is not a number at (1, "},
      {"boundary.right.pressure=\"y - 0.5\"", "boundary.right.pressure = \"y - 0.5\" is -0."},
      {"boundary.left.density=-1", "boundary.left.density = -1 is not positive at (0, "},
      {"boundary.left.pressure=\"1/(x - x)\"", "boundary.left.pressure = \"1/(x - x)\" is infinite at (0, "},
      {"boundary.bottom.temperature=-1", "boundary.bottom.temperature = -1 is not positive at ("},
      {"boundary.top.total_temperature=-1", "boundary.top.total_temperature = -1 is not positive"},
      {"boundary.top.direction_x=0", "give a direction of any length but 0"},
      {"source.density=\"log(0 - x)\"", "source.density = \"log(0 - x)\" is not a number at ("},
      {"source.density=\"log(0 - density)\"", "source.density = \"log(0 - density)\" is not a number at ("},
      {"exact={density=\"0/0\", velocity_x=0, velocity_y=0, pressure=1}", "exact.density = \"0/0\" is not a number"},
      {"boundary.left={type=\"far-field\", density=1, momentum_x=2, momentum_y=0, energy=1}",
       "boundary.left.energy = 1 leaves the pressure -0.4 at (0, "},
      {"boundary.left={type=\"dirichlet\", density=\"0/0\", velocity_x=0, velocity_y=0, pressure=1}",
       "boundary.left.density = \"0/0\""}};
  for (const auto& [set, message] : rows) EXPECT_NE(said({set}).find(message), std::string::npos) << set << said({set});
}

TEST_F(QuickFormulas, AreNamedWithLineAndColumn) {
  std::string text = channel;
  text.replace(text.find("pressure = 1\n[boundary.bottom]"), 12, "pressure = -1");
  const case_file::Settings all = settings(folder, text);
  const auto problems = solver::unusable_formulas(all, solver::make_mesh(all), 0, solver::FormulaUse::start);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].place.line, 25);
  EXPECT_EQ(problems[0].place.column, 12);
}

TEST_F(QuickFormulas, AreTakenAtTheTimeOfTheirUse) {
  const std::string set = "boundary.right.pressure=\"sqrt(1 - t)\"";
  EXPECT_EQ(said({set}), "");
  EXPECT_NE(said({set}, 2, solver::FormulaUse::restart).find("t = 2"), std::string::npos);
  EXPECT_EQ(said({"exact={density=\"1/t\", velocity_x=0, velocity_y=0, pressure=1}"}), "");
  // What uses the solution is not known later.
  EXPECT_EQ(said({"source.density=\"log(0 - density)\""}, 1, solver::FormulaUse::restart), "");
}

TEST_F(QuickFormulas, OfAFlowThatFailsByThemAreNamed) {
  const case_file::Settings all = settings(
      folder, channel, {"boundary.right.pressure=\"sqrt(0.005 - t)/sqrt(0.005 - t)\"", "output.solution=false"});
  Silent observer;
  const files::Report report = solver::Simulation(all, {"cpu"}, observer).run();
  ASSERT_EQ(report.status, "failed");
  EXPECT_NE(report.failure->what.find(
                "boundary.right.pressure = \"sqrt(0.005 - t)/sqrt(0.005 - t)\" is not a number at (1, "),
            std::string::npos)
      << report.failure->what;
}

TEST_F(QuickFormulas, OfTheInitialStateAreProjected) {
  EXPECT_EQ(said_of_start({}), "");
  const std::string jump = "initial.pressure=\"where(x < 0.37, 1, 1e-4)\"";
  EXPECT_NE(said_of_start({jump}).find("overshoot at jumps: give the case a section [shock]"), std::string::npos);
  EXPECT_EQ(said_of_start({jump, "discretization.order=0"}), "");
  EXPECT_EQ(said_of_start({jump, "shock={}"}), "") << "means are positive";
  EXPECT_NE(said_of_start({"initial.pressure=\"x - 0.5\""}).find("initial.pressure = \"x - 0.5\" is -"),
            std::string::npos);
  EXPECT_NE(said_of_start({"initial.density=\"0/0\""}).find("initial.density = \"0/0\" is not a number at ("),
            std::string::npos);
}

/// The run projects on the device, the check here.
TEST_F(QuickFormulas, OfTheInitialStateAreRefusedWhereTheRunRefusesThem) {
  for (const auto style : {mesh::CellStyle::random_triangles, mesh::CellStyle::quadrilaterals}) {
    write_square(folder, 4, style);
    int refused = 0;
    for (const char* least : {"0.3", "0.1", "0.03", "1e-2", "1e-4"}) {
      const std::string jump = std::string("initial.pressure=\"where(x < 0.4, 1, ") + least + ")\"";
      const std::string here = said_of_start({jump});
      const case_file::Settings all = settings(folder, channel, {jump, "output.solution=false"});
      Silent observer;
      try {
        solver::Simulation(all, {"cpu"}, observer);
        EXPECT_EQ(here, "");
      } catch (const InputError& error) {
        EXPECT_EQ(here, error.what());
        ++refused;
      }
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(refused, 5);
  }
}

TEST_F(QuickFormulas, OfPolytopesAreRefusedWithTheirPlace) {
  const std::string text = std::string("[mesh]\nfile = \"square.msh\"\n[equations]\n") +
                           "type = \"advection-diffusion-reaction\"\ndiffusion = 1\nsource = \"0/0\"\n[functions]\nu = "
                           "\"x\"\n[discretization]\norder = 1\n" +
                           prescribed_sides;
  const auto said_of = [&](const std::vector<std::string>& set) {
    const case_file::Settings all = settings(folder, text, set);
    const solver::PolytopicMesh mesh = solver::make_polytopic_mesh(all);
    const auto spec = solver::make_polytopic_spec(all, mesh.mesh, device::Precision::double_precision);
    try {
      solver::require_finite_formulas(all, mesh, spec, solver::make_degrees(all, mesh.polytopes));
      return Problem{};
    } catch (const InputError& error) {
      return error.problems().front();
    }
  };
  const Problem source = said_of({});
  EXPECT_EQ(source.place.line, 6);
  EXPECT_EQ(source.text.find("the source \"0/0\" is not a number on polytope 0 at ("), 0U) << source.text;
  EXPECT_EQ(said_of({"equations.source=1"}).text, "");
  const Problem exact = said_of({"equations.source=1", "exact.value=\"log(x)\""});
  EXPECT_EQ(exact.text.find("the exact solution \"log(x)\" is infinite on polytope "), 0U) << exact.text;
  // In the third of four slabs.
  const std::vector<std::string> slabs = {"time.end=1", "time.slabs=4", "initial.value=0"};
  const auto in_time = [&](const std::string& formula) {
    return said_of({slabs[0], slabs[1], slabs[2], "equations.source=1", formula}).text;
  };
  EXPECT_EQ(in_time("equations.source=\"log(2 - t)\""), "");
  EXPECT_NE(in_time("equations.source=\"log(0.6 - t)\"").find("the source \"log(0.6 - t)\" is not a number"),
            std::string::npos);
  EXPECT_NE(in_time("boundary.left.value=\"sqrt(0.6 - t)\"").find("the value of boundary left"), std::string::npos)
      << in_time("boundary.left.value=\"sqrt(0.6 - t)\"");
}

}  // namespace
}  // namespace galerna::tests
