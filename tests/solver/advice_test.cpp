// What runs say of shocks and of temperatures that nobody means.
#include <gtest/gtest.h>

#include "solver/case_warnings.hpp"
#include "solver/initial_jumps.hpp"
#include "solver/run/failure.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

std::string in_a_box(const std::string& initial, const std::string& more = "") {
  return std::string(
             "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"navier-stokes\"\nmu = 0.01\n[discretization]\n") +
         "order = 2\n[time]\ncfl = 0.5\nend = 1\n[output]\nsolution = false\n[initial]\nvelocity_x = 0\nvelocity_y = "
         "0\n" +
         initial + "[boundary]\nleft = { type = \"no-slip-adiabatic\" }\nright = { type = \"no-slip-adiabatic\" }\n" +
         "bottom = { type = \"no-slip-adiabatic\" }\ntop = { type = \"no-slip-isothermal\", temperature = 300 }\n" +
         more;
}

std::size_t place_of(const std::vector<std::string>& advice, const std::string& text) {
  for (std::size_t k = 0; k < advice.size(); ++k)
    if (advice[k].find(text) != std::string::npos) return k;
  return advice.size();
}

TEST(QuickAdvice, NamesTheFilterBeforeTheLimiterAndOnAllShapes) {
  Folder folder;
  write_square(folder, 2);
  const case_file::Settings gas = settings(folder, in_a_box("density = 1\npressure = 1\n"));
  const mesh::Mesh triangles = mesh::make_rectangle(2, 2),
                   squares = mesh::make_rectangle(2, 2, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0);
  const auto on_triangles = solver::advice(gas, triangles, {}), on_squares = solver::advice(gas, squares, {});
  EXPECT_LT(place_of(on_triangles, "entropy filter"), place_of(on_triangles, "limiter = "));
  EXPECT_LT(place_of(on_triangles, "limiter = "), on_triangles.size());
  EXPECT_LT(place_of(on_squares, "an empty section [shock]"), on_squares.size());
}

TEST(QuickAdvice, TellsAnOvershootFromAWrongFormula) {
  Folder folder;
  write_square(folder, 4);
  const auto refusal = [&](const std::string& pressure) -> std::string {
    try {
      run(folder, in_a_box("density = 1\npressure = \"" + pressure + "\"\n"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string jump = refusal("where(x < 0.37, 1, 1e-4)"), wrong = refusal("x - 0.5");
  EXPECT_NE(jump.find("overshoot at jumps: give the case a section [shock]"), std::string::npos) << jump;
  EXPECT_EQ(wrong.find("overshoot"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("the initial state is not physical: pressure -"), std::string::npos) << wrong;
}

/// Of squares of a quarter; an element is cut where its corners lie on both sides of the jump.
TEST(QuickAdvice, WarnsOfInitialJumpsThatCutElements) {
  Folder folder;
  write_square(folder, 2);
  const mesh::Mesh squares = mesh::make_rectangle(4, 4, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0);
  const auto cut = [&](const std::string& pressure, const std::vector<std::string>& set = {}) {
    const case_file::Settings all =
        settings(folder, in_a_box("density = 1\npressure = \"" + pressure + "\"\n", "[shock]\n"), set);
    const auto found = solver::jump_warnings(all, squares);
    return found.empty() ? 0 : found[0].numbers.at("elements");
  };
  EXPECT_EQ(cut("where(x < 0.4, 1, 0.1)"), 4);
  EXPECT_EQ(cut("where(x < 0.4, 1, 0.98)"), 4);
  EXPECT_EQ(cut("where(x + y < 0.1, 1, 0.1)"), 1);
  EXPECT_EQ(cut("where(x < 0.5, 1, 0.1)"), 0) << "on sides";
  EXPECT_EQ(cut("where(x < 0.4, 1, 0.995)"), 0) << "small";
  EXPECT_EQ(cut("1.1 + tanh((x - 0.4)/1e-4)"), 0) << "smooth, if steep";
  EXPECT_EQ(cut("1 + abs(x - 0.4)"), 0) << "a kink";
  for (const char* other : {"discretization.order=0", "time.steady=1e-6", "shock={limiter=\"hierarchical\"}", "shock="})
    EXPECT_EQ(cut("where(x < 0.4, 1, 0.1)", {other}), 0) << other;
}

TEST(QuickAdvice, WarnsOfTemperaturesInKelvin) {
  Folder folder;
  write_square(folder, 2);
  const auto names = [&](const std::string& initial) {
    std::vector<std::string> list;
    for (const auto& warning : solver::case_warnings(settings(folder, in_a_box(initial)))) list.push_back(warning.name);
    return list;
  };
  EXPECT_EQ(names("density = 1\npressure = 1\n"), std::vector<std::string>{"far-wall-temperature"});
  EXPECT_TRUE(names("density = 1\npressure = 100\n").empty());
  // Whatever the velocity is.
  EXPECT_EQ(names("density = 1\npressure = \"1 + 0*x\"\n"), std::vector<std::string>{"far-wall-temperature"});
}

TEST(QuickAdvice, WarnsOfReferenceTemperaturesInKelvin) {
  Folder folder;
  write_square(folder, 2);
  const auto names = [&](const std::string& temperature) {
    const std::string text =
        "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"navier-stokes\"\nmu = 1e-5\nviscosity = \"sutherland\"\n"
        "reference_temperature = " +
        temperature +
        "\n[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 1\n[initial]\ndensity = 1.2\nvelocity_x = \"y\"\n"
        "velocity_y = 0\npressure = 1e5\n[boundary]\nbottom = { type = \"no-slip-adiabatic\" }\n"
        "right = { type = \"no-slip-adiabatic\" }\ntop = { type = \"no-slip-adiabatic\" }\n"
        "left = { type = \"subsonic-inflow\", total_pressure = 1e5, total_temperature = 288.15, direction_x = 1, "
        "direction_y = 0 }\n";
    std::vector<std::string> list;
    for (const auto& warning : solver::case_warnings(settings(folder, text))) list.push_back(warning.name);
    return list;
  };
  EXPECT_EQ(names("288.15"), (std::vector<std::string>{"far-total-temperature", "far-reference-temperature"}));
  EXPECT_EQ(names("8.3e4"), std::vector<std::string>{"far-total-temperature"});
}

TEST(QuickAdvice, WarnsOfLiftOfWallsThatAreNoBodies) {
  Folder folder;
  write_square(folder, 2);
  const mesh::Mesh square = mesh::make_rectangle(2, 2);
  const std::string stream = "density = 1, velocity_x = 0.1, velocity_y = 0, pressure = 1";
  const std::string text =
      "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[time]\ncfl = 0.5\n"
      "end = 1\n[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n[boundary]\n"
      "bottom = { type = \"slip-wall\" }\nright = { type = \"slip-wall\" }\ntop = { type = \"slip-wall\" }\n";
  const auto warnings = [&](const std::string& left, const mesh::Mesh& mesh) {
    return solver::lift_warnings(settings(folder, text + "left = { " + left + " }\n"), mesh);
  };
  const auto open = warnings("type = \"far-field\", lift_centre = [0, 0], " + stream, square);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_NE(open[0].message.find("boundary.left.lift_centre: wall '"), std::string::npos) << open[0].message;
  EXPECT_NE(open[0].message.find("ends at (0, "), std::string::npos) << open[0].message;
  EXPECT_TRUE(warnings("type = \"far-field\", " + stream, square).empty());
  // Three sides and the fourth close round a body.
  mesh::Mesh body = square;
  auto &left = body.boundaries[0].sides, &right = body.boundaries[1].sides;
  right.insert(right.end(), left.begin(), left.end());
  left.clear();
  EXPECT_TRUE(warnings("type = \"far-field\", lift_centre = [0, 0], " + stream, body).empty());
}

}  // namespace
}  // namespace galerna::tests
