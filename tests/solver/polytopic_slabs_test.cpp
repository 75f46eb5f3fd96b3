// Space–time slabs on polytopes: fluxes through boundaries, conservation, restarts.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "files/checkpoint.hpp"
#include "solver/polytopic/polytopic_run.hpp"
#include "solver/polytopic_cases.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// u is in the space, so that all integrals are known.
const std::string moving_plane = std::string(R"toml(
[functions]
u = "1 + x + 2*y + t"
[mesh]
file = "square.msh"
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
velocity = [1, 0.5]
reaction = 0.5
source = "3 + 0.5*u"
[discretization]
order = 1
[time]
type = "slabs"
end = 0.5
slabs = 4
[initial]
value = "u"
[exact]
value = "u"
)toml") + prescribed_sides;

class QuickPolytopicSlabs : public PolytopicRuns {
 protected:
  QuickPolytopicSlabs() : PolytopicRuns(moving_plane) {}

  void expect_refused(const std::vector<std::string>& set, const std::string& message) {
    expect_refused_by([&] { run(set, -1, folder_ / "out/checkpoint_interrupted.h5"); }, message);
  }
};

TEST_F(QuickPolytopicSlabs, FluxesAreThoseOfTheSolution) {
  const files::PolytopicReport report = *run({"solver.type=\"direct\""}).polytopic;
  struct Expected {
    std::string boundary;
    double diffusive, advective;
  };
  for (const Expected& expected : {Expected{"bottom", 1, -0.4375}, Expected{"left", 0.5, -1.125},
                                   Expected{"right", -0.5, 1.625}, Expected{"top", -1, 0.9375}}) {
    const auto found = std::find_if(report.fluxes.begin(), report.fluxes.end(),
                                    [&](const auto& flux) { return flux.boundary == expected.boundary; });
    ASSERT_NE(found, report.fluxes.end()) << expected.boundary;
    EXPECT_NEAR(found->diffusive, expected.diffusive, 1e-11) << expected.boundary;
    EXPECT_NEAR(found->advective, expected.advective, 1e-12) << expected.boundary;
  }
  EXPECT_NEAR(report.conservation.source, 2.1875, 1e-13);
  EXPECT_NEAR(report.conservation.consumed, 0.6875, 1e-12);
  EXPECT_NEAR(report.conservation.stored, 0.5, 1e-12);
  EXPECT_LT(std::abs(report.conservation.defect), 1e-12);
  EXPECT_LT(report.conservation.relative_element_defect, 1e-12);
}

TEST_F(QuickPolytopicSlabs, ReportEverySolve) {
  run();
  const auto report = nlohmann::json::parse(text_of(folder_ / "out/report.json"));
  ASSERT_EQ(report["solver"]["slabs"].size(), 4U);
  const auto& last = report["solver"]["slabs"][3];
  const auto& residuals = report["solver"]["residuals"];
  EXPECT_EQ(residuals.size(), last["iterations"].get<std::size_t>() + 1);
  EXPECT_EQ(residuals.front(), last["first"]);
  EXPECT_EQ(residuals.back(), last["last"]);
  double phases = 0;
  for (const auto& [name, seconds] : report["performance"]["phases"].items()) phases += seconds.get<double>();
  EXPECT_LE(phases, 1.001 * report["time"]["wall_loop"].get<double>());
  const std::string monitor = text_of(folder_ / "out/monitor.csv");
  EXPECT_EQ(std::count(monitor.begin(), monitor.end(), '\n'), 6);
  EXPECT_NE(monitor.find("diffusive_left"), std::string::npos);
}

TEST_F(QuickPolytopicSlabs, RestartIsBitwise) {
  const files::Report whole = run();
  const std::string monitor = text_of(folder_ / "out/monitor.csv");
  const files::Checkpoint end = files::read_checkpoint(folder_ / "out/checkpoint_final.h5");
  std::filesystem::remove_all(folder_ / "out");

  const files::Report first = run({}, 1);
  EXPECT_EQ(first.status, "interrupted");
  EXPECT_EQ(first.time.steps, 2);
  const files::Report rest = run({}, -1, folder_ / "out/checkpoint_interrupted.h5");
  const files::Checkpoint again = files::read_checkpoint(folder_ / "out/checkpoint_final.h5");
  EXPECT_EQ(again.coefficients, end.coefficients);
  EXPECT_EQ(again.state, end.state);
  EXPECT_EQ(text_of(folder_ / "out/monitor.csv"), monitor);
  EXPECT_EQ(rest.polytopic->energy, whole.polytopic->energy);
  EXPECT_EQ(rest.polytopic->errors->dg, whole.polytopic->errors->dg);
  EXPECT_EQ(rest.polytopic->fluxes.front().diffusive, whole.polytopic->fluxes.front().diffusive);
}

TEST_F(QuickPolytopicSlabs, CheckpointsAreWrittenByTheSlab) {
  run({"output.checkpoint.steps=3"});
  EXPECT_EQ(files::read_checkpoint(folder_ / "out/checkpoint_00000003.h5").step, 3);
  EXPECT_EQ(files::read_checkpoint(folder_ / "out/checkpoint_final.h5").time, 0.5);
}

TEST_F(QuickPolytopicSlabs, RestartsOfOtherCoefficientsAreSaid) {
  run({}, 1);
  EXPECT_TRUE(run({}, 1, folder_ / "out/checkpoint_interrupted.h5").warnings.empty());
  const files::Report other = run({"equations.reaction=0.25"}, -1, folder_ / "out/checkpoint_interrupted.h5");
  ASSERT_EQ(other.warnings.size(), 1u);
  EXPECT_EQ(other.warnings[0].name, "restart-with-another-case");
  EXPECT_EQ(other.warnings[0].where, "equations.reaction");
}

TEST_F(QuickPolytopicSlabs, CheckpointsOfOtherCasesAreRefused) {
  run({}, 1);
  expect_refused({"time.slabs=2"}, "slabs must be as long as they were, so raise time.slabs in proportion");
  expect_refused({"time.slabs=8"}, "slabs must be as long as they were");
  expect_refused({"discretization.order=2"}, "was made with other orders");
  expect_refused({"mesh.refine=1"}, "the checkpoint is of another mesh");
  expect_refused({"time=", "initial="}, "there is nothing to continue without [time]");
}

}  // namespace
}  // namespace galerna::tests
