// `check` and `run` refuse the same: every output says what is wrong with it before anything is computed.
#include "solver/outputs/check_outputs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "case/keys.hpp"
#include "files/atomic_file.hpp"
#include "files/file_names.hpp"
#include "files/history_file.hpp"
#include "solver/problem.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A flow in a square with walls, at rest.
const char* room = R"toml(
[mesh]
file = "square.msh"
[equations]
type = "euler"
[discretization]
order = 1
[time]
cfl = 0.5
end = 0.01
[initial]
density = 1
velocity_x = 0
velocity_y = 0
pressure = 1
[boundary.left]
type = "slip-wall"
[boundary.right]
type = "slip-wall"
[boundary.bottom]
type = "slip-wall"
[boundary.top]
type = "slip-wall"
[output.forces]
density = 1
velocity = 1
length = 1
pressure = 1
)toml";

class QuickCheckOutputs : public ::testing::Test {
 protected:
  QuickCheckOutputs() { write_square(folder, 2); }

  /// What is said of the case, by reading and checking as `check` does.
  std::string checked(const std::vector<std::string>& set) {
    return said([&] {
      const case_file::Settings all = settings(folder, room, set);
      const mesh::Mesh mesh = solver::make_mesh(all);
      solver::check_problem(all, mesh);
      solver::require_output_directory(all, mesh);
    });
  }
  /// What a run says before it compiles anything.
  std::string run_says(const std::vector<std::string>& set) {
    return said([&] {
      Silent silent;
      const solver::RunOptions options{.device = "cpu"};
      solver::Simulation simulation(settings(folder, room, set), options, silent);
    });
  }
  void expect_refused(const std::vector<std::string>& set, const std::string& words) {
    const std::string text = checked(set);
    EXPECT_NE(text.find(words), std::string::npos) << "set " << set[0] << ": " << text;
    EXPECT_EQ(run_says(set), text);
  }

  Folder folder;

 private:
  template <class F>
  static std::string said(const F& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

/// A section of [output], values of it that cannot be had, and what is said. One that has no row here fails the test.
TEST_F(QuickCheckOutputs, EverySectionIsHeldAgainstTheCaseAndTheMesh) {
  const std::string probe = "output.probe.p.", picture = "output.picture.p.", line = "output.bubble.b.";
  const std::map<std::string, std::pair<std::vector<std::string>, std::string>> rows = {
      {"output", {{"output.directory=\"" + (folder / "square.msh").string() + "\""}, "square.msh"}},
      {"output.solution", {{"output.solution.fields=[\"presure\"]"}, "did you mean \"pressure\"?"}},
      {"output.checkpoint", {{"output.checkpoint.steps=0"}, "steps = 0 is out of range"}},
      {"output.monitor", {{"output.monitor.interval=-1"}, "interval = -1 is out of range"}},
      {"output.averages", {{"output.averages.start=-1"}, "start = -1 is out of range"}},
      {"output.forces", {{"output.forces.length=0"}, "length = 0 is out of range"}},
      {"output.entropy", {{"output.entropy.density=1"}, "output.entropy.pressure is missing"}},
      {"output.fields", {{"output.fields.density=x"}, "there is a field of that name"}},
      {"output.integral.NAME",
       {{"output.integral.i.formula=x", "output.integral.i.boundary=lid"}, "unknown boundary \"lid\""}},
      {"output.probe.NAME", {{probe + "point=[50, 50]"}, "the point (50, 50) lies in no element of the mesh"}},
      {"output.bubble.NAME", {{line + "point=[2, 0]", line + "end=[2, 1]"}, "no point of the line lies in the mesh"}},
      {"output.picture.NAME", {{picture + "window=[0, 0, 0, 1]"}, "output.picture.p: the window is empty"}},
      {"output.figure.NAME",
       {{picture + "window=[0, 0.1, 0, 1]", "output.figure.f.pictures=[\"p\", \"p\", \"p\"]",
         "output.figure.f.columns=1", "output.figure.f.width=20000"},
        "output.figure.f: figure: 3 pictures in one column would be"}},
      {"output.section.NAME",
       {{"output.section.s.wall=top", "output.section.s.normal=[1, 0, 0]"}, "is for flows in space"}}};
  for (const std::string& section : case_file::sections())
    if (section.starts_with("output"))
      EXPECT_TRUE(rows.contains(section)) << "what is wrong with [" << section << "] before a run begins?";
  for (const auto& [section, row] : rows) expect_refused(row.first, row.second);
}

TEST_F(QuickCheckOutputs, SchemesOfErrorControlAreRefusedWithTheirFile) {
  expect_refused({"time.cfl=", "time.tolerance=1e-4"},
                 "case.toml: error: time.tolerance needs a scheme with an embedded");
  expect_refused({"time.cfl=", "time.tolerance=1e-4", "time.scheme=ssprk43", "time.steady=1e-6"},
                 "case.toml: error: time.tolerance does not go with time.steady");
  expect_refused({"time.cfl=", "time.tolerance=1e-300", "time.scheme=ssprk43"},
                 "case.toml: error: time.tolerance = 1e-300 is less than a rounding error");
}

TEST_F(QuickCheckOutputs, SaysThatABoundaryIsPeriodic) {
  expect_refused({"output.integral.i.formula=x", "output.integral.i.boundary=left", "boundary.left=", "boundary.right=",
                  "output.forces=", "mesh.periodic=[{ from = \"left\", to = \"right\", translation = [1, 0] }]"},
                 "output.integral.i: boundary \"left\" is periodic");
}

TEST_F(QuickCheckOutputs, PicturesAreRefusedBeforeTheyAreDrawn) {
  const std::string p = "output.picture.p.";
  const std::pair<std::string, std::string> rows[] = {
      {"range=[1, 0]", "the range 1 … 0 is empty"},
      {"range=[1, 1]", "the range 1 … 1 is empty"},
      {"range=[0, inf]", "is empty"},
      {"range=[-1.7e308, 1.7e308]", "is empty"},
      {"window=[0, 1, 1, 0]", "the window is empty"},
      {"window=[0, nan, 0, 1]", "the window is empty"},
      {"window=[5, 6, 5, 6]", "the window shows nothing of the mesh"},
      {"isolines={min = 0, max = 1, count = 20000}", "20000 isolines; choose 1 … 10000"},
      {"isolines={min = 0, max = 1, count = 1e300}", "isolines; choose 1 … 10000"},
      {"isolines={min = 0, max = inf, count = 2}", "isolines"},
      {"width=100000", "width = 100000 is out of range"},
      {"field=nonsense", "unknown field \"nonsense\"; there are"},
      {"streamlines=1000", "streamlines = 1000 is out of range"}};
  for (const auto& [option, words] : rows) expect_refused({p + option}, words);
  EXPECT_EQ(checked({p + "window=[0.9, 3, -1, 0.1]"}), "") << "a corner of the mesh is seen";
}

TEST_F(QuickCheckOutputs, LinesOfProbesAreCountedAndBubblesHaveALength) {
  expect_refused({"output.probe.p.point=[0.5, 0.5]", "output.probe.p.end=[1.5, 0.5]", "output.probe.p.points=5"},
                 "2 of 5 points of the line lie in no element of the mesh");
  expect_refused({"output.bubble.b.point=[0.5, 0.5]", "output.bubble.b.end=[0.5, 0.5]"}, "must not be of length zero");
  EXPECT_EQ(checked({"output.bubble.b.point=[-1, 0.5]", "output.bubble.b.end=[2, 0.5]"}), "");
}

TEST_F(QuickCheckOutputs, AllProblemsAreSaidAtOnceWithTheirPlaces) {
  const std::string text =
      checked({"output.picture.p.window=[0, 0, 0, 1]", "output.picture.p.range=[1, 0]", "output.probe.q.point=[50, 50]",
               "output.integral.i.formula=1", "output.integral.i.region=nowhere"});
  for (const char* place : {"--set output.picture.p.window: error:", "--set output.picture.p.range: error:",
                            "--set output.probe.q.point: error:", "unknown region \"nowhere\""})
    EXPECT_NE(text.find(place), std::string::npos) << text;
}

TEST_F(QuickCheckOutputs, FoldersInThePlaceOfFilesAreFoundBeforeTheRun) {
  EXPECT_EQ(checked({"output.picture.p.field=density"}), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "checking makes nothing";
  for (const char* name : {"report.json", "picture_p.png", "wall_left.csv"}) {
    std::filesystem::create_directories(folder / "out" / name);
    expect_refused({"output.picture.p.field=density"}, name);
    std::filesystem::remove_all(folder / "out");
  }
}

TEST_F(QuickCheckOutputs, FilesOfAllNamesStayInTheOutputDirectory) {
  const case_file::Settings all =
      settings(folder, std::string(room) +
                           "[output.probe.\"../../evil\"]\npoint = [0.5, 0.5]\n[output.probe.\"\"]\npoint = "
                           "[0.5, 0.5]\n[output.picture.\"a/b\"]\nformat = \"svg\"\n[output.figure.\"a,\\\"b\"]\n"
                           "pictures = [\"a/b\"]\n");
  std::set<std::string> names;
  for (const auto& output : solver::make_outputs(all, solver::make_mesh(all)))
    for (const auto& named : output->files()) names.insert(named.files.begin(), named.files.end());
  EXPECT_EQ(names,
            (std::set<std::string>{"probe____.._evil.csv", "probe_unnamed.csv", "picture_a_b.svg", "figure_a__b.png",
                                   "wall_left.csv", "wall_right.csv", "wall_bottom.csv", "wall_top.csv"}));
}

/// Boundaries of the mesh may have any names.
TEST(CheckOutputs, RunsWithNamesThatAreNoFileNamesAreWhole) {
  Folder folder;
  write_square(folder, 2);
  std::string mesh = text_of(folder / "square.msh");
  const std::vector<std::pair<std::string, std::string>> names = {
      {"left", "flow/in.let"}, {"right", "../x"}, {"bottom", "Wand, unten"}, {"top", "WAND, unten"}};
  std::string text = room;
  for (const auto& [plain, name] : names) {
    mesh.replace(mesh.find("\"" + plain + "\""), plain.size() + 2, "\"" + name + "\"");
    text.replace(text.find("boundary." + plain), 9 + plain.size(), "boundary.\"" + name + "\"");
  }
  std::ofstream(folder / "square.msh") << mesh;
  text += "[output]\nsolution = false\n[output.monitor]\nsteps = 1\n[output.probe.\"a/b\"]\npoint = [0.5, 0.5]\n";
  const Outcome result = run(folder, text, {"time.max_steps=2"});
  const std::string report = text_of(folder / "out" / "report.json");
  for (const auto& named : result.report.files)
    for (const std::string& file : named.files) {
      EXPECT_TRUE(std::filesystem::is_regular_file(folder / "out" / file)) << file;
      EXPECT_NE(report.find("\"" + file + "\""), std::string::npos) << file;
    }
  EXPECT_EQ(result.report.files.size(), 5u);
  // Its own program reads its own files.
  const analysis::History history = files::read_history(folder / "out" / "monitor.csv", "force____x_x");
  EXPECT_NEAR(history.values.front(), 1, 1e-12) << "pressure on the right";
  EXPECT_EQ(files::read_history(folder / "out" / "probe_a_b.csv", "density").values.size(), history.values.size());
  EXPECT_EQ(files::read_history(folder / "out" / "monitor.csv", "force_Wand_ unten_2_y").values.size(),
            history.values.size());
}

TEST_F(QuickCheckOutputs, WarnOfCountsThatNobodyMeans) {
  const auto warnings = [&](const std::vector<std::string>& set) {
    return solver::strange_counts(settings(folder, room, set));
  };
  EXPECT_TRUE(warnings({"output.monitor.interval=1e-10"}).empty());
  EXPECT_EQ(
      warnings({"output.monitor.interval=1e-12"}),
      std::vector<std::string>{"warning: output.monitor.interval = 1e-12 makes 1e+10 rows until time.end = 0.01"});
  EXPECT_EQ(warnings({"output.solution.interval=1e-12", "output.checkpoint.interval=1e-12"}).size(), 2u);
  EXPECT_EQ(warnings({"output.solution=false"}).size(), 0u);
  EXPECT_EQ(warnings({"time.cfl=", "time.step=1e-15"}),
            std::vector<std::string>{"warning: time.step = 1e-15 makes 1e+13 steps until time.end = 0.01"});
}

}  // namespace
}  // namespace galerna::tests
