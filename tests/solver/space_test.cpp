// Flows in space, on tetrahedra.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "case_names.hpp"
#include "dg/curved_solids.hpp"
#include "mesh/box.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// The unit cube of 6 n³ tetrahedra, bent inside so that no two are alike.
void write_box(const Folder& folder, mesh::Index n) {
  mesh::Mesh mesh = mesh::make_box({n, n, n});
  mesh::transform(mesh, [](const mesh::Point& x) {
    const double bump = 0.08 * std::sin(M_PI * x[0]) * std::sin(M_PI * x[1]) * std::sin(M_PI * x[2]);
    return mesh::Point{x[0] + bump, x[1] - bump, x[2] + 0.5 * bump};
  });
  mesh::write_gmsh(mesh, folder / "box.msh");
}

/// The same with curved elements, no face of which is flat.
void write_curved_box(const Folder& folder, mesh::Index n, int order) {
  mesh::write_gmsh(raise_solids(mesh::make_box({n, n, n}), order, wavy_in_space), folder / "box.msh");
}

/// A section with a state of pressure 1.
std::string state(const std::string& section, const std::string& density, const std::array<double, 3>& velocity) {
  return fmt::format("[{}]\ndensity = \"{}\"\nvelocity_x = {}\nvelocity_y = {}\nvelocity_z = {}\npressure = 1\n",
                     section, density, velocity[0], velocity[1], velocity[2]);
}

/// A density wave in a stream of constant velocity and pressure, an exact solution of the Euler equations, through the
/// boundary of the box.
std::string wave_through(int order) {
  constexpr std::array<double, 3> velocity = {1, 0.5, -0.4};
  std::string text =
      "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[functions]\n"
      "wave = \"1 + 0.2*sin(1.2*(x - t))*cos(1.2*(y - 0.5*t))*cos(1.2*(z + 0.4*t))\"\n";
  for (const char* name : {"initial", "exact"}) text += state(name, "wave", velocity);
  for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
    text += state(fmt::format("boundary.{}", name), "wave", velocity) + "type = \"dirichlet\"\n";
  return text + fmt::format(
                    "[discretization]\norder = {}\nriemann = \"hllc\"\n"
                    "[time]\nscheme = \"ssprk54\"\ncfl = 0.5\nend = {}\n",
                    order, order < 4 ? 0.2 : 0.08);
}

/// \param geometry order of the elements; of degree 1 straight
files::Report wave(int order, mesh::Index n, const std::string& device, int geometry = 1) {
  Folder folder;
  if (geometry == 1)
    write_box(folder, n);
  else
    write_curved_box(folder, n, geometry);
  return run(folder, wave_through(order), {}, {.device = device}).report;
}

class SpaceOrder : public ::testing::TestWithParam<int> {
 protected:
  void expect_order(const std::string& device, int geometry = 1) const {
    const int order = GetParam();
    const mesh::Index n = order == 1 ? 8 : 4;
    const files::Report coarse = wave(order, n, device, geometry), fine = wave(order, 2 * n, device, geometry);
    // At degree 4 meshes of six like tetrahedra in a cube give 4.74, with smaller steps, too; irregular ones 4.96.
    const double least = order < 4 ? order + 0.8 : order + 0.7;
    for (std::size_t v = 0; v < 5; ++v)
      EXPECT_GE(std::log2(coarse.errors.at(v).l2 / fine.errors.at(v).l2), least)
          << coarse.errors[v].l2 << ", " << fine.errors[v].l2;
    for (const auto& c : fine.conservation)
      EXPECT_LT(std::abs(c.defect), 1e-13 * (1 + std::abs(c.start))) << c.variable;
  }
};

TEST_P(SpaceOrder, IsTheDegreePlusOne) {
  expect_order("cpu");
}

TEST_P(SpaceOrder, IsTheDegreePlusOneOnCurvedTetrahedra) {
  expect_order("cpu", std::max(2, GetParam()));
}

TEST_P(SpaceOrder, IsTheDegreePlusOneOnTheGpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_order("cuda");
}

INSTANTIATE_TEST_SUITE_P(QuickDegrees, SpaceOrder, ::testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, SpaceOrder, ::testing::Values(2), CaseName{});  // to 5: make validation

constexpr const char* channel = R"toml(
[mesh]
file = "box.msh"
[equations]
type = "euler"
[discretization]
order = 2
[time]
cfl = 0.5
end = 0.2
[boundary.left]
type = "subsonic-inflow"
total_pressure = "(1 + 0.2*0.25/1.4)^3.5"
total_temperature = "1 + 0.2*0.25/1.4"
direction_x = 1
direction_y = 0
direction_z = 0
[boundary.right]
type = "subsonic-outflow"
pressure = 1
[boundary.front]
type = "slip-wall"
[boundary.back]
type = "symmetry"
[boundary.bottom]
type = "supersonic-outflow"
)toml";

/// Gas at rest between walls: the pressure on all sides of an element adds up to nothing.
TEST(Space, GasAtRestStaysSoWithinCurvedWalls) {
  Folder folder;
  write_curved_box(folder, 2, 3);
  std::string text =
      "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 2\n[time]\ncfl = 0.5\nend "
      "= "
      "0.05\n";
  for (const char* name : {"left", "right", "front", "back", "bottom", "top"})
    text += fmt::format("[boundary.{}]\ntype = \"slip-wall\"\n", name);
  for (const char* name : {"initial", "exact"}) text += state(name, "1", {0, 0, 0});
  const files::Report report = run(folder, text).report;
  EXPECT_EQ(report.status, "done");
  for (const auto& norms : report.errors) EXPECT_LT(norms.linf, 1e-12);
}

/// In a solid body's rotation about z with the rate 2, with a flow along z that grows with x.
TEST(QuickSpace, VorticityAndQAreThoseOfTheVelocity) {
  Folder folder;
  write_box(folder, 1);
  const case_file::Settings s = settings(folder, wave_through(1), {"output.fields.slope=ddz(momentum_z)"});
  const analysis::FieldSet fields = solver::case_fields(s);
  // The state, and its derivatives by x, y and z: v = (−2y, 2x, 3x) at the origin, density 1.
  const double values[] = {1, 0, 0, 0, 2.5, 0, 0, 2, 3, 0, 0, -2, 0, 0, 0, 0, 0, 0, 0.5, 0};
  const std::map<std::string, double> expected = {{"vorticity_x", 0}, {"vorticity_y", -3},    {"vorticity_z", 4},
                                                  {"vorticity", 5},   {"q_criterion", 3.875}, {"divergence", 0.5},
                                                  {"schlieren", 0},   {"slope", 0.5}};
  std::size_t found = 0;
  for (const analysis::FurtherField& field : fields.further)
    if (const auto entry = expected.find(field.name); entry != expected.end()) {
      EXPECT_NEAR(field.evaluate(0, 0, 0, 0, values), entry->second, 1e-14) << field.name;
      ++found;
    }
  EXPECT_EQ(found, expected.size());
}

TEST(Space, AStreamAlongWallsStaysAsItIs) {
  Folder folder;
  write_box(folder, 3);
  std::string text = channel;
  for (const char* name : {"initial", "exact", "boundary.top"}) text += state(name, "1", {0.5, 0, 0});
  text += "type = \"far-field\"\n[output.forces]\ndensity = 1\nvelocity = 2\nlength = 0.5\npressure = 0.5\narea = 3\n";
  const Outcome result = run(folder, text);
  const files::Report& report = result.report;
  EXPECT_EQ(report.status, "done");
  for (const auto& norms : report.errors) EXPECT_LT(norms.linf, 1e-11);
  // The front wall takes the pressure 1 on its area 1, the arm being (0.5, 0, 0.5).
  ASSERT_EQ(report.forces.size(), 1U);
  EXPECT_EQ(report.forces[0].boundary, "front");
  const std::array<double, 3> force = {0, -1, 0}, moment = {0.5, 0, -0.5};
  ASSERT_TRUE(report.all_coefficients && report.all_coefficients->space);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(report.forces[0].force.total()[k], force[k], 1e-12);
    EXPECT_NEAR(report.forces[0].force.pressure_moment[k], moment[k], 1e-12);
    EXPECT_NEAR(report.all_coefficients->space->moment[k], moment[k] / (2 * 3 * 0.5), 1e-12);
  }
  EXPECT_NEAR(report.all_coefficients->drag, 0, 1e-12);
  EXPECT_NEAR(report.all_coefficients->lift, 0, 1e-12);
  EXPECT_NEAR(report.all_coefficients->space->side, -1.0 / (2 * 3), 1e-12);
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "wall_front.vtu"));
  const std::string points = (std::ostringstream() << std::ifstream(folder / "out" / "wall_front.csv").rdbuf()).str();
  EXPECT_TRUE(points.starts_with("x,y,z,normal_x,")) << points.substr(0, 200);
  const int triangles = 18, rule = basis::quadrature(Shape::triangle, 4).size();
  EXPECT_EQ(std::count(points.begin(), points.end(), '\n'), 1 + triangles * rule);
}

TEST(Space, ABlowUpIsNamedWithItsPlaceAndWhatHelpsThere) {
  Folder folder;
  mesh::write_gmsh(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0, Shape::hexahedron), folder / "box.msh");
  const files::Report report = run(folder, wave_through(2), {"time.cfl=20", "time.end=10"}).report;
  ASSERT_TRUE(report.failure.has_value());
  const std::array<double, 3>& at = report.failure->where;
  const std::string place = fmt::format("at ({:.6g}, {:.6g}, {:.6g})", at[0], at[1], at[2]);
  EXPECT_NE(report.failure->what.find(place), std::string::npos) << report.failure->what;
  EXPECT_EQ(std::count(report.failure->step_set_by.begin(), report.failure->step_set_by.end(), ','), 2)
      << report.failure->step_set_by;
  const std::string advice = fmt::format("{}", fmt::join(report.failure->advice, "\n"));
  EXPECT_EQ(advice.find("limiter"), std::string::npos) << advice;
  EXPECT_NE(advice.find("volume_quadrature = 6"), std::string::npos) << advice;
}

/// What is wrong with the case; empty if nothing is.
std::string complaint(const Folder& folder, const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    Silent silent;
    const solver::Simulation simulation(settings(folder, text, set), {.device = "cpu"}, silent);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Space, SaysWhatACaseInSpaceNeeds) {
  Folder folder;
  write_box(folder, 1);
  write_square(folder, 2);
  const std::string text = wave_through(1);
  const auto expect = [&](const std::vector<std::string>& set, const std::string& words) {
    EXPECT_NE(complaint(folder, text, set).find(words), std::string::npos) << complaint(folder, text, set);
  };
  expect({"initial.velocity_z=", "exact=", "boundary="}, "need a third component, velocity_z");
  expect({"exact.velocity_z="}, "[exact] lacks velocity_z");
  expect({"mesh.file=square.msh", "boundary="}, "the mesh is two-dimensional, but [initial] has a third component");
  expect({"output.picture.density.field=density"}, "output.picture.density needs either normal");
  expect({"output.picture.density.normal=[0, 0, 1]", "output.picture.density.point=[0, 0, 2]"},
         "output.picture.density: the plane through (0, 0, 2) misses the mesh, which lies between (0, 0, 0) and (1, 1, "
         "1)");
  expect({"output.picture.density.view=[0, 0, 1]"}, "view needs boundaries");
  expect({"output.picture.density.view=[0, 1, 1]", "output.picture.density.planes=[{ point = [0, 0, 2] }]"},
         "an entry of planes must be {point = [x, y, z], normal = [x, y, z]}");
  expect({"output.picture.density.view=[0, 1, 1]",
          "output.picture.density.planes=[{ point = [0, 0, 2], normal = [0, 0, 1] }]"},
         "output.picture.density: the plane through (0, 0, 2) misses the mesh");
  expect({"output.picture.density.normal=[0, 1, 1]", "output.figure.both.pictures=[\"densty\"]"},
         "there is no [output.picture.densty]; did you mean \"density\"?");
  expect({"output.picture.density.normal=[0, 1, 1]", "output.figure.both.pictures=[\"density\"]",
          "output.figure.both.columns=9"},
         "9 columns need a width of 1800 pixels");
  expect({"output.picture.density.normal=[0, 1, 1]", "output.picture.density.boundaries=[\"top\"]"},
         "boundaries are looked at from a direction: give view in place of normal");
  expect({"output.picture.density.view=[1, 0, 1]", "output.picture.density.boundaries=[\"tpo\"]"},
         "output.picture.density: unknown boundary \"tpo\"; did you mean \"top\"?");
  expect({"boundary.top.type=far-field", "boundary.top.lift_centre=[0, 0]",
          "boundary.bottom=", "boundary.bottom.type=slip-wall"},
         "boundary.top.lift_centre is for flows in 2D");
  expect({"boundary.nowhere.type=slip-wall"}, "the mesh has no boundary \"nowhere\"");
  std::string text_of_mesh = (std::ostringstream() << std::ifstream(folder / "box.msh").rdbuf()).str();
  text_of_mesh.replace(text_of_mesh.find("$PhysicalNames\n6\n"), 17, "$PhysicalNames\n7\n1 7 \"edge\"\n");
  std::ofstream(folder / "box.msh") << text_of_mesh;
  expect({"boundary.edge.type=slip-wall"},
         "\"edge\" is a physical group of curves or points in the mesh; boundaries are groups of surfaces");
  mesh::write_gmsh(mesh::make_box({1, 1, 1}, {1, 1, 1}, 0, Shape::hexahedron), folder / "box.msh");
  expect({"shock.limiter=hierarchical", "time.cfl="},
         "shock.limiter = \"hierarchical\" limits slopes on straight tetrahedra only, but the mesh has hexahedra");
  expect({"shock.positivity=true", "time.cfl=", "discretization.volume_quadrature=4"},
         "known for the default quadrature only");
  write_curved_box(folder, 1, 2);
  expect({"shock.limiter=hierarchical"}, "limits slopes on straight tetrahedra only, but the mesh has curved ones");
}

/// Mass flows through all faces are together what the residual lets leave, and each is that of the flow.
TEST(Space, MassFlowsThroughFacesAreThoseOfTheResidual) {
  Folder folder;
  write_box(folder, 2);
  std::string text = "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n";
  text += state("initial", "1 + 0.1*x", {3, 2, -2.5});
  text +=
      "[time]\nscheme = \"euler\"\nstep = 1e-3\nend = 1e-3\n[output]\nsolution = false\n[output.monitor]\nsteps = 1\n";
  for (const char* face : {"left", "right", "front", "back", "bottom", "top"})
    text += fmt::format(
        "[boundary.{0}]\ntype = \"supersonic-outflow\"\n[output.integral.through_{0}]\nboundary = \"{0}\"\n"
        "formula = \"momentum_x*normal_x + momentum_y*normal_y + momentum_z*normal_z\"\n",
        face);
  run(folder, text);
  std::ifstream monitor(folder / "out" / "monitor.csv");
  std::map<std::string, std::vector<double>> columns;
  std::string header, line, cell;
  std::getline(monitor, header);
  while (std::getline(monitor, line)) {
    std::istringstream names(header), cells(line);
    for (std::string name; std::getline(names, name, ',') && std::getline(cells, cell, ',');)
      columns[name].push_back(cell.empty() ? 0 : std::stod(cell));
  }
  const auto through = [&](const std::string& face) { return columns.at("through_" + face).at(0); };
  EXPECT_NEAR(through("left"), -3, 1e-13);
  EXPECT_NEAR(through("right"), 3.3, 1e-13);
  EXPECT_NEAR(through("top"), -2.5 * 1.05, 1e-13);
  double all = 0;
  for (const char* face : {"left", "right", "front", "back", "bottom", "top"}) all += through(face);
  EXPECT_NEAR(columns.at("boundary_flux_density").at(1), 1e-3 * all, 1e-15);
}

/// Every option that is for the plane alone, named with its section.
TEST(QuickSpace, RefusesOptionsOfThePlane) {
  Folder folder;
  write_box(folder, 1);
  const std::string text = wave_through(1);
  const std::pair<std::vector<std::string>, std::string> refused[] = {
      {{"boundary.top=", "boundary.top.type=slip-wall", "boundary.top.circle={centre=[0, 0], radius=1}"},
       "circle is for flows in the plane: in space give sphere or cylinder"},
      {{"boundary.top=", "boundary.top.type=slip-wall", "boundary.top.curved=true"},
       "boundary.top.curved is for flows in 2D"},
      {{"mesh.curve.top.shape=circle", "mesh.curve.top.centre=[0, 0]", "mesh.curve.top.radius=1"},
       "shape = \"circle\" is for meshes in the plane: in space give sphere, cylinder or cad"}};
  for (const auto& [set, words] : refused)
    EXPECT_NE(complaint(folder, text, set).find(words), std::string::npos) << complaint(folder, text, set);
}

/// The other way round: in the plane boundaries are curves.
TEST(QuickSpace, InThePlaneNamesOfPointsAndSurfacesAreNoBoundaries) {
  Folder folder;
  write_square(folder, 1);
  std::string mesh = (std::ostringstream() << std::ifstream(folder / "square.msh").rdbuf()).str();
  const std::size_t at = mesh.find("$PhysicalNames\n");
  ASSERT_NE(at, std::string::npos);
  const std::size_t count = at + 15, end = mesh.find('\n', count);
  const int names = std::stoi(mesh.substr(count, end - count));
  mesh.replace(count, end - count, std::to_string(names + 1) + "\n0 77 \"corner\"");
  std::ofstream(folder / "square.msh") << mesh;
  const std::string text =
      std::string(periodic_square) + density_wave + "[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 1\n";
  const std::string said = complaint(folder, text, {"boundary.corner.type=symmetry"});
  EXPECT_NE(said.find("\"corner\" is a physical group of points in the mesh; boundaries are groups of curves"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace galerna::tests
