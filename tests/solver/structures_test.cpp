// What a run does about the structure of its kernels: asked for, or that of the run that wrote its checkpoint.
#include "solver/bench/structures.hpp"
//
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/fixtures.hpp"
#include "dg/plan_sets.hpp"

namespace galerna::tests {
namespace {

class WithMatrixUnits : public EmulatedGpu {
 public:
  bool matrix_units() const override { return true; }
};

constexpr device::Target hopper{device::Kind::cuda, 32, true}, cpu{device::Kind::host, 8};

/// Of a run at order 3 that took tiles of so many elements.
files::Checkpoint checkpoint_with(double tile_elements) {
  files::Checkpoint checkpoint;
  checkpoint.degree = 3;
  checkpoint.state["tile_elements"] = {tile_elements};
  return checkpoint;
}

dg::Spec chosen(const files::Checkpoint& checkpoint, const std::string& asked = "") {
  WithMatrixUnits device;
  solver::WallClock clock(std::chrono::steady_clock::now());
  dg::Spec spec = bare_euler(3);
  solver::choose_structure(spec, irregular_square(), {{1, 1}}, device, asked, &checkpoint, clock);
  return spec;
}

TEST(QuickStructuresOfRuns, ARestartGoesOnWithTheTilesOfItsCheckpoint) {
  for (const auto& [tile, row] : {std::pair(0, "threads"), std::pair(32, "tiles-32"), std::pair(64, "tiles-64")}) {
    const dg::Spec spec = chosen(checkpoint_with(tile));
    EXPECT_EQ(spec.structure, row);
    EXPECT_EQ(spec.structure_why, "that of the checkpoint");
  }
  EXPECT_EQ(chosen(checkpoint_with(64), "element").structure, "element") << "asked for";
}

TEST(QuickStructuresOfRuns, CheckpointsKeepWhatWasAskedFor) {
  const auto sets = dg::plan_sets(irregular_square(), bare_euler(4), hopper);
  files::Checkpoint measured, asked;
  solver::remember_structures(measured, sets, "");
  solver::remember_structures(asked, sets, "tiles-32");
  EXPECT_EQ(measured.state.size(), 1u);
  EXPECT_EQ(measured.state.at("tile_elements"), std::vector<double>{32});
  EXPECT_EQ(solver::asked_structure(measured), "");
  EXPECT_EQ(solver::asked_structure(asked), "tiles-32");
}

TEST(QuickStructuresOfRuns, ThoseThatFitAreThoseOfAnySet) {
  using Names = std::vector<std::string>;
  const mesh::Mesh mixture = curved_mixture(3, 1);
  EXPECT_EQ(solver::structures_that_fit(bare_euler(3), mixture, hopper), (Names{"tiles-32", "tiles-64", "element"}));
  EXPECT_EQ(solver::structures_that_fit(bare_euler(3), mixture, cpu), Names{"element"});
  try {
    solver::require_structure({}, "packs", bare_euler(3), mixture, hopper);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(
        text.find("--structure: error: packs needs a CPU; triangles of order 1 can have tiles-64, tiles-32 or element"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("quadrilaterals of order 1 can have element"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(solver::require_structure({}, "tiles-32", bare_euler(3), mixture, hopper));
}

}  // namespace
}  // namespace galerna::tests
