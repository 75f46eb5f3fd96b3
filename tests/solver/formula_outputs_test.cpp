// Fields and integrals by formulas, from the case to the files.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// Value of a further field at a point, by name.
double value(const analysis::FieldSet& fields, const std::string& name, const std::vector<double>& state, double x = 0,
             double y = 0, double t = 0) {
  for (const analysis::FurtherField& field : fields.further)
    if (field.name == name) return field.evaluate(x, y, 0, t, state.data());
  ADD_FAILURE() << "no field " << name;
  return 0;
}

std::string wave(const std::string& more, int order = 2) {
  return std::string(periodic_square) + density_wave + more + "[discretization]\norder = " + std::to_string(order) +
         "\n[time]\ncfl = 0.5\nend = 0.05\n";
}

class FormulaOutputs : public ::testing::Test {
 protected:
  FormulaOutputs() { write_square(folder, 6); }
  Folder folder;
};

/// Those that run nothing.
class QuickFormulaOutputs : public FormulaOutputs {};

TEST_F(QuickFormulaOutputs, GasQuantitiesAreThoseOfTheFields) {
  const auto fields = solver::case_fields(
      settings(folder, wave("[output.fields]\na = \"velocity_x\"\nb = \"velocity_y\"\nc = \"pressure\"\nd = \"mach\"\n"
                            "e = \"temperature\"\nf = \"entropy\"\n")));
  const std::vector<double> state = {1.3, 0.4, -0.7, 2.9};
  std::vector<double> own(fields.names.size());
  fields.evaluate(state.data(), own.data());
  const char* names[] = {"velocity_x", "velocity_y", "pressure", "mach", "temperature", "entropy"};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(value(fields, std::string(1, static_cast<char>('a' + i)), state),
                own[static_cast<std::size_t>(fields.find(names[i]))], 1e-14)
        << names[i];
}

TEST_F(QuickFormulaOutputs, ReadyMadeFieldsAreThoseOfTheFlow) {
  const auto fields = solver::case_fields(settings(folder, wave("")));
  EXPECT_EQ(fields.listed_names(), fields.names);  // shown only where they are asked for
  // Density 2 + 0.1x − 0.2y; velocity a rotation by 1.5 with a strain: (0.3x − 1.5y, 1.5x + 0.4y).
  const double x = 0.7, y = -0.4, r = 2 + 0.1 * x - 0.2 * y, u = 0.3 * x - 1.5 * y, v = 1.5 * x + 0.4 * y;
  const std::vector<double> state = {
      r, r * u, r * v, 9, 0.1, 0.1 * u + r * 0.3, 0.1 * v + r * 1.5, 0, -0.2, -0.2 * u - r * 1.5, -0.2 * v + r * 0.4,
      0};
  EXPECT_NEAR(value(fields, "vorticity", state), 3, 1e-13);
  EXPECT_NEAR(value(fields, "divergence", state), 0.7, 1e-13);
  EXPECT_NEAR(value(fields, "schlieren", state), std::hypot(0.1, 0.2), 1e-13);
}

TEST_F(QuickFormulaOutputs, FieldsMayUseOneAnotherPlaceAndTime) {
  const auto fields = solver::case_fields(
      settings(folder, wave("[output.fields]\nb = \"2*c + t\"\na = \"b + x\"\nc = \"ddx(density)*y\"\n"
                            "schlieren = \"abs(ddx(density))\"\n")));
  std::vector<double> state(12, 0.0);
  state[0] = 1;
  state[4] = -3;
  EXPECT_NEAR(value(fields, "a", state, 0.5, 2, 10), 2 * -6 + 10 + 0.5, 1e-14);
  EXPECT_EQ(value(fields, "schlieren", state), 3);  // the case's own in place of the ready-made one
  EXPECT_EQ(fields.find("a"), static_cast<int>(fields.names.size()));
}

TEST_F(QuickFormulaOutputs, OfUserEquationsUseTheirVariables) {
  const std::string header = std::string(GALERNA_SOURCE_DIR) + "/cases/shallow-water/shallow_water.hpp";
  const std::string head = std::string(periodic_square) + "[equations]\ntype = \"user\"\nheader = \"" + header +
                           "\"\nname = \"ShallowWater\"\nvariables = [\"depth\", \"momentum_x\", \"momentum_y\"]\n"
                           "[equations.parameters]\ngravity = 9.81\n[initial]\ndepth = 1\nmomentum_x = 0\n"
                           "momentum_y = 0\n[discretization]\norder = 2\n[time]\ncfl = 0.5\nend = 1\n[output.fields]\n";
  const auto water = solver::case_fields(
      settings(folder, head + "velocity_x = \"momentum_x/depth\"\nvelocity_y = \"momentum_y/depth\"\n"));
  const std::vector<double> state = {2, 0, 0, 0, 0, 8, 0, -6, 0};
  EXPECT_NEAR(value(water, "vorticity", state), 4 + 3, 1e-14);
  EXPECT_EQ(water.find("schlieren"), -1);  // it has no density
  EXPECT_EQ(water.find("pressure"), -1);
  EXPECT_EQ(solver::case_fields(settings(folder, head + "fast = \"momentum_x\"\n")).find("vorticity"), -1);
}

TEST_F(QuickFormulaOutputs, WhatIsNotThereIsSaidWithItsKey) {
  const auto message = [&](const std::string& more, int order = 2) -> std::string {
    const case_file::Settings all = settings(folder, wave(more, order));
    std::string text;
    for (const Problem& problem : solver::check_outputs(all, solver::make_mesh(all))) text += format(problem) + "\n";
    return text;
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  EXPECT_EQ(message("[output.probe.p]\npoint = [0.5, 0.5]\nfields = [\"vorticity\", \"mach\"]\n"), "");
  expect(message("[output.probe.p]\npoint = [0.5, 0.5]\nfields = [\"vortcity\"]\n"),
         "output.probe.p.fields: unknown field \"vortcity\"; did you mean \"vorticity\"?");
  expect(message("[output.probe.p]\npoint = [0.5, 0.5]\nfields = [\"mach\", \"energy\", \"mach\"]\n"),
         "output.probe.p.fields: the field \"mach\" is named twice; name it once");
  expect(message("[output.picture.p]\nfield = \"presure\"\n"),
         "output.picture.p: unknown field \"presure\"; did you mean \"pressure\"?");
  expect(message("[output.fields]\ndensity = \"2\"\n"), "output.fields.density: there is a field of that name");
  expect(message("[output.integral.lift]\nformula = 1\nboundary = \"wall\"\n"),
         "output.integral.lift: unknown boundary \"wall\"; there is none");
  expect(message("[output.integral.mass]\nformula = 1\nregion = \"gas\"\n"),
         "output.integral.mass: unknown region \"gas\"; there is none");
  const std::string isolines = "[output.picture.p]\nisolines = {min = 0, max = 1, count = 3}\n";
  EXPECT_EQ(message(isolines), "");
  expect(message(isolines, 0), "case.toml:");
  expect(message(isolines, 0), "output.picture.p.isolines: at discretization.order = 0");
}

TEST_F(FormulaOutputs, AnIntegralThatIsNoNumberIsNamed) {
  Silent silent;
  solver::Simulation simulation(
      settings(folder, wave("[output.integral.bad]\nformula = \"log(density - 1)\"\n[output.integral.mass]\n"
                            "formula = \"density\"\n")),
      {.device = "cpu"}, silent);
  const files::Report report = simulation.run();
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].name, "integral-is-no-number");
  EXPECT_EQ(report.warnings[0].where, "output.integral.bad");
  EXPECT_NE(report.warnings[0].message.find("the integral bad of \"log(density - 1)\""), std::string::npos);
  EXPECT_NE(std::find(silent.messages.begin(), silent.messages.end(), "warning: " + report.warnings[0].message),
            silent.messages.end());
}

TEST_F(FormulaOutputs, FieldsThatAreNoNumbersInFilesAndPicturesAreNamed) {
  const std::string fields =
      "[output.fields]\nhalf = \"sqrt(x - 0.5)\"\npole = \"density/(x - x)\"\nunseen = \"log(-1)\"\n";
  const files::Report report = run(folder, wave(fields + "[output.picture.pole]\nwidth = 200\nfield = \"pole\"\n"),
                                   {"output.solution={fields=[\"half\"]}"})
                                   .report;
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_EQ(report.warnings[0].name, "field-is-no-number");
  EXPECT_EQ(report.warnings[0].where, "half");
  EXPECT_NE(report.warnings[0].message.find("the field half is not a number in files or pictures, first"),
            std::string::npos);
  EXPECT_EQ(report.warnings[0].numbers.at("time"), 0);
  EXPECT_EQ(report.warnings[1].where, "pole");
  EXPECT_NE(report.warnings[1].message.find("the field pole is infinite"), std::string::npos);
}

TEST_F(FormulaOutputs, IntegralsAreColumnsOfTheMonitorAndStandInTheReport) {
  const Outcome result =
      run(folder,
          wave("[output.monitor]\nsteps = 5\n[output.integral.mass]\nformula = \"density\"\n[output.integral.error]\n"
               "formula = \"(density - wave)^2\"\n[output.integral.lower_half]\nformula = \"where(y < 0.5, 1, 0)\"\n"
               "[output.probe.p]\npoint = [0.3, 0.4]\nfields = [\"divergence\"]\n"));
  std::ifstream monitor(folder / "out" / "monitor.csv");
  std::string header, line, last;
  std::getline(monitor, header);
  EXPECT_TRUE(header.ends_with(",error,lower_half,mass")) << header;
  int rows = 0;
  for (; std::getline(monitor, line); ++rows) last = line;
  EXPECT_GT(rows, 2);
  std::vector<double> cells;
  std::istringstream parts(last);
  for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(std::stod(cell));
  const double mass = cells.back(), error = cells.at(cells.size() - 3);
  EXPECT_NEAR(mass, result.report.conservation.at(0).end, 1e-13);
  EXPECT_NEAR(std::sqrt(error), result.report.errors.at(0).l2, 1e-3 * result.report.errors.at(0).l2);
  ASSERT_EQ(result.report.integrals.size(), 3u);
  EXPECT_EQ(result.report.integrals[2].first, "mass");
  EXPECT_EQ(result.report.integrals[2].second, mass);
  EXPECT_NEAR(result.report.integrals[1].second, 0.5, 0.02);
  std::ifstream probe(folder / "out" / "probe_p.csv");
  std::getline(probe, header);
  EXPECT_EQ(header, "time,x,y,z,divergence");
}

}  // namespace
}  // namespace galerna::tests
