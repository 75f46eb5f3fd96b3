// What is known of shocks in each element, in files and in monitor.csv.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/field_sampler.hpp"
#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "solver/make_mesh.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// Gas bursts out of the half of a tube. \param shock keys of [shock] \param output keys behind [output]
std::string burst(const std::string& shock, const std::string& output) {
  return "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n[shock]\n" +
         shock +
         "[initial]\ndensity = \"where(x < 0.5, 1, 0.125)\"\npressure = \"where(x < 0.5, 10, 0.1)\"\nvelocity_x = 0\n"
         "velocity_y = 0\n[time]\nscheme = \"ssprk33\"\ncfl = 0.1\nend = 1\nmax_steps = 40\n" +
         output +
         "[boundary.left]\ntype = \"slip-wall\"\n[boundary.right]\ntype = \"slip-wall\"\n"
         "[boundary.top]\ntype = \"slip-wall\"\n[boundary.bottom]\ntype = \"slip-wall\"\n";
}

const std::string shown = "[output.solution]\nfields = [\"density\", \"sensor\", ",
                  none_shown = "[output]\nsolution = false\n";

class ShockFields : public ::testing::Test {
 protected:
  ShockFields() {
    mesh::write_gmsh(mesh::make_rectangle(20, 2, {0, 0}, {1, 0.1}, mesh::CellStyle::random_triangles, 0.1),
                     folder / "square.msh");
  }

  /// [element] of a field at the end of a run.
  static std::vector<double> values(const analysis::Solution& solution, const std::string& name) {
    std::vector<double> all;
    const analysis::FieldSampler sampler(
        solution, 0, {{0.3, 0.3, 0}},
        analysis::FieldSelection(solution.fields, std::vector<int>{solution.fields.find(name)}));
    for (mesh::Index e = 0; e < solution.mesh->element_count(); ++e) {
      std::vector<double> value;
      sampler.fields(e, value);
      all.push_back(value.at(0));
    }
    return all;
  }

  /// The last column of monitor.csv.
  std::vector<double> shares() const {
    std::istringstream rows(files::read_file(folder / "out/monitor.csv"));
    std::string line;
    std::getline(rows, line);
    EXPECT_TRUE(line.ends_with(",shock_elements")) << line;
    std::vector<double> all;
    while (std::getline(rows, line)) all.push_back(std::stod(line.substr(line.rfind(',') + 1)));
    return all;
  }

  static double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }
  static double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

  std::string problem_of(const std::string& shock, const std::string& output) const {
    const case_file::Settings s = settings(folder, burst(shock, output));
    const mesh::Mesh mesh = solver::make_mesh(s);
    std::string text;
    for (const Problem& problem : solver::check_outputs(s, mesh)) text += problem.text + "\n";
    return text;
  }

  Folder folder;
};

class QuickShockFields : public ShockFields {};

TEST_F(ShockFields, SayWhereTheFilterWorks) {
  mesh::write_gmsh(mesh::make_rectangle(50, 2, {0, 0}, {1, 0.04}, mesh::CellStyle::quadrilaterals, 0),
                   folder / "square.msh");
  Silent silent;
  solver::Simulation simulation(
      settings(folder, burst("method = \"filter\"\n", shown + "\"filter\"]\n[output.monitor]\nsteps = 20\n"),
               {"discretization.order=1"}),
      {.device = "cpu"}, silent);
  const files::Report report = simulation.run();
  const analysis::Solution solution = simulation.flow().solution();
  const std::vector<double> sensor = values(solution, "sensor"), filter = values(solution, "filter");
  EXPECT_EQ(least(sensor), 0);
  EXPECT_GT(largest(sensor), 0);
  EXPECT_LE(largest(sensor), 1);
  EXPECT_GT(largest(filter), 0);
  EXPECT_LE(largest(filter), 1);
  for (std::size_t e = 0; e < sensor.size(); ++e)
    if (sensor[e] == 0) EXPECT_EQ(filter[e], 0) << e;
  const std::string vtu = files::read_file(folder / "out/solution_00000040.vtu");
  EXPECT_NE(vtu.find("Name=\"sensor\""), std::string::npos);
  EXPECT_NE(vtu.find("Name=\"filter\""), std::string::npos);
  EXPECT_NE(vtu.find("Name=\"density\""), std::string::npos);
  // Rows at steps 0, 20 and 40; the shares of both parts are that of the whole, but for the initial state's.
  const std::vector<double> found = shares();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(std::isnan(found[0]));
  EXPECT_GT(found[1], 0);
  EXPECT_NEAR((found[1] + found[2]) / 2, report.limiter.at("filtered"), 0.2 * found[1]);
}

TEST_F(ShockFields, SayWhereViscosityIs) {
  Silent silent;
  solver::Simulation simulation(
      settings(folder, burst("method = \"viscosity\"\n", shown + "\"viscosity\"]\n[output.monitor]\nsteps = 40\n")),
      {.device = "cpu"}, silent);
  const files::Report report = simulation.run();
  const analysis::Solution solution = simulation.flow().solution();
  const std::vector<double> sensor = values(solution, "sensor"), viscosity = values(solution, "viscosity");
  EXPECT_EQ(least(viscosity), 0);
  EXPECT_GT(largest(viscosity), 0);
  for (std::size_t e = 0; e < sensor.size(); ++e) EXPECT_EQ(viscosity[e] > 0, sensor[e] > 0) << e;
  EXPECT_EQ(shares().back(), report.limiter.at("viscosity"));
}

TEST_F(ShockFields, SayWhereTheLimiterLooks) {
  Silent silent;
  solver::Simulation simulation(
      settings(folder, burst("limiter = \"hierarchical\"\n",
                             "[output]\nsolution = false\n[output.picture.shocks]\nfield = \"sensor\"\n")),
      {.device = "cpu"}, silent);
  simulation.run();
  const std::vector<double> sensor = values(simulation.flow().solution(), "sensor");
  EXPECT_EQ(least(sensor), 0);
  EXPECT_GT(largest(sensor), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/picture_shocks.png"));
}

/// A field by the case's own formula comes first, and none is listed.
TEST_F(QuickShockFields, AreThereWhereTheMethodKnowsThem) {
  const auto known = [&](const std::string& shock, const std::string& output = none_shown) {
    return solver::case_fields(settings(folder, burst(shock, output))).of_elements;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(known("method = \"filter\"\n"), (Names{"sensor", "filter"}));
  EXPECT_EQ(known("method = \"viscosity\"\n"), (Names{"sensor", "viscosity"}));
  EXPECT_EQ(known("limiter = \"hierarchical\"\n"), Names{"sensor"});
  EXPECT_EQ(known("positivity = true\n"), Names{});
  EXPECT_EQ(known("method = \"filter\"\n", "[output.fields]\nsensor = \"2*density\"\n"), Names{"filter"});
  const auto listed = solver::case_fields(settings(folder, burst("method = \"filter\"\n", none_shown))).listed_names();
  EXPECT_EQ(std::count(listed.begin(), listed.end(), "sensor"), 0);
}

TEST_F(QuickShockFields, AreRefusedWhereNothingKnowsThem) {
  const std::string picture = "[output.picture.a]\nfield = \"viscosity\"\n";
  EXPECT_EQ(problem_of("method = \"filter\"\n", picture),
            "output.picture.a: the field \"viscosity\" tells of shocks: it needs shock.method = viscosity\n");
  EXPECT_EQ(
      problem_of("positivity = true\n", "[output.solution]\nfields = [\"sensor\"]\n"),
      "output.solution.fields: the field \"sensor\" tells of shocks: it needs shock.method = filter or viscosity, "
      "or the hierarchical limiter\n");
  EXPECT_EQ(problem_of("method = \"viscosity\"\n", picture), "");
}

}  // namespace
}  // namespace galerna::tests
