// Numbers of a case given as formulas of constants, and settings taken out by --set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "case/reader.hpp"

namespace galerna::case_file {
namespace {

namespace fs = std::filesystem;

const char* channel = R"toml(
[constants]
mach = 0.3
reynolds = 1e3
p = 3
one = 1
[functions]
r = "sqrt(x^2 + y^2)"
[mesh]
file = "square.msh"
periodic = [ { from = "left", to = "right", translation = ["2*pi", 0] } ]
[equations]
type = "navier-stokes"
gamma = "5/3"
mu = "mach/reynolds"
[discretization]
order = "p - 1"
[time]
cfl = "0.9/2"
end = "2*pi"
max_steps = "10^3"
[initial]
density = 1
velocity_x = "mach"
velocity_y = 0
pressure = "r"
[source]
density = "0*one"
[boundary.far]
type = "supersonic-outflow"
[boundary.cylinder]
type = "slip-wall"
circle = { centre = ["-mach", 0], radius = "1/2" }
[output.solution]
interval = "pi/4"
[output.forces]
density = 1
velocity = "mach"
length = "one"
pressure = "1/1.4"
moment_centre = ["1/4", 0]
[output.picture.main]
isolines = { min = "-mach", max = "mach", count = "2*p" }
window = [0, "2*pi", "-one", "one"]
)toml";

Settings read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_case_text(text, fs::path(GALERNA_TEST_DIR) / "bad" / "case.toml", overrides);
}

/// The error of reading the channel with settings; "" if there is none.
std::string refusal(const std::vector<std::string>& overrides) {
  try {
    read(channel, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Numbers, MayBeFormulasOfConstants) {
  const Settings s = read(channel);
  EXPECT_EQ(s.mesh.periodic.at(0).translation[0], 2 * M_PI);
  EXPECT_EQ(s.equations.gamma, 5.0 / 3);
  EXPECT_EQ(s.equations.viscous->mu, 0.3 / 1e3);
  EXPECT_EQ(s.discretization.order, 2);
  EXPECT_EQ(s.time.cfl, 0.45);
  EXPECT_EQ(s.time.end, 2 * M_PI);
  EXPECT_EQ(s.time.max_steps, 1000);
  const auto cylinder = std::find_if(s.boundaries.begin(), s.boundaries.end(),
                                     [](const BoundarySettings& b) { return b.name == "cylinder"; });
  EXPECT_EQ(cylinder->circle->centre, (Point{-0.3, 0, 0}));
  EXPECT_EQ(cylinder->circle->radius, 0.5);
  EXPECT_EQ(s.output.solution_schedule.interval, M_PI / 4);
  EXPECT_EQ(s.output.forces->velocity, 0.3);
  EXPECT_EQ(s.output.forces->pressure, 1 / 1.4);
  EXPECT_EQ(s.output.forces->moment_centre, (Point{0.25, 0, 0}));
  EXPECT_EQ(*s.output.pictures.at(0).isolines, (std::array<double, 3>{-0.3, 0.3, 6}));
  EXPECT_EQ(*s.output.pictures.at(0).window, (std::array<double, 4>{0, 2 * M_PI, -1, 1}));
  EXPECT_EQ(read(s.resolved).resolved, s.resolved);
}

TEST(Numbers, OfTheGasAreKnownInFormulas) {
  const std::vector<std::string> with_gamma = {"initial.density=gamma", "constants.c=\"sqrt(gamma)\""};
  const auto density = [](const Settings& s) { return s.initial.formulas.at(0)(0, 0, 0, 0); };
  EXPECT_EQ(density(read(channel, with_gamma)), 5.0 / 3);
  const auto read_with = [&](const std::string& more) {
    std::vector<std::string> set = with_gamma;
    set.push_back(more);
    return read(channel, set);
  };
  EXPECT_EQ(density(read_with("equations.gamma=")), 1.4) << "the default";
  EXPECT_EQ(density(read_with("equations.gamma=1.2")), 1.2);
  EXPECT_EQ(density(read_with("constants.gamma=7")), 7) << "the case's own";
  EXPECT_THROW(read_with("equations.gamma=\"1 + mach\""), InputError) << "it comes after the constants";
}

TEST(Numbers, MayBeFormulasOnTheCommandLineAndInCurves) {
  const Settings s =
      read(channel, {"time.end=3*pi/2", "discretization.order=2^2", "mesh.curve.far.shape=circle",
                     "mesh.curve.far.centre=[\"mach\", 0]", "mesh.curve.far.radius=10*one",
                     "mesh.curve.bump={ shape = \"spline\", points = [[0, \"mach\"], [\"pi\", 1], [4, 0]] }"});
  EXPECT_EQ(s.time.end, 3 * M_PI / 2);
  EXPECT_EQ(s.discretization.order, 4);
  EXPECT_EQ(s.mesh.geometry_order, 4) << "that of the solution";
  EXPECT_EQ(s.mesh.curves.at(0).points.at(1)[0], M_PI);
  EXPECT_EQ(s.mesh.curves.at(1).place_of[0], 0.3);
  EXPECT_EQ(s.mesh.curves.at(1).size, 10);
}

TEST(Numbers, ThatNoDoubleEqualsAreNotLost) {
  const std::string most = "9223372036854775807";
  EXPECT_EQ(read(channel, {"initial.density=" + most}).initial.formulas.at(0)(0, 0, 0, 0), 0x1p63);
  EXPECT_EQ(read(channel, {"constants.one=" + most}).output.forces->length, 0x1p63);
  EXPECT_EQ(read(channel, {"output.forces.density=" + most}).output.forces->density, 0x1p63);
  EXPECT_NE(refusal({"discretization.order=" + most}).find("order = 9.22337e+18 is out of range"), std::string::npos);
  EXPECT_NE(refusal({"mesh.refine=-" + most}).find("refine = -9.22337e+18 is out of range"), std::string::npos);
  EXPECT_NE(refusal({"time.max_steps=" + most}).find("must be an integer, at most 2^53 in size"), std::string::npos);
}

TEST(Numbers, BelowTheNormalRangeAreRefused) {
  for (const char* wrong : {"time.cfl=1e-320", "time.end=\"1e-200*1e-120\"", "output.solution.interval=1e-310",
                            "output.picture.main.window=[0, 1e-320, 0, 1]"}) {
    const std::string text = refusal({wrong});
    EXPECT_NE(text.find("too close to 0 to compute with: write 0, or 2.22507e-308 or more"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << "one message: " << text;
  }
}

TEST(Numbers, InListsAndTablesSayWhatIsWrong) {
  for (const std::string wrong :
       {"output.picture.main.isolines={ min = \"x\", max = 1, count = 2 }",
        "output.picture.main.window=[0, 1, \"x\", 2]", "boundary.cylinder.circle={ centre = [0, \"x\"], radius = 1 }",
        "mesh.periodic=[ { from = \"a\", to = \"b\", translation = [\"x\", 0] } ]",
        "mesh.curve.bump={ shape = \"spline\", points = [[0, \"x\"], [1, 1], [4, 0]] }"}) {
    const std::string text = refusal({wrong});
    EXPECT_NE(text.find("'x' is a variable, but only constants may stand here"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << "one message: " << text;
  }
  EXPECT_NE(refusal({"output.picture.main.isolines={ min = 0, max = 1, count = 2.5 }"}).find("an integer n ≥ 1"),
            std::string::npos);
}

/// The key's path in a case, the settings without which it is not read, and its value as TOML.
struct Use {
  std::string path;
  std::vector<std::string> beside;
};

Use use_of(const Key& key) {
  std::string section = key.section;
  if (const std::size_t at = section.find("NAME"); at != std::string::npos) section.replace(at, 4, "far");
  Use use{section + "." + key.name, {}};
  if (key.section == "mesh.curve.NAME") {
    const bool circle = key.name == "centre" || key.name == "radius";
    const bool cylinder = key.name == "point" || key.name == "direction";
    use.beside.push_back(std::string("mesh.curve.far.shape=") + (circle ? "circle" : cylinder ? "cylinder" : "naca4"));
  }
  if (key.section == "equations" && (key.name == "density" || key.name == "sound_speed"))
    use.beside.push_back("equations.type=acoustics");
  if (key.name == "dimension") use.beside.push_back("equations.type=user");
  if (key.name == "lift_centre")
    use.beside.push_back("boundary.far={type=\"far-field\", density=1, velocity_x=0.3, velocity_y=0, pressure=1}");
  return use;
}

std::string refusal(const Use& use, const std::string& value) {
  std::vector<std::string> overrides = use.beside;
  overrides.push_back(use.path + "=" + value);
  return refusal(overrides);
}

/// Every key of the table that takes a number, an integer or a list of numbers: [index into keys()].
std::vector<std::size_t> numeric_keys() {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < keys().size(); ++k) {
    const KeyType type = keys()[k].type;
    const bool numeric = type == KeyType::number || type == KeyType::integer || type == KeyType::numbers;
    // Parameters of a user's header are read with its names; they are formulas of constants, too.
    if (numeric && keys()[k].section != "equations.parameters") result.push_back(k);
  }
  return result;
}

TEST(Numbers, OfAllKeysMayBeFormulasOfConstantsAndOfNothingElse) {
  EXPECT_GT(numeric_keys().size(), 40u);
  for (const std::size_t k : numeric_keys()) {
    const Key& key = keys()[k];
    const Use use = use_of(key);
    SCOPED_TRACE(use.path);
    const bool list = key.type == KeyType::numbers;
    // As a number and as a formula it is taken or refused with the same words.
    EXPECT_EQ(refusal(use, list ? "[3, 2]" : "3"), refusal(use, list ? "[\"3*one\", \"p - 1\"]" : "\"p*one\""));
    const std::string text = refusal(use, list ? "[\"x\", 2]" : "\"2*t\"");
    EXPECT_NE(text.find(" is a variable, but only constants may stand here"), std::string::npos) << text;
    EXPECT_NE(text.find(use.path), std::string::npos) << text;
  }
}

TEST(Overrides, WithoutAValueTakeKeysAndSectionsOut) {
  const Settings s = read(channel, {"time.end=", "source=", "output.picture.main=", "output.forces.moment_centre="});
  EXPECT_FALSE(s.time.end);
  EXPECT_EQ(s.time.max_steps, 1000);
  EXPECT_TRUE(s.source.empty());
  EXPECT_TRUE(s.output.pictures.empty());
  EXPECT_EQ(s.output.forces->moment_centre, (Point{})) << "the default";
  EXPECT_EQ(s.resolved.find("[source]"), std::string::npos) << "recorded";
  EXPECT_EQ(read(s.resolved).resolved, s.resolved);
  // The default is recorded where there is one.
  const Settings euler = read(channel, {"equations.mu=", "equations.type=euler", "equations.gamma="});
  EXPECT_EQ(euler.equations.gamma, 1.4);
  EXPECT_NE(euler.resolved.find("gamma"), std::string::npos) << euler.resolved;
  EXPECT_EQ(read(euler.resolved).equations.gamma, 1.4);
  // One after the other: another way to say how viscous the gas is.
  EXPECT_EQ(read(channel, {"output.forces=", "output.forces.density=1", "output.forces.velocity=2",
                           "output.forces.length=1", "output.forces.pressure=0"})
                .output.forces->velocity,
            2);
}

TEST(Overrides, SayWhatIsNotThereToTakeOut) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"time.edn=", "--set time.edn=: error: there is no 'edn' in [time] to take out; did you mean 'end'?"},
           {"sorce=", "there is no 'sorce' to take out; did you mean 'source'?"},
           {"output.picture.mian=", "there is no 'mian' in [output.picture] to take out; did you mean 'main'?"},
           {"output.probe.main=", "there is no 'probe' in [output] to take out"},
           {"time.end.now=", "time.end is not a section"},
           {"discretization.order=", "discretization.order is missing"},
           {"initial=", "section [initial] is missing"}}) {
    const std::string error = refusal({text});
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace galerna::case_file
