// Steady states by Newton's method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "files/atomic_file.hpp"
#include "mesh/box.hpp"
#include "solver/newton_settings.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A viscous stream over a wall whose temperature varies, between far fields.
std::string over_a_wall(const std::string& type, const std::string& time, int order = 2) {
  const std::string stream = "density = 1\nvelocity_x = 0.4\nvelocity_y = 0.05\npressure = 1\n";
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"" + type + "\"\n" +
      (type == "euler" ? "" : "mu = 0.02\nprandtl = 0.72\n") + "[discretization]\norder = " + std::to_string(order) +
      "\n[initial]\ndensity = \"1 + 0.1*sin(3*x + y)\"\nvelocity_x = 0.4\nvelocity_y = 0\npressure = \"1 + "
      "0.1*cos(4*x)\"\n[output]\nsolution = false\n[output.checkpoint]\nsteps = 4\n[boundary.bottom]\ntype = \"" +
      (type == "euler" ? "slip-wall" : "no-slip-adiabatic") + "\"\n";
  for (const char* side : {"left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"far-field\"\n" + stream;
  return text + "[time]\n" + time;
}

double largest_difference_of(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(QuickNewton, FindsTheSteadyStateOfStepsInTime) {
  for (const std::string type : {"euler", "navier-stokes"}) {
    Folder folder;
    write_square(folder, 4);
    const Outcome newton = run(folder, over_a_wall(type, "scheme = \"newton\"\nsteady_residual = 1e-11\n"));
    EXPECT_EQ(newton.report.status, "steady") << type;
    EXPECT_LE(newton.report.residual.at("relative"), 1e-11);
    EXPECT_LT(newton.report.time.rhs_evaluations, 2000);
    const Outcome explicit_run =
        run(folder, over_a_wall(type, "scheme = \"ssprk54\"\ncfl = 0.9\nlocal = true\nsteady_residual = 1e-11\n"));
    EXPECT_EQ(explicit_run.report.status, "steady") << type;
    EXPECT_LT(largest_difference_of(newton.coefficients, explicit_run.coefficients), 1e-8) << type;
    EXPECT_LT(10 * newton.report.time.rhs_evaluations, explicit_run.report.time.rhs_evaluations) << type;
  }
}

/// Flow through a far field along the stream turns round from place to place; there, too, the residual has a
/// derivative.
TEST(Newton, ConvergesBetweenFarFieldsAlongTheStream) {
  for (const std::string type : {"euler", "navier-stokes"}) {
    Folder folder;
    write_square(folder, 8);
    std::string text = over_a_wall(type, "scheme = \"newton\"\nsteady_residual = 1e-10\n");
    for (std::size_t at; (at = text.find("velocity_y = 0.05")) != std::string::npos;) text.erase(at + 14, 3);
    EXPECT_EQ(run(folder, text).report.status, "steady") << type;
  }
}

TEST(Newton, ReachesTheSameStateWithEveryPreconditioner) {
  Folder folder;
  write_square(folder, 4);
  const std::string time = "scheme = \"newton\"\nsteady_residual = 1e-11\n";
  std::vector<Outcome> outcomes;
  for (const char* name : {"ilu", "lines", "blocks", "none"})
    outcomes.push_back(
        run(folder, over_a_wall("navier-stokes", time) + "[solver]\npreconditioner = \"" + name + "\"\n"));
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.report.status, "steady");
    EXPECT_LT(largest_difference_of(outcome.coefficients, outcomes.front().coefficients), 1e-8);
  }
}

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::vector<double> column(const std::string& name) const {
    const auto at = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
    std::vector<double> numbers;
    for (const auto& row : rows) numbers.push_back(row.at(at));
    return numbers;
  }
};

Table read_table(const std::filesystem::path& file) {
  Table table;
  std::istringstream text(files::read_file(file));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
    return result;
  };
  std::string line;
  std::getline(text, line);
  table.columns = cells(line);
  while (std::getline(text, line)) {
    auto& row = table.rows.emplace_back();
    for (const std::string& cell : cells(line)) row.push_back(std::stod(cell));
  }
  return table;
}

/// The table of its steps, the monitor and the report agree, and the last force is that of the report.
TEST(Newton, WritesARowForEachStep) {
  Folder folder;
  write_square(folder, 4);
  const Outcome outcome =
      run(folder,
          over_a_wall("navier-stokes", "scheme = \"newton\"\nsteady_residual = 1e-9\n") +
              "[output.monitor]\nsteps = 1\n[output.forces]\ndensity = 1\nvelocity = 0.4\nlength = 1\npressure = 1\n");
  const files::Report& report = outcome.report;
  const Table steps = read_table(folder / "out/newton.csv"), monitor = read_table(folder / "out/monitor.csv");
  ASSERT_EQ(steps.rows.size(), static_cast<std::size_t>(report.time.steps));
  ASSERT_EQ(monitor.rows.size(), steps.rows.size() + 1);  // and the start
  for (const char* name : {"step", "residual_density", "residual_energy", "cd_all", "cl_bottom"}) {
    const std::vector<double> all = monitor.column(name);
    EXPECT_EQ(steps.column(name), std::vector<double>(all.begin() + 1, all.end())) << name;
  }
  EXPECT_EQ(steps.column("relative_residual").back(), report.residual.at("relative"));
  EXPECT_EQ(steps.column("rhs_evaluations").back(), report.time.rhs_evaluations);
  EXPECT_EQ(steps.column("cd_all").back(), report.all_coefficients->drag);

  ASSERT_TRUE(report.newton);
  ASSERT_EQ(report.newton->degrees.size(), 2U);
  ASSERT_EQ(report.levels.size(), 1U);
  std::int64_t evaluations = 0, taken = 0, row = 0;
  for (const files::Report::Newton::Degree& degree : report.newton->degrees) {
    std::int64_t iterations = 0;
    for (std::int64_t k = 0; k < degree.steps; ++k, ++row) {
      EXPECT_EQ(steps.column("degree").at(static_cast<std::size_t>(row)), degree.order);
      iterations += static_cast<std::int64_t>(steps.column("gmres_iterations").at(static_cast<std::size_t>(row)));
    }
    EXPECT_EQ(degree.gmres_iterations, iterations);
    EXPECT_GE(degree.rhs_evaluations, degree.block_evaluations + iterations);
    evaluations += degree.rhs_evaluations;
    taken += degree.steps;
  }
  EXPECT_EQ(evaluations, report.time.rhs_evaluations);
  EXPECT_EQ(taken, report.time.steps);
  EXPECT_EQ(report.levels.front().rhs_evaluations, report.newton->degrees.front().rhs_evaluations);
  EXPECT_GT(report.newton->products, 0);
  EXPECT_GT(report.newton->blocks, 0);
  EXPECT_GT(report.newton->preconditioning, 0);
  EXPECT_LE(report.newton->products + report.newton->blocks + report.newton->preconditioning, report.time.wall_loop);
}

TEST(Newton, RepeatsItselfBitByBit) {
  for (const std::string& device : devices()) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-9\n");
    const Outcome one = run(folder, text, {}, {.device = device});
    const Outcome other = run(folder, text, {}, {.device = device});
    EXPECT_EQ(one.coefficients, other.coefficients);
    EXPECT_EQ(one.report.time.rhs_evaluations, other.report.time.rhs_evaluations);
  }
}

TEST(Newton, GoesOnFromACheckpoint) {
  Folder folder;
  write_square(folder, 4);
  const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-11\n", 1);
  const Outcome whole = run(folder, text);
  const Outcome continued = run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_00000004.h5"});
  EXPECT_EQ(continued.report.status, "steady");
  EXPECT_LT(largest_difference_of(whole.coefficients, continued.coefficients), 1e-9);
}

/// Rows of a table without their seconds, which come last.
std::string without_seconds(const std::string& table) {
  std::istringstream text(table);
  std::string result;
  for (std::string line; std::getline(text, line);) result += line.substr(0, line.rfind(',')) + "\n";
  return result;
}

/// Runs that go on from checkpoints of a run end with the same bits. \param stride steps from one of them to the next
void expect_same_files_after_steps(const Folder& folder, const std::string& text, long stride = 1) {
  const std::vector<std::string> set = {"output.checkpoint.steps=1", "output.monitor.steps=1"};
  const auto file = [&](const std::string& name) { return folder / ("out/" + name); };
  const Outcome whole = run(folder, text, set);
  EXPECT_EQ(whole.report.status, "steady");
  const std::string monitor = files::read_file(file("monitor.csv")), steps = files::read_file(file("newton.csv"));
  const files::Checkpoint end = files::read_checkpoint(file("checkpoint_final.h5"));
  std::filesystem::rename(folder / "out", folder / "whole");
  int with_blocks = 0, degrees_over = 0;
  for (long step = 1; step < whole.report.time.steps; step += stride) {
    std::filesystem::remove_all(folder / "out");
    std::filesystem::create_directory(folder / "out");
    for (const char* name : {"monitor.csv", "newton.csv"}) std::filesystem::copy(folder / "whole" / name, file(name));
    const auto start = folder / "whole" / fmt::format("checkpoint_{:08}.h5", step);
    const files::Checkpoint there = files::read_checkpoint(start);
    with_blocks += there.state.contains("newton_blocks") ? 1 : 0;
    degrees_over += there.state.contains("level_over") ? 1 : 0;
    const Outcome continued = run(folder, text, set, {.device = "cpu", .restart = start});
    const files::Checkpoint found = files::read_checkpoint(file("checkpoint_final.h5"));
    EXPECT_EQ(found.coefficients, end.coefficients) << step;
    EXPECT_EQ(found.step, end.step) << step;
    EXPECT_EQ(found.rhs_evaluations, end.rhs_evaluations) << step;
    EXPECT_EQ(found.state, end.state) << step;
    EXPECT_EQ(files::read_file(file("monitor.csv")), monitor) << step;
    EXPECT_EQ(without_seconds(files::read_file(file("newton.csv"))), without_seconds(steps)) << step;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(with_blocks, 0);
  if (stride == 1) EXPECT_EQ(degrees_over, static_cast<int>(whole.report.levels.size()));
}

TEST(Newton, RestartsWithTheSameBits) {
  Folder folder;
  write_square(folder, 4);
  expect_same_files_after_steps(folder,
                                over_a_wall("navier-stokes", "scheme = \"newton\"\nsteady_residual = 1e-9\n", 2));
}

/// Tetrahedra, with a sequence from constants on.
TEST(Newton, RestartsWithTheSameBitsInSpace) {
  Folder folder;
  mesh::write_gmsh(mesh::make_box({2, 2, 2}), folder / "box.msh");
  std::string text =
      "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[initial]\n"
      "density = \"1 + 0.1*sin(3*x + y)\"\nvelocity_x = 0.4\nvelocity_y = 0\nvelocity_z = 0.1\npressure = 1\n"
      "[output]\nsolution = false\n[boundary.bottom]\ntype = \"slip-wall\"\n";
  for (const char* side : {"left", "right", "top", "front", "back"})
    text += std::string("[boundary.") + side +
            "]\ntype = \"far-field\"\ndensity = 1\nvelocity_x = 0.4\nvelocity_y = 0.05\nvelocity_z = 0\npressure = 1\n";
  expect_same_files_after_steps(folder, text + "[time]\nscheme = \"newton\"\nsteady_residual = 1e-8\nsequence = [0]\n");
}

/// While its artificial viscosity follows the shock, and when it is frozen.
TEST(Newton, RestartsWithTheSameBitsAtAShock) {
  Folder folder;
  write_square(folder, 6);
  const std::string stream = "density = 1\nvelocity_x = 2.46\nvelocity_y = -0.43\npressure = 0.714\n";
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n"
      "riemann = \"hllc\"\n[output]\nsolution = false\n[shock]\nmethod = \"viscosity\"\n[initial]\n" +
      stream + "[boundary.bottom]\ntype = \"slip-wall\"\n[boundary.right]\ntype = \"supersonic-outflow\"\n";
  for (const char* side : {"left", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"dirichlet\"\n" + stream;
  expect_same_files_after_steps(folder, text + "[time]\nscheme = \"newton\"\nsteady_residual = 1e-8\n", 5);
}

/// Lower degrees meet loose criteria before they have done their share; neither that nor a restart counts for the last.
TEST(Newton, MeetsTheCriterionAtTheLastDegree) {
  for (const std::string limit : {"1e-2", "1e-6"}) {
    Folder folder;
    write_square(folder, 4);
    const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = " + limit + "\n", 2);
    for (const char* sequence : {"\"automatic\"", "\"none\"", "[0, 1]"}) {
      const files::Report report = run(folder, text, {std::string("time.sequence=") + sequence}).report;
      EXPECT_EQ(report.status, "steady") << sequence;
      EXPECT_LE(report.residual.at("relative"), std::stod(limit)) << sequence;
    }
    const auto lower = folder / "lower.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", lower);
    for (const char* sequence : {"\"automatic\"", "\"none\""}) {
      const files::Report report =
          run(folder, text, {"discretization.order=3", std::string("time.sequence=") + sequence},
              {.device = "cpu", .restart = lower})
              .report;
      EXPECT_EQ(report.status, "steady") << sequence;
      EXPECT_EQ(report.order, 3);
      EXPECT_LE(report.residual.at("relative"), std::stod(limit)) << sequence;
    }
  }
}

/// Steps in time of the checkpoint are none of Newton's method; its own count through restarts.
TEST(Newton, CountsItsOwnSteps) {
  Folder folder;
  write_square(folder, 4);
  run(folder, over_a_wall("euler", "scheme = \"ssprk54\"\ncfl = 0.5\nmax_steps = 40\n", 1));
  const std::string text =
      over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-11\n", 1) + "[solver]\nnewton_steps = 3\n";
  for (const auto& [most, steps] : {std::pair("3", 43), std::pair("5", 45)}) {
    const auto half = folder / "half.h5";
    std::filesystem::rename(folder / "out/checkpoint_final.h5", half);
    Silent silent;
    solver::Simulation simulation(settings(folder, text, {std::string("solver.newton_steps=") + most}),
                                  {.device = "cpu", .restart = half}, silent);
    const files::Report report = simulation.run();
    EXPECT_EQ(report.status, "step limit");
    EXPECT_EQ(report.time.steps, steps);
    const auto said = [&](const std::string& text) {
      return std::any_of(silent.messages.begin(), silent.messages.end(),
                         [&](const std::string& message) { return message.find(text) != std::string::npos; });
    };
    EXPECT_TRUE(said("solver.newton_steps"));
    EXPECT_TRUE(said(fmt::format("relative residual {:.2e} of 1e-11", report.residual.at("relative"))));
  }
}

TEST(Newton, EndsWhereRoundingKeepsTheResidual) {
  Folder folder;
  write_square(folder, 4);
  const Outcome floor = run(folder, over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-300\n", 1));
  EXPECT_EQ(floor.report.status, "steady");
  EXPECT_EQ(floor.report.steady_by, "round-off floor");
}

/// Its first residual is rounding, of which no part is left to fall.
TEST(Newton, KnowsThatAStreamIsSteadyFromTheStart) {
  Folder folder;
  write_square(folder, 4);
  std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-10\n");
  const auto replace = [&text](const std::string& old, const std::string& by) {
    for (std::size_t at; (at = text.find(old)) != std::string::npos;) text.replace(at, old.size(), by);
  };
  replace("\"1 + 0.1*sin(3*x + y)\"", "1");
  replace("\"1 + 0.1*cos(4*x)\"", "1");
  replace("velocity_y = 0.05", "velocity_y = 0");
  EXPECT_EQ(run(folder, text).report.status, "steady");
}

/// Mass comes into a box with walls all round.
TEST(Newton, KeepsTheStateWhereThereIsNoSteadyOne) {
  Folder folder;
  write_square(folder, 4);
  std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[initial]\n"
      "density = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n[source]\ndensity = 1\n[output]\nsolution = false\n"
      "[time]\nscheme = \"newton\"\nsteady_residual = 1e-9\n";
  for (const char* side : {"bottom", "left", "right", "top"})
    text += std::string("[boundary.") + side + "]\ntype = \"slip-wall\"\n";
  const Outcome outcome = run(folder, text);
  EXPECT_EQ(outcome.report.status, "failed");
  ASSERT_TRUE(outcome.report.failure);
  EXPECT_NE(outcome.report.failure->what.find("no steady state"), std::string::npos);
  EXPECT_EQ(files::read_checkpoint(folder / "out/checkpoint_last_good.h5").step, outcome.report.time.steps);
}

/// Where memory is short it takes the next cheaper preconditioner, and says so; nothing else than what was asked for.
TEST(Newton, TakesAPreconditionerThatFits) {
  Folder folder;
  write_square(folder, 16);
  const std::string text = over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-9\n");
  const case_file::Settings automatic = settings(folder, text);
  const mesh::Mesh mesh = solver::make_mesh(automatic);
  const dg::Spec spec = solver::make_spec(automatic, mesh, device::Precision::double_precision);
  const solver::PlanWith plans = [&](const std::optional<steady::NewtonSettings>& newton) {
    return solver::plan_of(mesh, spec, time::find_scheme(automatic.time.scheme),
                           solver::make_step_settings(automatic, mesh), {}, newton);
  };
  const auto bytes = [&](const case_file::Settings& read) {
    return plans(solver::newton_settings(read))(spec.degree, spec.precision).peak();
  };
  const auto chosen = [&](const case_file::Settings& read, std::size_t free) {
    return *solver::fitting_newton(read, plans, spec, free);
  };
  const std::size_t all = bytes(automatic);
  EXPECT_EQ(chosen(automatic, all).why, "");
  std::size_t last = all;
  for (const std::string name : {"ilu", "blocks", "none"}) {
    steady::NewtonSettings with = *solver::newton_settings(settings(folder, text, {"solver.preconditioner=" + name}));
    with.vectors = 60;
    const std::size_t least = plans(with)(spec.degree, spec.precision).peak();
    EXPECT_LT(least, last) << name;
    const steady::NewtonSettings found = chosen(automatic, least);
    // No elements are stretched: lines are blocks.
    EXPECT_EQ(solver::name_of(found.preconditioner), name == "blocks" ? "lines" : name);
    EXPECT_EQ(found.vectors, 60);
    EXPECT_NE(found.why.find("vectors of GMRES the case needs"), std::string::npos);
    last = least;
  }
  EXPECT_EQ(solver::name_of(chosen(automatic, last - 1).preconditioner), "ilu");
  const case_file::Settings asked = settings(folder, text, {"solver.preconditioner=blocks"});
  EXPECT_EQ(solver::name_of(chosen(asked, 1).preconditioner), "blocks");
}

TEST(Newton, RefusesSinglePrecision) {
  Folder folder;
  write_square(folder, 4);
  try {
    run(folder, over_a_wall("euler", "scheme = \"newton\"\nsteady_residual = 1e-9\n"), {},
        {.device = "cpu", .precision = device::Precision::single_precision});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("needs --precision double"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace galerna::tests
