// Sections of walls that a case asks for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "mesh/box.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A flow over a floor, u = z (1 + x), v = z y / 2, with an energy that is linear, too: exact at degree 1 on hexahedra.
/// On the floor p = 1 + x / 10. No step is made.
std::string floor_flow() {
  const std::string state =
      "density = 1\nvelocity_x = \"z*(1 + x)\"\nvelocity_y = \"z*y/2\"\nvelocity_z = 0\n"
      "pressure = \"1 + 0.1*x - 0.2*z^2*((1 + x)^2 + y^2/4)\"\n";
  std::string text = R"toml(
title = "Floor"
[mesh]
file = "box.msh"
[equations]
type = "navier-stokes"
mu = 0.02
prandtl = 0.72
[discretization]
order = 1
[time]
cfl = 0.1
end = 0
[output.forces]
density = 1
velocity = 0.5
length = 1
area = 0.5
pressure = 1
[output.section.middle]
wall = "bottom"
normal = [0, 2, 0]
point = [0, 0.3, 0]
width = 300
)toml";
  text += fmt::format("[initial]\n{}[boundary.bottom]\ntype = \"no-slip-adiabatic\"\n", state);
  for (const char* name : {"left", "right", "front", "back", "top"})
    text += fmt::format("[boundary.{}]\n{}type = \"dirichlet\"\n", name, state);
  return text;
}

void write_box(const Folder& folder) {
  mesh::write_gmsh(mesh::make_box({3, 2, 2}, {1, 0.8, 0.6}, 0, Shape::hexahedron), folder / "box.msh");
}

/// Columns of a CSV file by their names.
std::map<std::string, std::vector<double>> columns_of(const std::filesystem::path& file) {
  std::istringstream text(files::read_file(file));
  std::string line, cell;
  std::vector<std::string> names;
  std::getline(text, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(text, line)) {
    std::size_t column = 0;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      columns[names.at(column++)].push_back(std::stod(cell));
  }
  return columns;
}

TEST(QuickSections, AreWrittenWithCoefficientsAndAPlot) {
  Folder folder;
  write_box(folder);
  run(folder, floor_flow());
  const auto section = columns_of(folder / "out/section_middle.csv");
  const std::vector<double>& x = section.at("x");
  ASSERT_EQ(x.size(), 3U * 4) << "max(4, p + 2) points on each of three faces";
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(section.at("y")[i], 0.3, 1e-12);
    EXPECT_NEAR(section.at("z")[i], 0, 1e-12);
    EXPECT_NEAR(section.at("x_c")[i], x[i], 1e-12);
    // Against the normal, y, the fluid above the floor is on the left of who goes along −x.
    EXPECT_NEAR(section.at("s")[i], 1 - x[i], 1e-12);
    EXPECT_NEAR(section.at("pressure")[i], 1 + 0.1 * x[i], 1e-12);
    EXPECT_NEAR(section.at("cp")[i], (section.at("pressure")[i] - 1) / 0.125, 1e-12);
    EXPECT_NEAR(section.at("shear_x")[i], 0.02 * (1 + x[i]), 1e-12);
    EXPECT_NEAR(section.at("shear_y")[i], 0.02 * 0.15, 1e-12);
    EXPECT_NEAR(section.at("cf")[i], std::hypot(0.02 * (1 + x[i]), 0.003) / 0.125, 1e-11);
    EXPECT_NEAR(section.at("heat_flux")[i], 0, 1e-12);
  }
  EXPECT_EQ(files::read_file(folder / "out/section_middle.png").substr(1, 3), "PNG");
}

/// What is wrong with the case when keys of it are replaced.
std::string message(const std::vector<std::string>& set) {
  Folder folder;
  write_box(folder);
  try {
    run(folder, floor_flow(), set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "was accepted";
}

void expect_message(const std::vector<std::string>& set, const std::string& text) {
  const std::string found = message(set);
  EXPECT_NE(found.find(text), std::string::npos) << found;
}

TEST(QuickSections, AreRefusedWhereTheyMakeNoSense) {
  expect_message(
      {"output.section.middle.point=[0, 2, 0]"},
      "output.section.middle: the plane through (0, 2, 0) with the normal (0, 2, 0) does not cut the wall bottom");
  expect_message({"output.section.middle.wall=\"botom\""},
                 "output.section.middle: unknown wall \"botom\"; did you mean \"bottom\"?");
  expect_message({"output.section.middle.wall=\"left\""}, "unknown wall \"left\"");
  expect_message({"output.section.middle.normal=[0, 0, 0]"}, "the normal of a plane must not be zero");
  expect_message({"output.section.middle.normal=[1, 0, 0]"}, "the stream runs across this plane");
  expect_message({"output.section.middle.leading_edge=[0, 0, 0]"},
                 "leading_edge and trailing_edge are given together, or none of them");
  expect_message({"output.section.middle.normal="}, "output.section.middle.normal is missing");
  expect_message({"output.forces="}, "output.section.middle needs [output.forces]");
}

}  // namespace
}  // namespace galerna::tests
