#include "case/reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "case/good_case.hpp"
#include "case/reference.hpp"

namespace galerna::case_file {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> bad_cases() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(GALERNA_TEST_DIR) / "bad"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The lines "# expect: TEXT" at the head of a bad case.
std::vector<std::string> expectations(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream lines(text);
  const std::string mark = "# expect: ";
  for (std::string line; std::getline(lines, line) && line.starts_with(mark);)
    result.push_back(line.substr(mark.size()));
  return result;
}

class BadCase : public ::testing::TestWithParam<fs::path> {};

TEST_P(BadCase, IsRefusedWithItsMessage) {
  const auto expected = expectations(read_text(GetParam()));
  ASSERT_FALSE(expected.empty());
  try {
    read_case(GetParam());
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_input);
    for (const std::string& text : expected)
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << "got: " << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().filename().string()), std::string::npos) << "names no file";
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BadCase, ::testing::ValuesIn(bad_cases()), [](const auto& test) {
  std::string name = test.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ReadCase, ReportsAWrongShapeOnceThoughOthersNeedIt) {
  try {
    read(good_case,
         {"mesh.snap=true", "boundary.wall.type=slip-wall", "boundary.wall.circle={centre=[0, 0], radius=-1}"});
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("circle must be {centre"), std::string::npos) << what;
    EXPECT_EQ(what.find("snap = true, but"), std::string::npos) << what;
  }
}

/// Problems of a case, each as it is printed.
std::vector<std::string> problems_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> texts;
  try {
    read(text, overrides);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.text);
  }
  return texts;
}

/// What follows from an error is none of its own.
TEST(ReadCase, StopsAtWhatEverythingElseHangsOn) {
  const auto equations = problems_of(good_case, {"equations.type=usr"});
  ASSERT_EQ(equations.size(), 1u);
  EXPECT_NE(equations[0].find("unknown type \"usr\""), std::string::npos) << equations[0];
  const auto order =
      problems_of(good_case, {"discretization.order=99", "time.end=", "time.steady=1e-6", "time.sequence=[1, 2]"});
  ASSERT_EQ(order.size(), 1u);
  EXPECT_NE(order[0].find("order = 99"), std::string::npos) << order[0];
}

TEST(ReadCase, TakesEverythingThatAGoodCaseSays) {
  const Settings s = read(good_case);
  EXPECT_EQ(s.discretization.order, 3);
  EXPECT_EQ(s.discretization.riemann, "hllc");
  EXPECT_EQ(s.time.scheme, "ssprk33");
  EXPECT_EQ(s.equations.gamma, 1.4);
  EXPECT_NEAR(s.initial.formulas[0](1, 2, 0, 0), 1 + 0.1 * std::exp(-5.0), 1e-15);
  EXPECT_EQ(s.initial.formulas[1](0, 0, 0, 0), 4);
  ASSERT_EQ(s.mesh.periodic.size(), 1u);
  EXPECT_EQ(s.mesh.periodic[0].translation, (Point{10, 0, 0}));
  ASSERT_EQ(s.boundaries.size(), 1u);
  EXPECT_FALSE(s.boundaries[0].state->primitive);
  EXPECT_EQ(s.output.solution_schedule.interval, 0.5);
  EXPECT_EQ((*s.output.pictures[0].isolines)[2], 11);
}

TEST(ReadCase, TakesTheSurfacesThatNodesMoveOnto) {
  const std::vector<std::string> in_space = {
      "initial={ density = 1, velocity_x = 0, velocity_y = 0, velocity_z = 0, pressure = 1 }",
      "mesh.snap=true",
      "output.picture.main=",
      "boundary.far=",
      "boundary.ball={ type = \"slip-wall\", sphere = { centre = [1, \"2*pi\", 3], radius = 0.5 } }",
      "boundary.tube={ type = \"symmetry\", cylinder = { point = [0, 1, 0], direction = [0, 0, 2], radius = 2 } }"};
  const Settings s = read(good_case, in_space);
  EXPECT_EQ(s.mesh.surface_order, 1) << "straight elements stay so";
  const Surface &ball = s.mesh.snap.at("ball"), &tube = s.mesh.snap.at("tube");
  EXPECT_EQ(ball.kind, "sphere");
  EXPECT_EQ(ball.point, (Point{1, 2 * M_PI, 3}));
  EXPECT_EQ(ball.radius, 0.5);
  EXPECT_EQ(tube.kind, "cylinder");
  EXPECT_EQ(tube.direction, (Point{0, 0, 2}));
  std::vector<std::string> curved = in_space;
  curved.emplace_back("mesh.geometry_order=3");
  EXPECT_EQ(read(good_case, curved).mesh.surface_order, 3);
}

TEST(ReadCase, TakesTheShapesOfCurvedWalls) {
  std::string text = good_case;
  text.replace(text.find("[equations]"), 0, R"toml(geometry_order = 4
[mesh.curve.cylinder]
shape = "circle"
centre = [1, 2]
radius = 0.5
[mesh.curve.wing]
shape = "naca4"
code = "2412"
trailing_edge = "closed"
leading_edge = [-0.5, 0]
[mesh.curve.bump]
shape = "spline"
points = [[0, 0], [1, 0.1], [2, 0]]
[mesh.curve.hull]
shape = "spline"
file = "points.txt"
closed = true
)toml");
  const MeshSettings mesh = read(text).mesh;
  EXPECT_EQ(mesh.geometry_order, 4);
  ASSERT_EQ(mesh.curves.size(), 4u);  // in the order of their names
  EXPECT_EQ(mesh.curves[0].boundary, "bump");
  EXPECT_EQ(mesh.curves[0].points, (std::vector<Point>{{0, 0, 0}, {1, 0.1, 0}, {2, 0, 0}}));
  EXPECT_EQ(mesh.curves[1].place_of, (Point{1, 2, 0}));
  EXPECT_EQ(mesh.curves[1].size, 0.5);
  EXPECT_TRUE(mesh.curves[2].closed);
  EXPECT_EQ(mesh.curves[2].points.size(), 4u);
  EXPECT_EQ(mesh.curves[3].code, "2412");
  EXPECT_TRUE(mesh.curves[3].closed);
  text.replace(text.find("geometry_order = 4"), 18, "");
  EXPECT_EQ(read(text).mesh.geometry_order, 3);  // that of the solution
  EXPECT_EQ(read(text, {"discretization.order=6"}).mesh.geometry_order, 4);
  text.replace(text.find("points.txt"), 10, "nothing.txt");
  EXPECT_THROW(read(text), InputError);
  text.replace(text.find("nothing.txt"), 11, "/dev/null");  // another device may have no end
  try {
    read(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/null does not exist, or is no file"), std::string::npos)
        << error.what();
  }
}

TEST(ReadCase, TakesShapesInSpaceAndElasticity) {
  const Settings s =
      read(good_case, {"mesh.curve.ball={shape=\"sphere\", centre=[1, 2, 3], radius=4}",
                       "mesh.curve.pipe={shape=\"cylinder\", point=[1, 2, 3], direction=[0, 0, 2], radius=5}",
                       "mesh.elasticity={layers=3, poisson=0.2, split=false}"});
  ASSERT_EQ(s.mesh.curves.size(), 2u);
  EXPECT_EQ(s.mesh.curves[0].shape, "sphere");
  EXPECT_EQ(s.mesh.curves[0].place_of, (Point{1, 2, 3}));
  EXPECT_EQ(s.mesh.curves[0].size, 4);
  EXPECT_EQ(s.mesh.curves[1].direction, (Point{0, 0, 2}));
  ASSERT_TRUE(s.mesh.elasticity);
  EXPECT_EQ(s.mesh.elasticity->layers, 3);
  EXPECT_EQ(s.mesh.elasticity->poisson, 0.2);
  EXPECT_FALSE(s.mesh.elasticity->split);
  EXPECT_FALSE(read(good_case).mesh.elasticity) << "in the plane only where it is asked for";
  EXPECT_EQ(read(s.resolved).mesh.elasticity->layers, 3) << "recorded";
}

TEST(ReadMeshSettings, AreOfAMeshWithoutACase) {
  const std::filesystem::path mesh = std::filesystem::path(GALERNA_TEST_DIR) / "bad" / "square.msh";
  const MeshSettings settings = read_mesh_settings(
      mesh, {"mesh.geometry_order=3", "mesh.curve.wall={shape=\"circle\", centre=[0, 0], radius=1}"});
  EXPECT_EQ(settings.file, mesh);
  EXPECT_EQ(settings.geometry_order, 3);
  ASSERT_EQ(settings.curves.size(), 1u);
  EXPECT_THROW(read_mesh_settings(mesh, {"time.end=1"}), InputError);
  EXPECT_THROW(read_mesh_settings(mesh.string() + "x", {}), InputError);
}

TEST(ReadCase, OverridesReplaceAndAddKeys) {
  const Settings s =
      read(good_case, {"discretization.order=5", "mesh.refine=2", "time.scheme=rk4", "output.monitor.steps=10"});
  EXPECT_EQ(s.discretization.order, 5);
  EXPECT_EQ(s.mesh.refine, 2);
  EXPECT_EQ(s.time.scheme, "rk4");
  EXPECT_EQ(s.output.monitor_schedule.steps, 10);
}

/// As messages write them.
TEST(ReadCase, OverridesTakeNamesInQuotes) {
  const std::string states = "boundary.\"the wall\".type=";
  const Settings s = read(good_case, {states + "slip-wall", "output.probe.\"a.b = \\\"c\\\"\".point=[0, 0]",
                                      "boundary.of 'it'.type=symmetry", "boundary.'in \"it\"'.type=symmetry"});
  std::set<std::string> names;
  for (const BoundarySettings& boundary : s.boundaries) names.insert(boundary.name);
  for (const char* name : {"the wall", "of 'it'", "in \"it\""}) EXPECT_TRUE(names.contains(name)) << name;
  ASSERT_EQ(s.output.probes.size(), 1U);
  EXPECT_EQ(s.output.probes[0].name, "a.b = \"c\"");
  EXPECT_FALSE(read(good_case, {states + "slip-wall", "boundary.\"the wall\"="}).boundaries.size() >
               read(good_case).boundaries.size());
  try {
    read(good_case, {states + "slip"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("--set boundary.the wall.type: error: unknown type"), 0U) << error.what();
  }
}

TEST(ReadCase, ErrorsOfOverridesNameThem) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"discretization.order=9", "--set discretization.order: error: order = 9 is out of range"},
           {"order", "must be section.key=value"},
           {"mesh.file.name=1", "file is not a section"},
           // What stands in a table or list that --set gave.
           {"boundary.wall={type=\"slip-wal\"}",
            "--set boundary.wall: error: unknown type \"slip-wal\"; did you mean \"slip-wall\"?"},
           {"output.picture={mach={field=3}}", "--set output.picture: error: field is an integer"},
           {"mesh={fil=\"a\"}", "--set mesh: error: unknown key 'fil' in [mesh]; did you mean 'file'?"},
           {"mesh={fil=\"a\"}", "--set mesh: error: mesh.file is missing"},
           // What is right elsewhere.
           {"discretization.geometry_order=2",
            "unknown key 'geometry_order' in [discretization]; it is a key of [mesh]; allowed"},
           {"precision=single", "unknown key 'precision'; it is a key of [output.solution]; allowed"},
           {"riemann=roe", "unknown key 'riemann'; it is a key of [discretization]; allowed"},
           {"time.interval=1", "it is a key of [output.solution], [output.checkpoint] and [output.monitor]; allowed"},
           {"picture.p.field=density", "unknown key 'picture'; it is a key of [output]; allowed"},
           {"titel=x", "unknown key 'titel'; did you mean 'title'?; allowed"},
           {"output.forces={density=\"a*\"}",
            "--set output.forces: error: density = \"a*\" is no formula of constants"},
           {"constants={a=\"1+\"}", "--set constants: error: the formula ends where a value is expected"},
           {"boundary.wall=3", "--set boundary.wall: error: boundary.wall is an integer, but must be a section"},
           // A section that only --set makes.
           {"shok.limiter=none", "--set shok.limiter: error: unknown key 'shok'; did you mean 'shock'?"},
           {"mesh.curve.wall.code=0012", "--set mesh.curve.wall.code: error: mesh.curve.wall.shape is missing"}}) {
    try {
      read(good_case, {text});
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
  // A key beside one that --set gave is the file's.
  try {
    read(std::string(good_case) + "[shock]\nlimitr = \"none\"\n", {"shock.limiter=none"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("case.toml:"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("--set"), std::string::npos) << error.what();
  }
}

TEST(ReadCase, ResolvedTextReadsBackToTheSameCase) {
  const Settings first = read(good_case, {"mesh.refine=1"});
  const Settings second = read(first.resolved);
  EXPECT_EQ(second.mesh.refine, 1);
  EXPECT_EQ(second.discretization.order, first.discretization.order);
  EXPECT_EQ(second.initial.formulas[0].text(), first.initial.formulas[0].text());
  EXPECT_EQ(second.resolved, first.resolved);
}

/// The good case as a viscous one.
std::string viscous_case(const std::string& equations, const std::string& wall = "type = \"no-slip-adiabatic\"") {
  std::string text = good_case;
  text.replace(text.find("type = \"euler\""), 14, "type = \"navier-stokes\"\n" + equations);
  return text + "[boundary.wall]\n" + wall + "\n";
}

TEST(ReadCase, TakesTheViscosityOfNavierStokes) {
  const Settings s = read(viscous_case("mu = 0.01\nprandtl = 0.7"));
  EXPECT_FALSE(read(good_case).equations.viscous);
  ASSERT_TRUE(s.equations.viscous);
  EXPECT_EQ(s.equations.viscous->mu, 0.01);
  EXPECT_EQ(s.equations.viscous->prandtl, 0.7);
  EXPECT_FALSE(s.equations.viscous->sutherland);
}

TEST(ReadCase, TurnsAReynoldsNumberIntoAViscosity) {
  const Settings s =
      read(viscous_case("reynolds = 40\nreference_density = 1.4\nreference_velocity = 0.2\n"
                        "reference_length = 2\nviscosity = \"sutherland\"\n"
                        "reference_temperature = 0.7"));
  EXPECT_NEAR(s.equations.viscous->mu, 1.4 * 0.2 * 2 / 40, 1e-17);
  EXPECT_EQ(s.equations.viscous->reynolds, 40);
  EXPECT_TRUE(s.equations.viscous->sutherland);
  EXPECT_EQ(s.equations.viscous->reference_temperature, 0.7);
  EXPECT_NEAR(s.equations.viscous->sutherland_temperature, 0.7 * 110.4 / 288.15, 1e-15);
  EXPECT_EQ(s.equations.viscous->prandtl, 0.72);
}

TEST(ReadCase, TakesVelocityAndTemperatureOfWalls) {
  const Settings s = read(viscous_case(
      "mu = 1", "type = \"moving-wall-isothermal\"\nvelocity_x = \"a\"\nvelocity_y = 0\ntemperature = \"1 + t\""));
  const BoundarySettings& wall = s.boundaries.at(1);
  EXPECT_EQ(wall.values.at("velocity_x")(0, 0, 0, 0), 2);
  EXPECT_EQ(wall.values.at("temperature")(0, 0, 0, 3), 4);
  EXPECT_FALSE(wall.state);
}

TEST(ReadCase, ResolvedTextOfAnyKindReadsBack) {
  for (const std::string& text : {viscous_case("mu = 1"), std::string(good_case) + "[shock]\nlimiter = \"none\"\n",
                                  std::string(good_case) + "[shock]\nlimiter = \"hierarchical\"\n"}) {
    const Settings first = read(text);
    EXPECT_EQ(read(first.resolved).resolved, first.resolved);
  }
}

/// Checkpoints of Newton's method hold such a text, which galerna plot reads.
TEST(ReadCase, ResolvedTextOfNewtonsMethodReadsBack) {
  const std::vector<std::string> newton = {"time.scheme=newton", "time.cfl=", "time.end=", "time.steady_residual=1e-6",
                                           "output.solution="};
  for (const char* section : {"", "[solver]\nfirst_cfl = 2\n", "[shock]\nlimiter = \"none\"\n"}) {
    for (const char* further : {"time.sequence=none", "time.max_steps=30"}) {
      std::vector<std::string> words = newton;
      words.emplace_back(further);
      const Settings first = read(std::string(good_case) + section, words);
      EXPECT_EQ(read(first.resolved).resolved, first.resolved);
    }
  }
}

TEST(ReadCase, ErrorsSayLineAndColumn) {
  std::string text = good_case;
  text.replace(text.find("\"b\""), 3, "\"1 + bb\"");
  try {
    read(text);
    FAIL();
  } catch (const InputError& error) {
    const Problem& problem = error.problems().at(0);
    EXPECT_EQ(problem.place.line, 22);
    EXPECT_EQ(problem.place.column, 19);  // of bb
  }
}

TEST(ReadCase, PlatesOfNoThicknessAreAskedFor) {
  EXPECT_FALSE(read(good_case).boundaries.at(0).plate);
  std::string text = good_case;
  text.insert(text.find("type = ", text.find("[boundary.far]")), "plate = true\n");
  EXPECT_TRUE(read(text).boundaries.at(0).plate);
}

TEST(ReadCase, TakesAirfoilsInLednicersForm) {
  std::string text = good_case;
  text += "\n[boundary.wing]\ntype = \"slip-wall\"\n[mesh.curve.wing]\nshape = \"spline\"\nfile = \"lednicer.txt\"\n";
  const std::vector<Point> points = read(text).mesh.curves.at(0).points;
  const std::vector<Point> around = {{1, 0, 0}, {0.5, 0.1, 0}, {0, 0, 0}, {0.4, -0.1, 0}, {0.6, -0.1, 0}, {1, 0, 0}};
  EXPECT_EQ(points, around);
}

TEST(CheckBoundaries, NamesWhatDoesNotFit) {
  const Settings s = read(good_case);
  const auto problems = check_boundaries(s, {"far_out", ""}, {"left", "right"});
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].text.find("boundary \"far_out\" of the mesh has no condition"), std::string::npos);
  EXPECT_NE(problems[1].text.find("the mesh has no boundary \"far\""), std::string::npos);
  EXPECT_TRUE(check_boundaries(s, {"far"}, {}).empty());
  const auto blank = check_boundaries(s, {"far", "the wall"}, {});
  ASSERT_EQ(blank.size(), 1u);
  EXPECT_NE(blank[0].text.find("add a section [boundary.\"the wall\"]"), std::string::npos) << blank[0].text;
}

TEST(ReadCase, SurvivesDamagedFiles) {
  // Every mutation is either refused with an InputError or read; nothing else may happen.
  std::mt19937 random(7);
  std::string user = good_case;
  user.replace(user.find("type = \"euler\""), 14,
               "type = \"user\"\nheader = \"scalar.hpp\"\nname = \"Scalar\"\nvariables = [\"c\"]\n"
               "[equations.parameters]\nspeed = \"a\"\n[source]\nc = \"-c*x\"\n[output.fields]\nsquare = \"c^2\"");
  const std::string letters = "[]={}\"'.,0x#\n-+*^()eE \t\\\x01\xff";
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 ? good_case : user;
    for (int k = 0; k < 1 + i % 4; ++k) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, random() % 8);
      else if (random() % 2)
        text[at] = letters[random() % letters.size()];
      else
        text.insert(at, 1, letters[random() % letters.size()]);
    }
    try {
      read(text);
    } catch (const InputError&) {
    }
  }
}

TEST(Reference, OfTheDocumentationIsThatOfTheProgram) {
  const std::string document = read_text(fs::path(GALERNA_SOURCE_DIR) / "docs" / "case-file.md");
  EXPECT_NE(document.find(reference_markdown()), std::string::npos)
      << "docs/case-file.md is out of date: replace its reference by the output of galerna case-reference";
}

}  // namespace
}  // namespace galerna::case_file
