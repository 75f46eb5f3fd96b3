// Boundary conditions that do not fit the flow are named, others are not.
#include <gtest/gtest.h>

#include <algorithm>

#include "files/report.hpp"
#include "mesh/box.hpp"
#include "solver/case_warnings.hpp"
#include "solver/given_flow.hpp"
#include "solver/make_mesh.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

using Warnings = std::vector<files::Report::Warning>;

/// A stream of Mach number `mach` (c = 1) along x. \param right condition there; the others fit.
std::string stream(double mach, const std::string& left, const std::string& right, const std::string& more = "") {
  const std::string state = "density = 1.4\nvelocity_x = " + std::to_string(mach) + "\nvelocity_y = 0\npressure = 1\n";
  std::string text = "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n";
  text += "[time]\ncfl = 0.5\nmax_steps = 4\n[initial]\n" + state + "[output]\nsolution = false\n";
  for (const char* side : {"bottom", "top"}) text += std::string("[boundary.") + side + "]\ntype = \"slip-wall\"\n";
  text += "[boundary.left]\ntype = \"" + left + "\"\n" + (left.ends_with("outflow") ? "" : state);
  return text + "[boundary.right]\ntype = \"" + right + "\"\n" + (right == "far-field" ? state : "") +
         (right == "subsonic-outflow" ? "pressure = 1\n" : "") + more;
}

Warnings warnings_of(const std::string& text, const std::vector<std::string>& set = {},
                     const std::string& device = "cpu") {
  Folder folder;
  write_square(folder, 4);
  return run(folder, text, set, {.device = device}).report.warnings;
}

std::vector<std::string> names_of(const Warnings& warnings) {
  std::vector<std::string> names;
  for (const files::Report::Warning& warning : warnings) names.push_back(warning.name + " " + warning.where);
  return names;
}

TEST(BoundaryWatch, NamesASupersonicOutflowOfSubsonicFlow) {
  for (const std::string& device : devices()) {
    const Warnings found = warnings_of(stream(0.5, "far-field", "supersonic-outflow"), {}, device);
    ASSERT_EQ(names_of(found), std::vector<std::string>{"subsonic-at-supersonic-outflow boundary.right"});
    EXPECT_NEAR(found[0].numbers.at("least_normal_mach"), 0.5, 1e-10);
    EXPECT_EQ(found[0].numbers.at("share"), 1);
    EXPECT_NE(found[0].message.find("far-field"), std::string::npos);
  }
}

TEST(BoundaryWatch, NamesASubsonicStateAtASupersonicInflow) {
  const Warnings found = warnings_of(stream(0.5, "supersonic-inflow", "subsonic-outflow"));
  ASSERT_EQ(names_of(found), std::vector<std::string>{"subsonic-at-supersonic-inflow boundary.left"});
  EXPECT_NEAR(found[0].numbers.at("least_normal_mach"), 0.5, 1e-10);
  // As conservative variables.
  const std::vector<std::string> set = {"boundary.left.velocity_x=",  "boundary.left.velocity_y=",
                                        "boundary.left.pressure=",    "boundary.left.momentum_x=2.8",
                                        "boundary.left.momentum_y=0", "boundary.left.energy=5.3"};
  EXPECT_TRUE(warnings_of(stream(2, "supersonic-inflow", "supersonic-outflow"), set).empty());
}

TEST(BoundaryWatch, NamesWhatTheCaseGivesBeforeARunFails) {
  Folder folder;
  write_square(folder, 4);
  const files::Report report =
      run(folder, stream(-3, "supersonic-inflow", "supersonic-outflow"), {"time.max_steps=200", "time.cfl=3"}).report;
  ASSERT_EQ(report.status, "failed");
  EXPECT_EQ(names_of(report.warnings), std::vector<std::string>{"subsonic-at-supersonic-inflow boundary.left"});
}

TEST(BoundaryWatch, NamesFlowThatEntersThroughAnOutflow) {
  EXPECT_EQ(names_of(warnings_of(stream(0.5, "subsonic-outflow", "far-field"), {"boundary.left.pressure=1"})),
            std::vector<std::string>{"inflow-at-outflow boundary.left"});
  EXPECT_EQ(
      names_of(warnings_of(stream(-2, "supersonic-outflow", "supersonic-outflow"))),
      (std::vector<std::string>{"subsonic-at-supersonic-outflow boundary.right", "inflow-at-outflow boundary.right"}));
}

TEST(BoundaryWatch, NamesFlowThatLeavesThroughAnInflow) {
  const std::vector<std::string> set = {
      "boundary.left={type=\"subsonic-inflow\", total_pressure=0.9, total_temperature=0.7, direction_x=1, "
      "direction_y=0}"};
  EXPECT_EQ(names_of(warnings_of(stream(-0.5, "far-field", "far-field"), set)),
            std::vector<std::string>{"outflow-at-inflow boundary.left"});
  EXPECT_TRUE(warnings_of(stream(0.5, "far-field", "subsonic-outflow"), set).empty());
  // Faster than sound, but out of the domain.
  const Warnings found = warnings_of(stream(-2, "supersonic-inflow", "far-field"));
  ASSERT_EQ(names_of(found), std::vector<std::string>{"subsonic-at-supersonic-inflow boundary.left"});
  EXPECT_NE(found[0].message.find("the given state does not enter faster than sound"), std::string::npos);
}

/// What the case and its mesh tell: `check` says it before anything is computed.
TEST(QuickInflows, AreJudgedByTheirDirectionBeforeARun) {
  Folder folder;
  write_square(folder, 4);
  const auto said = [&](const std::string& direction) {
    const case_file::Settings all = settings(
        folder, stream(0.5, "far-field", "far-field"),
        {"boundary.left={type=\"subsonic-inflow\", total_pressure=1.2, total_temperature=0.7, " + direction + "}"});
    return solver::direction_warnings(all, solver::make_mesh(all));
  };
  EXPECT_TRUE(said("direction_x=2, direction_y=5").empty());
  for (const char* out : {"direction_x=-1, direction_y=0", "direction_x=0, direction_y=1"}) {
    const Warnings found = said(out);
    ASSERT_EQ(names_of(found), std::vector<std::string>{"direction-out-of-domain boundary.left"});
    EXPECT_EQ(found[0].numbers.at("share"), 1);
  }
  const Warnings half = said("direction_x=\"y - 0.5\", direction_y=0");
  ASSERT_EQ(half.size(), 1u);
  EXPECT_EQ(half[0].numbers.at("share"), 0.5);
  EXPECT_NE(half[0].message.find("at 50 % of its sides, such as that at (0, 0."), std::string::npos) << half[0].message;
}

TEST(QuickInflows, AreJudgedByTheirStateBeforeARun) {
  Folder folder;
  write_square(folder, 4);
  const auto said = [&](double mach) {
    const case_file::Settings all = settings(folder, stream(mach, "supersonic-inflow", "far-field"));
    return names_of(solver::supersonic_warnings(all, solver::make_mesh(all)));
  };
  EXPECT_TRUE(said(1).empty());
  for (const double mach : {0.5, -2.0})
    EXPECT_EQ(said(mach), std::vector<std::string>{"subsonic-at-supersonic-inflow boundary.left"});
}

TEST(QuickWalls, ThatDoNotSlideAreNamed) {
  Folder folder;
  write_square(folder, 4);
  const auto said = [&](const std::string& velocity) {
    const case_file::Settings all = settings(folder, stream(0.5, "far-field", "far-field"),
                                             {"equations={type=\"navier-stokes\", mu=0.01}",
                                              "boundary.top={type=\"moving-wall-adiabatic\", " + velocity + "}"});
    const mesh::Mesh mesh = solver::make_mesh(all);
    const auto names = names_of(solver::sliding_warnings(all, mesh));
    EXPECT_EQ(names_of(solver::start_warnings(all, mesh, false)), names);
    return names;
  };
  EXPECT_TRUE(said("velocity_x=-1, velocity_y=0").empty());
  EXPECT_TRUE(said("velocity_x=0, velocity_y=0").empty());
  EXPECT_EQ(said("velocity_x=1, velocity_y=0.1"), std::vector<std::string>{"wall-velocity-across-wall boundary.top"});
}

TEST(QuickInflows, AreJudgedInSpace) {
  for (const Shape shape : {Shape::hexahedron, Shape::tetrahedron}) {
    Folder folder;
    mesh::write_gmsh(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0, shape), folder / "box.msh");
    std::string text =
        "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[time]\ncfl = "
        "0.5\nmax_steps = 2\n[initial]\n"
        "density = 1\nvelocity_x = 0\nvelocity_y = 0\nvelocity_z = 0\npressure = 1\n";
    for (const char* side : {"left", "right", "front", "back", "bottom", "top"})
      text += std::string("[boundary.") + side +
              "]\ntype = \"subsonic-inflow\"\ntotal_pressure = 1\ntotal_temperature = 1\ndirection_x = \"0.5 - x\"\n"
              "direction_y = \"0.5 - y\"\ndirection_z = \"0.5 - z\"\n";
    const auto said = [&](const std::vector<std::string>& set) {
      const case_file::Settings all = settings(folder, text, set);
      return names_of(solver::direction_warnings(all, solver::make_mesh(all)));
    };
    EXPECT_TRUE(said({}).empty());
    EXPECT_EQ(said({"boundary.top.direction_z=z"}), std::vector<std::string>{"direction-out-of-domain boundary.top"});
  }
}

/// At rest nothing has arrived yet; rounding is no flow.
TEST(BoundaryWatch, LetsAGasAtRestPass) {
  EXPECT_TRUE(warnings_of(stream(0, "supersonic-outflow", "subsonic-outflow")).empty());
}

TEST(BoundaryWatch, WarnsOnceOfABoundary) {
  const Warnings found =
      warnings_of(stream(0.5, "far-field", "supersonic-outflow"), {"time.max_steps=200", "output.monitor.steps=10"});
  ASSERT_EQ(found.size(), 1u);
}

TEST(BoundaryWatch, LooksAtSidesInSpace) {
  Folder folder;
  mesh::write_gmsh(mesh::make_box({2, 2, 2}), folder / "box.msh");
  std::string text =
      "[mesh]\nfile = \"box.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = 1\n[time]\ncfl = 0.5\n"
      "max_steps = 2\n[initial]\ndensity = 1.4\nvelocity_x = 0\nvelocity_y = 0\nvelocity_z = 0.25\npressure = 1\n"
      "[output]\nsolution = false\n";
  for (const char* side : {"left", "right", "front", "back", "bottom"})
    text += std::string("[boundary.") + side +
            "]\ntype = \"far-field\"\ndensity = 1.4\nvelocity_x = 0\nvelocity_y = 0\nvelocity_z = 0.25\npressure = 1\n";
  const Warnings found = run(folder, text + "[boundary.top]\ntype = \"supersonic-outflow\"\n").report.warnings;
  ASSERT_EQ(names_of(found), std::vector<std::string>{"subsonic-at-supersonic-outflow boundary.top"});
  EXPECT_NEAR(found[0].numbers.at("least_normal_mach"), 0.25, 1e-6);
}

/// A restart says what else it computes.
TEST(BoundaryWatch, RestartsNameWhatIsDifferent) {
  Folder folder;
  write_square(folder, 4);
  const std::string text = stream(0.5, "far-field", "far-field");
  run(folder, text);
  const auto again = [&](const std::vector<std::string>& set) {
    std::vector<std::string> all = set;
    all.emplace_back("time.max_steps=6");
    return names_of(
        run(folder, text, all, {.device = "cpu", .restart = folder / "out/checkpoint_final.h5"}).report.warnings);
  };
  EXPECT_TRUE(again({"discretization.order=2", "equations.gamma=1.40", "output.monitor.steps=1"}).empty());
  run(folder, text);  // each run leaves a checkpoint of its own case
  EXPECT_EQ(again({"equations.gamma=1.3"}), std::vector<std::string>{"restart-with-another-case equations.gamma"});
  run(folder, text);
  const std::string other = "restart-with-another-case boundary.right.";
  EXPECT_EQ(again({"boundary.right.type=supersonic-outflow", "boundary.right.density=", "boundary.right.velocity_x=",
                   "boundary.right.velocity_y=", "boundary.right.pressure="}),
            (std::vector<std::string>{other + "density", other + "pressure", other + "type", other + "velocity_x",
                                      other + "velocity_y", "subsonic-at-supersonic-outflow boundary.right"}));
}

}  // namespace
}  // namespace galerna::tests
