// Parts that hang on the phases of a stage.
#include "dg/run/stage_part.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dg/computation.hpp"
#include "dg/fixtures.hpp"

namespace galerna::tests {
namespace {

const char* name_of(dg::Phase phase) {
  switch (phase) {
    case dg::Phase::traces:
      return "traces";
    case dg::Phase::ghosts:
      return "ghosts";
    case dg::Phase::viscous:
      return "viscous";
    case dg::Phase::boundary_fluxes:
      return "boundary fluxes";
    case dg::Phase::residual:
      return "residual";
  }
  return "";
}

/// Writes down what it is called for, and doubles a stage's result.
class Recorder : public dg::StagePart {
 public:
  explicit Recorder(dg::Discretization& discretization) : discretization_(discretization) {}
  void before(dg::Phase phase, const dg::StageCall&) override { calls.push_back(name_of(phase)); }
  void after(dg::Phase phase, const dg::StageCall&) override { calls.back() += std::string("/") + name_of(phase); }
  bool finishes() const override { return true; }
  bool finish(device::Memory& state, double, bool) override {
    std::vector<double> numbers = discretization_.read_state(state);
    for (double& number : numbers) number *= 2;
    discretization_.write_state(state, numbers);
    return false;
  }

  std::vector<std::string> calls;

 private:
  dg::Discretization& discretization_;
};

TEST(QuickStageParts, AreCalledAroundEveryPhaseAndFinishAStage) {
  const mesh::Mesh mesh = irregular_square();
  dg::Spec spec = bare_euler(1);
  dg::BoundaryCondition wall;
  wall.kernel = {"kernels/boundary/slip_wall.hpp", "SlipWall"};
  spec.boundaries.assign(mesh.boundaries.size(), wall);
  const auto device = device::open_device("cpu");
  dg::Discretization discretization(*device, mesh, spec,
                                    std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()), {{1, 1}});
  EXPECT_FALSE(discretization.finishes());
  Recorder part(discretization);
  discretization.add(part);
  EXPECT_TRUE(discretization.finishes());
  const auto state = discretization.allocate_state();
  std::vector<double> numbers = discretization.read_state(*state);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  discretization.write_state(*state, numbers);
  discretization.finish(*state, 1, false);
  const std::vector<double> after = discretization.read_state(*state);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(after[i], 2 * numbers[i]);
  discretization.stage({state.get(), {state.get()}, {state.get()}, {{0}}, {1}, 0, 1, true});
  EXPECT_EQ(part.calls, (std::vector<std::string>{"traces/traces", "ghosts/ghosts", "residual/residual"}));
}

}  // namespace
}  // namespace galerna::tests
