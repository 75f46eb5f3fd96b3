// Curved walls on the command line: `galerna curve`, and what `galerna check` says of them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/program.hpp"
#include "base/lattice.hpp"
#include "mesh/balls.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/gmsh_writer.hpp"
#include "mesh/refine.hpp"
#include "mesh/round_surface.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// A part of the space between spheres of radius 1 and 1 + thickness.
mesh::Mesh shell(Shape shape, double thickness = 1) {
  mesh::Mesh mesh = mesh::make_box({2, 3, 3}, {1, 1, 1}, 0, shape);
  mesh::transform(mesh, [&](const mesh::Point& x) {
    const double r = (1 + thickness * x[0]) / std::sqrt(1 + x[1] * x[1] + x[2] * x[2]);
    return mesh::Point{r, r * x[1], r * x[2]};
  });
  return mesh;
}

class QuickCurve : public ::testing::Test {
 protected:
  QuickCurve() { mesh::write_gmsh(shell(Shape::tetrahedron), folder / "shell.msh"); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  Folder folder;
};

const std::string sphere = " --set 'mesh.curve.left={shape=\"sphere\", centre=[0, 0, 0], radius=1}'";

TEST_F(QuickCurve, WritesAMeshThatReadsBackAsItIs) {
  const Execution made = galerna("curve " + path("shell.msh") + sphere + " --order 3 -o " + path("curved.msh"));
  ASSERT_EQ(made.code, 0) << made.output;
  expect_contains(made.output, "curved: 108 of 108 elements, 100 nodes on walls");
  expect_contains(made.output, "valid: all, proved; smallest min J / max J 0.");
  expect_contains(made.output, "held back: 0 of 100 nodes on walls");
  const Execution info = galerna("info " + path("curved.msh"));
  EXPECT_EQ(info.code, 0) << info.output;
  expect_contains(info.output, "108 tetrahedra of order 3");

  const mesh::Mesh once = mesh::read_gmsh(folder / "curved.msh");
  mesh::write_gmsh(once, folder / "again.msh");
  const mesh::Mesh twice = mesh::read_gmsh(folder / "again.msh");
  EXPECT_EQ(once.nodes, twice.nodes);
  EXPECT_EQ(once.blocks[0].nodes, twice.blocks[0].nodes);
  const Execution again = galerna("curve " + path("shell.msh") + sphere + " --order 3 -o " + path("same.msh"));
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(text_of(folder / "same.msh"), text_of(folder / "curved.msh"));
}

/// The shell is thinner than the wall's bulge, and its other side is held.
TEST_F(QuickCurve, ListsNodesThatWereHeldBack) {
  mesh::write_gmsh(shell(Shape::tetrahedron, 0.01), folder / "thin.msh");
  const Execution made = galerna("curve " + path("thin.msh") + sphere + " --order 2 -o " + path("curved.msh") +
                                 " --held " + path("held.csv"));
  ASSERT_EQ(made.code, 0) << made.output;
  std::ifstream stream(folder / "held.csv");
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, "x,y,z,distance");
  std::size_t count = 0;
  for (mesh::Point x; std::getline(stream, line); ++count) {
    double distance = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &x[0], &x[1], &x[2], &distance), 4);
    EXPECT_NEAR(1 - std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), distance, 1e-12);
    EXPECT_GT(distance, 0);
  }
  EXPECT_GT(count, 0u);
  expect_contains(made.output, "held back: " + std::to_string(count) + " of 49 nodes on walls");
  const std::string text = text_of(folder / "curved.msh");
  expect_contains(text, "\"distance from the shape\"\n1\n0\n3\n0\n1\n" + std::to_string(count) + "\n");
  EXPECT_EQ(galerna("info " + path("curved.msh")).code, 0) << "readers pass over the numbers";
  EXPECT_EQ(galerna("curve " + path("thin.msh") + sphere + " -o " + path("a.msh") + " --held " + path("a.msh")).code,
            2);
}

const std::string shell_case = [] {
  return std::string("[mesh]\nfile = \"shell.msh\"\ngeometry_order = 2\n") +
         "[mesh.curve.left]\nshape = \"sphere\"\ncentre = [0, 0, 0]\nradius = 1\n" +
         "[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[time]\ncfl = 0.5\nend = 0.1\n" +
         "[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\nvelocity_z = 0\npressure = 1\n" +
         "[boundary]\nleft.type = \"slip-wall\"\nright.type = \"slip-wall\"\nfront.type = \"slip-wall\"\n" +
         "back.type = \"slip-wall\"\nbottom.type = \"slip-wall\"\ntop.type = \"slip-wall\"\n";
}();

/// Curved meshes of runs are kept next to the mesh by hash, and taken again while nothing has changed.
TEST_F(QuickCurve, IsKeptForLaterRuns) {
  std::ofstream(folder / "case.toml") << shell_case;
  const auto kept = [&] {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
      if (entry.path().filename().string().starts_with("shell.curved-")) files.insert(entry.path().string());
    return files;
  };
  const auto run = [&](const std::string& name, const std::string& words = "") {
    const Execution made = galerna("run " + path("case.toml") + " --set time.max_steps=1 -o " + path(name) + words);
    EXPECT_EQ(made.code, 0) << made.output;
    return text_of(folder / name / "monitor.csv");
  };
  const std::string first = run("first");
  const std::set<std::string> files = kept();
  ASSERT_EQ(files.size(), 1u);
  const std::string bytes = text_of(*files.begin());
  EXPECT_EQ(run("second"), first);
  const Execution check = galerna("check " + path("case.toml"));
  expect_contains(check.output, "curved: 108 of 108 elements, 49 nodes on walls");
  expect_contains(check.output, "taken from an earlier run: " + *files.begin());
  EXPECT_EQ(text_of(*files.begin()), bytes);
  EXPECT_EQ(kept(), files);
  run("third", " --set mesh.elasticity.layers=1");
  EXPECT_EQ(kept().size(), 2u) << "other settings, another mesh";
  std::ofstream(*files.begin()) << "damaged";
  EXPECT_EQ(run("fourth"), first) << "what is no such mesh is made anew";
  EXPECT_EQ(text_of(*files.begin()), bytes);
  const auto digit = bytes.find_first_of("12345678", bytes.find("$Nodes") + 40);
  std::string changed = bytes;
  ++changed[digit];
  for (const std::string& damaged : {bytes.substr(0, bytes.size() / 2), changed}) {
    std::ofstream(*files.begin()) << damaged;
    EXPECT_EQ(run("fifth"), first) << "damage is seen";
    EXPECT_EQ(text_of(*files.begin()), bytes);
  }
  std::filesystem::remove(*files.begin());
  ASSERT_EQ(mkfifo(files.begin()->c_str(), 0600), 0);
  EXPECT_EQ(run("sixth"), first) << "nobody reads that pipe";
}

TEST_F(QuickCurve, TakesTheShapesOfACase) {
  std::ofstream(folder / "case.toml") << shell_case;
  const Execution check = galerna("check " + path("case.toml"));
  EXPECT_EQ(check.code, 0) << check.output;
  expect_contains(check.output, "curved: 108 of 108 elements, 49 nodes on walls");
  const Execution references = galerna("check " + path("case.toml") +
                                       " --set output.forces.density=1 --set output.forces.velocity=1 --set "
                                       "output.forces.pressure=1");
  EXPECT_EQ(references.code, 0) << references.output;
  expect_contains(references.output, "coefficients: of left, area ");
  expect_contains(references.output, " seen along up, mean aerodynamic chord ");
  const Execution made = galerna("curve " + path("case.toml") + " -o " + path("curved.msh"));
  EXPECT_EQ(made.code, 0) << made.output;
  expect_contains(galerna("info " + path("curved.msh")).output, "108 tetrahedra of order 2");
  const Execution flat =
      galerna("check " + path("case.toml") + " --set 'mesh.curve.left={shape=\"circle\", centre=[0, 0], radius=1}'");
  EXPECT_EQ(flat.code, 2);
  expect_contains(flat.output, "shape = \"circle\" is for meshes in the plane: in space give sphere, cylinder or cad");
}

/// The inner sphere has the radius 1, that of the CAD file is 0.5.
TEST_F(QuickCurve, FollowsCad) {
  const std::string cad = std::string(GALERNA_SOURCE_DIR) + "/tests/cad/data/sphere.step";
  const std::string words =
      "curve " + path("shell.msh") + " --cad " + cad + " --boundary left --order 2 -o " + path("a.msh");
  const Execution unit = galerna(words);
  if (unit.output.find("OpenCASCADE, without which") != std::string::npos) GTEST_SKIP() << "built without OpenCASCADE";
  EXPECT_EQ(unit.code, 2);
  expect_contains(unit.output, "sphere.step (unit millimetre) from (-0.5, -0.5, -0.5) to (0.5, 0.5, 0.5)");
  const Execution made = galerna(words + " --set mesh.cad.scale=2");
  ASSERT_EQ(made.code, 0) << made.output;
  expect_contains(made.output, "held back: 0 of 49 nodes on walls");
  const mesh::Mesh mesh = mesh::read_gmsh(folder / "a.msh");
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    if (boundary.name != "left") continue;
    for (const mesh::Side& side : boundary.sides)
      for (const int n : side_nodes(Shape::tetrahedron, 2, side.side)) {
        const mesh::Point& x =
            mesh.nodes[static_cast<std::size_t>(mesh.element_nodes(side.element)[static_cast<std::size_t>(n)])];
        EXPECT_NEAR(std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1, 1e-12);
      }
  }
  const Execution info = galerna("info " + cad);
  EXPECT_EQ(info.code, 0);
  expect_contains(info.output, "faces             1, area 3.142 to 3.142, 0 slivers");
}

/// Between an ellipse and a circle.
TEST_F(QuickCurve, FollowsSectionsInThePlane) {
  mesh::Mesh ring = mesh::make_rectangle(3, 24, {0, 0}, {1, 2 * M_PI}, mesh::CellStyle::quadrilaterals);
  mesh::transform(ring, [](const mesh::Point& x) {
    return mesh::Point{(0.5 + x[0]) * std::cos(x[1]), (0.3 + x[0]) * std::sin(x[1]), 0};
  });
  mesh::write_gmsh(ring, folder / "ring.msh");
  const std::string cad = std::string(GALERNA_SOURCE_DIR) + "/tests/cad/data/ellipse.step";
  const Execution made =
      galerna("curve " + path("ring.msh") + " --cad " + cad + " --boundary left --order 3 -o " + path("a.msh"));
  if (made.output.find("OpenCASCADE, without which") != std::string::npos) GTEST_SKIP() << "built without OpenCASCADE";
  ASSERT_EQ(made.code, 0) << made.output;
  expect_contains(made.output, "held back: 0 of 73 nodes on walls");
}

/// The whole sphere, in metres beside CAD in millimetres.
TEST_F(QuickCurve, NamesOtherUnits) {
  mesh::Mesh ball = mesh::refine(ball_of(Shape::tetrahedron), 1, {{"wall", mesh::RoundSurface::sphere({}, 1)}});
  mesh::transform(ball, [](const mesh::Point& x) { return mesh::Point{5e-4 * x[0], 5e-4 * x[1], 5e-4 * x[2]}; });
  mesh::write_gmsh(ball, folder / "ball.msh");
  const std::string cad = std::string(GALERNA_SOURCE_DIR) + "/tests/cad/data/sphere.step";
  const std::string words = "curve " + path("ball.msh") + " --cad " + cad + " --boundary wall -o " + path("a.msh");
  const Execution unit = galerna(words);
  if (unit.output.find("OpenCASCADE, without which") != std::string::npos) GTEST_SKIP() << "built without OpenCASCADE";
  EXPECT_EQ(unit.code, 2);
  expect_contains(unit.output, "set mesh.cad.scale = 0.001");
  expect_contains(galerna(words + " --set mesh.cad.scale=0.0007").output,
                  "set mesh.cad.scale = 0.001 where the walls are all of it");
  expect_contains(galerna(words + " --set mesh.cad.scale=1e300").output, "off the CAD");
  EXPECT_EQ(galerna(words + " --set mesh.cad.scale=0.001").code, 0);
}

/// A wall that the mesh's corners do not lie on is refused, whichever key gives its shape.
TEST_F(QuickCurve, BoundariesLieOnTheirCircle) {
  mesh::Mesh ring = mesh::make_rectangle(3, 24, {0, 0}, {1, M_PI});
  mesh::transform(ring, [](const mesh::Point& x) {
    return mesh::Point{(0.5 + x[0]) * std::cos(x[1]), (0.5 + x[0]) * std::sin(x[1]), 0};
  });
  mesh::write_gmsh(ring, folder / "ring.msh");
  std::ofstream(folder / "ring.toml")
      << "[mesh]\nfile = \"ring.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[time]\ncfl = 0.5\n"
      << "end = 0.1\n[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n[boundary]\n"
      << "left.type = \"slip-wall\"\nright.type = \"slip-wall\"\nbottom.type = \"slip-wall\"\ntop.type = "
         "\"slip-wall\"\n";
  const auto check = [&](const std::string& circle) {
    return galerna("check " + path("ring.toml") + " --set 'boundary.left.circle={centre=" + circle + "}'");
  };
  EXPECT_EQ(check("[0, 0], radius=0.5").code, 0);
  for (const char* wrong : {"[0, 0.05], radius=0.5", "[0, 0], radius=0.05"}) {
    const Execution refused = check(wrong);
    EXPECT_EQ(refused.code, 2) << wrong;
    expect_contains(refused.output, "of boundary 'left' lies 0.");
    expect_contains(refused.output, "long: check boundary.left.circle, or make the mesh fit it");
  }
  const Execution refined = galerna("check " + path("ring.toml") +
                                    " --set 'boundary.left.circle={centre=[0, 0], radius=0.5}' --set mesh.refine=1");
  EXPECT_EQ(refined.code, 0) << refined.output;
}

/// Neither the mesh nor its list goes where the case's mesh, its CAD or its points are.
TEST_F(QuickCurve, WritesOverNothingThatTheCaseReads) {
  std::ofstream(folder / "points.txt") << "0 0\n1 1\n2 0\n";
  std::ofstream(folder / "wing.step") << "no matter what";
  std::ofstream(folder / "case.toml") << shell_case << "[mesh.cad]\nfile = \"wing.step\"\n[mesh.curve.right]\n"
                                      << "shape = \"spline\"\nfile = \"points.txt\"\n"
                                      << "[mesh.curve.front]\nshape = \"cad\"\n";
  for (const char* name : {"case.toml", "shell.msh", "wing.step", "points.txt"}) {
    const std::string before = text_of(folder / name);
    for (const std::string& words : {" -o " + path(name), " -o " + path("new.msh") + " --held " + path(name)}) {
      const Execution refused = galerna("curve " + path("case.toml") + words);
      EXPECT_EQ(refused.code, 2) << name;
      expect_contains(refused.output, path(name) + " is what is read, and would be lost: give another file");
    }
    EXPECT_EQ(text_of(folder / name), before);
  }
  const Execution one = galerna("curve " + path("shell.msh") + sphere + " -o " + path("new.msh") + " --held " +
                                (folder / "" / "." / "new.msh").string());
  EXPECT_EQ(one.code, 2);
  expect_contains(one.output, "the list and the mesh cannot be one file");
}

TEST_F(QuickCurve, WritesWholeFiles) {
  const std::string curve = "curve " + path("shell.msh") + sphere;
  expect_written_whole(curve, folder / "a.msh", 1);
  const Execution missing = galerna(curve + " -o " + path("a.msh") + " --held " + path("no/held.csv"));
  EXPECT_EQ(missing.code, 4);
  expect_contains(missing.output, "no/held.csv: No such file or directory");
  EXPECT_EQ(text_of(folder / "a.msh"), "older") << "before anything is curved";
}

TEST_F(QuickCurve, RefusesWrongWords) {
  const std::string cad = std::string(GALERNA_SOURCE_DIR) + "/tests/cad/data/sphere.step";
  expect_contains(galerna("curve " + path("shell.msh") + " --cad " + cad + " -o " + path("a.msh")).output,
                  "--cad needs --boundary NAME");
  EXPECT_EQ(galerna("curve " + path("shell.msh") + sphere + " --order 5 -o " + path("a.msh")).code, 2);
  EXPECT_EQ(galerna("curve " + path("shell.msh") + sphere).code, 2);
  const Execution bare = galerna("curve " + path("shell.msh") + " -o " + path("a.msh"));
  EXPECT_EQ(bare.code, 2);
  expect_contains(bare.output, "no boundary has a true shape: give one by [mesh.curve.NAME] in a case");
  const Execution same = galerna("curve " + path("shell.msh") + sphere + " -o " + path("shell.msh"));
  EXPECT_EQ(same.code, 2);
  expect_contains(same.output, "is what is read, and would be lost: give another file");
  const Execution missing = galerna("curve " + path("shel.msh") + sphere + " -o " + path("a.msh"));
  EXPECT_EQ(missing.code, 2);
  expect_contains(missing.output, "shel.msh does not exist");
  const Execution off = galerna("curve " + path("shell.msh") + " -o " + path("a.msh") +
                                " --set 'mesh.curve.left={shape=\"sphere\", centre=[0, 0, 0], radius=1000}'");
  EXPECT_EQ(off.code, 2);
  expect_contains(off.output, "off the sphere of radius 1000 about (0, 0, 0)");
}

}  // namespace
}  // namespace galerna::tests
