// Equations that are not gases: sound in a box, by the registry and by a header.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/box.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// In the plane by the name in the registry, in space as a user's header with the same struct.
std::string equations(int dimension) {
  if (dimension == 2) return "type = \"acoustics\"\nsound_speed = \"c\"\ndensity = 0.5\n";
  return std::string("type = \"user\"\nheader = \"") + GALERNA_SOURCE_DIR +
         "/kernels/physics/acoustics.hpp\"\nname = \"Acoustics\"\ndimension = 3\nvariables = [\"pressure\", "
         "\"momentum_x\", \"momentum_y\", \"momentum_z\"]\n[equations.parameters]\nsound_speed = \"c\"\ndensity = "
         "0.5\n";
}

/// A standing wave in a unit box: ω = √d π c.
std::string standing_wave(int dimension, int order) {
  const bool space = dimension == 3;
  const std::string z = space ? "*cos(pi*z)" : "", d = std::to_string(dimension);
  std::string text = "[constants]\nc = 2\n[functions]\nw = \"pi*c*sqrt(" + d + ")\"\nwave = \"cos(pi*x)*cos(pi*y)" + z +
                     "*cos(w*t)\"\nswing = \"pi*sin(w*t)/w\"\n[mesh]\nfile = \"box.msh\"\n[equations]\n" +
                     equations(dimension) + "[discretization]\norder = " + std::to_string(order) +
                     "\n[time]\nscheme = \"ssprk54\"\ncfl = 0.5\nend = 0.2\n[output]\nsolution = false\n";
  for (const char* section : {"initial", "exact"}) {
    text += std::string("[") + section + "]\npressure = \"wave\"\nmomentum_x = \"swing*sin(pi*x)*cos(pi*y)" + z +
            "\"\nmomentum_y = \"swing*cos(pi*x)*sin(pi*y)" + z + "\"\n";
    if (space) text += "momentum_z = \"swing*cos(pi*x)*cos(pi*y)*sin(pi*z)\"\n";
  }
  // A user's equations have no walls of gases; outside, the exact state.
  const std::string condition =
      space ? "type = \"dirichlet\"\n" + text.substr(text.rfind("pressure = \"wave\"")) : "type = \"slip-wall\"\n";
  for (const char* side : {"left", "right", "bottom", "top"})
    text += std::string("[boundary.") + side + "]\n" + condition;
  if (space)
    for (const char* side : {"front", "back"}) text += std::string("[boundary.") + side + "]\n" + condition;
  return text;
}

TEST(Acoustics, CarryAStandingWaveBetweenWallsWithItsOrder) {
  Folder folder;
  mesh::write_gmsh(mesh::make_rectangle(6, 6, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15),
                   folder / "box.msh");
  const Outcome coarse = run(folder, standing_wave(2, 2)), fine = run(folder, standing_wave(2, 2), {"mesh.refine=1"});
  for (std::size_t v = 0; v < 3; ++v) {
    const double order = std::log2(coarse.report.errors.at(v).l2 / fine.report.errors.at(v).l2);
    EXPECT_GE(order, 2.8) << fine.report.errors[v].variable << " " << fine.report.errors[v].l2;
  }
  EXPECT_EQ(fine.report.errors[1].variable, "momentum_x");
  EXPECT_LT(fine.report.errors[0].l2, 2e-3);
}

TEST(Acoustics, CarryAStandingWaveInSpace) {
  Folder folder;
  std::vector<double> errors;
  for (int n : {3, 6}) {
    mesh::write_gmsh(mesh::make_box({n, n, n}), folder / "box.msh");
    errors.push_back(run(folder, standing_wave(3, 1)).report.errors.at(0).l2);
  }
  EXPECT_GE(std::log2(errors[0] / errors[1]), 1.8) << errors[1];
}

}  // namespace
}  // namespace galerna::tests
