// Steps in which the mean of an element loses its density or pressure are taken again, shorter (docs/theory.md,
// Positivity).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dg/curved_meshes.hpp"
#include "dg/curved_solids.hpp"
#include "files/checkpoint.hpp"
#include "mesh/box.hpp"
#include "solver/mixtures.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

const std::vector<std::string> sides_of_square = {"left", "right", "top", "bottom"},
                               sides_of_box = {"left", "right", "front", "back", "top", "bottom"};

/// Gas under a high pressure bursts into thin gas between walls: whatever it does, mass and energy stay.
std::string burst(const std::string& time, const std::vector<std::string>& walls = sides_of_square) {
  const bool in_space = walls == sides_of_box;
  const std::string inside = in_space ? "x*x + y*y + z*z < 0.3" : "x*x + y*y < 0.16";
  std::string text = "[mesh]\nfile = \"square.msh\"\n[equations]\ntype = \"euler\"\n[discretization]\norder = " +
                     std::string(in_space ? "1" : "2") +
                     "\nriemann = \"llf\"\n[shock]\npositivity = true\n[initial]\n" + "density = \"where(" + inside +
                     ", 1, 1e-3)\"\nvelocity_x = 0\nvelocity_y = 0\n" + (in_space ? "velocity_z = 0\n" : "") +
                     "pressure = \"where(" + inside + ", 100, 1e-4)\"\n[output]\nsolution = false\n[time]\n" + time;
  for (const std::string& wall : walls) text += "[boundary." + wall + "]\ntype = \"slip-wall\"\n";
  return text;
}

void expect_conserved(const files::Report& report) {
  for (const auto& found : report.conservation)
    if (found.variable == "density" || found.variable == "energy")
      EXPECT_NEAR(found.end, found.start, 1e-12 * std::abs(found.start)) << found.variable;
}

const std::string long_steps = "scheme = \"ssprk33\"\ncfl = 4\n";

TEST(LostMean, IsFoundAgainOnAllElements) {
  Folder triangles, quadrilaterals, curved;
  write_square(triangles, 6);
  write_square(quadrilaterals, 6, mesh::CellStyle::quadrilaterals);
  write_mixture(curved, 6, 2);
  const std::string text = burst(long_steps + "end = 0.02\n"), inside_rim = burst(long_steps + "end = 0.02\n", {"rim"});
  for (const Folder* folder : {&triangles, &quadrilaterals, &curved})
    for (const std::string& device : devices()) {
      const files::Report report = run(*folder, folder == &curved ? inside_rim : text, {}, {.device = device}).report;
      EXPECT_EQ(report.status, "done");
      EXPECT_GT(report.time.rejected, 0);
      expect_conserved(report);
    }
}

TEST(LostMean, IsFoundAgainOnCurvedSolids) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    Folder folder;
    mesh::write_gmsh(raise_solids(mesh::make_box({3, 3, 3}, {1, 1, 1}, 0, shape), 2, wavy_in_space),
                     folder / "square.msh");
    const std::string text = burst("scheme = \"ssprk33\"\ncfl = 12\nend = 0.02\n", sides_of_box);
    const files::Report report = run(folder, text).report;
    EXPECT_EQ(report.status, "done") << name(shape);
    EXPECT_GT(report.time.rejected, 0) << name(shape);
    expect_conserved(report);
  }
}

/// However the step is chosen.
TEST(LostMean, IsFoundAgainWithAnyStep) {
  Folder folder;
  write_square(folder, 6);
  for (const std::string& time : {"scheme = \"ssprk33\"\nstep = 2e-3\n", "scheme = \"rk4\"\ncfl = 4\n",
                                  "scheme = \"ssprk43\"\ntolerance = 1\n"}) {
    const files::Report report = run(folder, burst(std::string(time) + "end = 0.02\n")).report;
    EXPECT_EQ(report.status, "done") << time;
    EXPECT_GT(report.time.rejected, 0) << time;
    expect_conserved(report);
  }
}

/// States are kept where outputs are written, and where a restart begins.
TEST(LostMean, GivesTheSameBitsWhicheverStateWasKept) {
  Folder folder;
  write_square(folder, 6);
  const std::string text = burst(long_steps + "max_steps = 40\n");
  const auto last = [&] { return files::read_checkpoint(folder / "out/checkpoint_final.h5"); };
  EXPECT_GT(run(folder, text).report.time.rejected, 0);
  const files::Checkpoint whole = last();
  run(folder, text + "[output.checkpoint]\nsteps = 7\n");
  const files::Checkpoint in_parts = last();
  EXPECT_EQ(in_parts.coefficients, whole.coefficients);
  EXPECT_EQ(in_parts.state, whole.state);
  run(folder, text, {}, {.device = "cpu", .restart = folder / "out/checkpoint_00000014.h5"});
  const files::Checkpoint continued = last();
  EXPECT_EQ(continued.coefficients, whole.coefficients);
  EXPECT_EQ(continued.state, whole.state);
}

}  // namespace
}  // namespace galerna::tests
