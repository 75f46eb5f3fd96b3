// What runs on polytopes write in time: VTU series, monitor, probes, integrals, fields, pictures, and restarts of them.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "analysis/history.hpp"
#include "files/atomic_file.hpp"
#include "files/history_file.hpp"
#include "mesh/box.hpp"
#include "solver/polytopic/polytopic_run.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// u is in the space, so that all numbers are known.
const std::string plane_with_outputs = std::string(R"toml(
[functions]
u = "1 + x + 2*y + t"
[mesh]
file = "square.msh"
[mesh.agglomerate]
simplices = 4
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
velocity = [1, 0.5]
source = 3
[discretization]
order = 1
[solver]
type = "direct"
[time]
type = "slabs"
end = 0.5
slabs = 4
[initial]
value = "u"
)toml") + four_sides + R"toml(
[output.solution]
interval = 0.25
[output.fields]
slope = "ddx(u) + 10*ddy(u)"
shifted = "u - t + x"
[output.probe.middle]
point = [0.3, 0.6]
fields = ["u", "slope", "shifted"]
[output.integral.heat]
formula = "u"
[output.integral.through_right]
formula = "ddx(u)*normal_x + 10*ddy(u)*normal_y"
boundary = "right"
[output.integral.along_top]
formula = "u*normal_y"
boundary = "top"
[output.picture.slope]
field = "slope"
width = 300
)toml";

class QuickPolytopicOutputs : public PolytopicRuns {
 protected:
  QuickPolytopicOutputs() : PolytopicRuns(plane_with_outputs) {}

  std::vector<double> column(const std::string& file, const std::string& name) const {
    return files::read_history(folder_ / "out" / file, name).values;
  }
  bool there(const std::string& file) const { return std::filesystem::exists(folder_ / "out" / file); }
  void expect_refused(const std::vector<std::string>& set, const std::string& message) {
    expect_refused_by([&] { run(set); }, message);
  }
};

TEST_F(QuickPolytopicOutputs, AreThoseOfTheSolutionAtTheEndsOfSlabs) {
  const files::Report report = run();
  const std::vector<double> heat = column("monitor.csv", "heat"), right = column("monitor.csv", "through_right"),
                            top = column("monitor.csv", "along_top"), u = column("probe_middle.csv", "u"),
                            slope = column("probe_middle.csv", "slope"),
                            shifted = column("probe_middle.csv", "shifted");
  ASSERT_EQ(heat.size(), 5U);
  ASSERT_EQ(u.size(), 5U);
  for (std::size_t slab = 0; slab < heat.size(); ++slab) {
    const double t = 0.125 * static_cast<double>(slab);
    EXPECT_NEAR(heat[slab], 2.5 + t, 1e-12);
    EXPECT_NEAR(right[slab], 1, 1e-11);
    EXPECT_NEAR(top[slab], 3.5 + t, 1e-12);
    EXPECT_NEAR(u[slab], 2.5 + t, 1e-12);
    EXPECT_NEAR(slope[slab], 21, 1e-10);
    EXPECT_NEAR(shifted[slab], 2.8, 1e-12);
  }
  const std::string series = text_of(folder_ / "out/solution.pvd");
  for (const char* step : {"00000000", "00000002", "00000004"}) {
    EXPECT_TRUE(there(std::string("solution_") + step + ".vtu")) << step;
    EXPECT_NE(series.find(step), std::string::npos) << step;
  }
  EXPECT_FALSE(there("solution_00000001.vtu"));
  EXPECT_FALSE(there("solution.png"));
  EXPECT_TRUE(there("picture_slope.png"));
  const std::string vtu = text_of(folder_ / "out/solution_00000002.vtu");
  for (const char* name : {"u", "slope", "shifted", "polytope", "order", "defect"})
    EXPECT_NE(vtu.find(std::string("Name=\"") + name + "\""), std::string::npos) << name;
  const auto json = nlohmann::json::parse(text_of(folder_ / "out/report.json"));
  EXPECT_NEAR(json["integrals"]["heat"], 3, 1e-12);
  EXPECT_EQ(json["files"]["probe"]["middle"][0], "probe_middle.csv");
  EXPECT_EQ(json["files"]["picture"]["slope"][0], "picture_slope.png");
}

TEST_F(QuickPolytopicOutputs, OfARestartedRunAreThoseOfTheUnbrokenOne) {
  const std::vector<std::string> files = {"monitor.csv",           "probe_middle.csv",      "solution.pvd",
                                          "solution_00000000.vtu", "solution_00000002.vtu", "solution_00000004.vtu"};
  run();
  std::map<std::string, std::string> whole;
  for (const std::string& file : files) whole[file] = text_of(folder_ / "out" / file);
  std::filesystem::remove_all(folder_ / "out");
  for (const int slabs : {0, 1}) {
    EXPECT_EQ(run({}, slabs).status, "interrupted");
    run({}, -1, folder_ / "out/checkpoint_interrupted.h5");
    for (const std::string& file : files) EXPECT_EQ(text_of(folder_ / "out" / file), whole[file]) << file;
  }
}

TEST_F(QuickPolytopicOutputs, RowsComeByTheirInterval) {
  run({"output.monitor.interval=0.25"});
  EXPECT_EQ(column("monitor.csv", "time"), (std::vector<double>{0, 0.25, 0.5}));
  EXPECT_EQ(column("probe_middle.csv", "u").size(), 3U);
  run({"output.monitor.steps=3", "output.checkpoint.interval=0.25"});
  EXPECT_EQ(column("monitor.csv", "time"), (std::vector<double>{0, 0.375, 0.5}));
  EXPECT_TRUE(there("checkpoint_00000002.h5"));
}

TEST_F(QuickPolytopicOutputs, OfStationarySolutionsAreWrittenOnce) {
  run({"time=", "initial=", "output.solution=true", "functions.u=\"1 + x + 2*y\"", "equations.source=2"});
  EXPECT_TRUE(there("solution.vtu"));
  EXPECT_FALSE(there("solution.pvd"));
  ASSERT_EQ(column("monitor.csv", "heat").size(), 1U);
  EXPECT_NEAR(column("monitor.csv", "heat")[0], 2.5, 1e-12);
  EXPECT_NEAR(column("probe_middle.csv", "slope")[0], 21, 1e-10);
}

/// Squares of the smallest are 0.
TEST_F(QuickPolytopicOutputs, AreProportionalToTheirSources) {
  const auto heat = [&](const std::string& solver, const std::string& size) {
    run({"time=", "initial=", "output.solution=", "functions={}", "boundary.left.value=0", "boundary.right.value=0",
         "boundary.bottom.value=0", "boundary.top.value=0", "output.probe=", "output.picture=", "output.fields=",
         "equations.source=" + size, "solver.type=\"" + solver + "\""});
    return column("monitor.csv", "heat").at(0);
  };
  for (const std::string solver : {"direct", "multigrid"}) {
    const double one = heat(solver, "1");
    EXPECT_GT(one, 0.01);
    for (const std::string size : {"1e-300", "1e-200", "1e120"})
      EXPECT_NEAR(heat(solver, size) / std::stod(size), one, 1e-8 * one) << solver << size;
  }
}

TEST_F(QuickPolytopicOutputs, SayWhichIntegralIsNoNumber) {
  const auto report = run({"time=", "initial=", "output.solution=true", "functions.u=\"1 + x + 2*y\"",
                           "equations.source=2", "output.integral.heat.formula=\"log(-u)\""});
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].where, "output.integral.heat");
  EXPECT_NE(report.warnings[0].message.find("\"log(-u)\" is"), std::string::npos);
}

TEST_F(QuickPolytopicOutputs, AreRefusedBeforeTheRun) {
  expect_refused({"output.solution.interval=0.2"},
                 "output.solution.interval = 0.2 is no multiple of the length of a slab, 0.125");
  expect_refused({"output.probe.middle.point=[2, 2]"}, "the point (2, 2) lies in no element");
  expect_refused({"output.probe.middle.fields=[\"v\"]"}, "unknown field \"v\"");
  expect_refused({"output.picture.slope.field=\"slop\""}, "did you mean \"slope\"");
  expect_refused({"output.picture.slope.normal=[0, 0, 1]"}, "output.picture.slope: ");
  expect_refused({"output.integral.heat.region=\"there\""}, "unknown region \"there\"");
  expect_refused({"output.integral.heat.formula=\"ddz(u)\""}, "ddz(…) and normal_z are for meshes in space");
  expect_refused({"output.fields.third=\"ddz(u)\""}, "ddz(…) is for meshes in space");
  expect_refused({"output.integral.source.formula=\"u\""}, "monitor.csv has a column source of its own");
  expect_refused({"output.integral.diffusive_left.formula=\"u\""}, "has a column diffusive_left of its own");
  expect_refused({"time=", "initial="}, "output.solution.interval has no meaning without [time]");
  expect_refused({"output.averages.start=0"}, "averages");
}

/// Boundaries and derivatives of all directions.
TEST(PolytopicSolidOutputs, IntegralsAreThoseOfThePlane) {
  const Folder folder;
  Silent observer;
  mesh::write_gmsh(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0, Shape::hexahedron), folder / "box.msh");
  std::string text = R"toml(
[functions]
v = "1 + x - 2*y + 3*z"
[mesh]
file = "box.msh"
[mesh.agglomerate]
polytopes = 4
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
[discretization]
order = 1
[solver]
type = "direct"
[output.integral.volume]
formula = "u + ddz(u)"
[output.integral.up]
formula = "ddz(u)*normal_z + 100*normal_x"
boundary = "top"
[output.probe.inside]
point = [0.2, 0.3, 0.4]
[output.picture.cut]
normal = [0, 0, 1]
point = [0, 0, 0.4]
width = 300
)toml";
  for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
    text += std::string("[boundary.") + name + "]\ntype = \"dirichlet\"\nvalue = \"v\"\n";
  const files::Report report = solver::run_polytopic(settings(folder, text), {"cpu"}, observer);
  ASSERT_EQ(report.integrals.size(), 2U);
  for (const auto& [name, value] : report.integrals) EXPECT_NEAR(value, name == "volume" ? 2 + 3 : 3, 1e-10) << name;
  EXPECT_NEAR(files::read_history(folder / "out/probe_inside.csv", "u").values.at(0), 1 + 0.2 - 0.6 + 1.2, 1e-11);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/picture_cut.png"));
}

}  // namespace
}  // namespace galerna::tests
