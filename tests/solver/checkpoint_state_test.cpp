// What a checkpoint holds is looked at before anybody reads it.
#include "solver/run/checkpoint_state.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "mesh/generate.hpp"

namespace galerna::tests {
namespace {

files::Checkpoint example() {
  files::Checkpoint c;
  c.variables = {"density", "energy"};
  c.coefficients = {1, 2, 3, 4};
  c.conservation_start = {{"density", 1}, {"energy", 2}};
  c.state = {{"level_step", {3}},   {"rejected", {0}},         {"limiter", {1, 2, 3}},
             {"average", {0, 0.5}}, {"average_forces", {}},    {"average_integral", {1, 2, 3, 4}},
             {"change", {1e300}},   {"boundary_flux", {1, 2}}, {"boundary_flux_before", {1, 2}}};
  return c;
}

/// What is said of a checkpoint; "" if it is whole.
std::string complaint(const files::Checkpoint& checkpoint) {
  try {
    solver::require_whole_state(checkpoint, "a.h5");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string complaint_with(const std::string& name, const std::vector<double>& numbers) {
  files::Checkpoint c = example();
  c.state[name] = numbers;
  return complaint(c);
}

std::string complaint_without(const std::string& name) {
  files::Checkpoint c = example();
  c.state.erase(name);
  c.conservation_start.erase(name);
  return complaint(c);
}

TEST(QuickCheckpointState, ThatIsWholeIsTaken) {
  EXPECT_EQ(complaint(example()), "");
  EXPECT_EQ(complaint_without("limiter"), "") << "of runs without one";
}

TEST(QuickCheckpointState, HasListsOfTheirLengths) {
  EXPECT_EQ(complaint_with("level_step", {}),
            "a.h5: error: is damaged: state/level_step holds 0 numbers and not 1; take another checkpoint");
  for (const char* name : {"limiter", "average", "average_integral", "boundary_flux", "boundary_flux_before"})
    EXPECT_NE(complaint_with(name, {1}).find(std::string("state/") + name + " holds 1 numbers"), std::string::npos);
}

TEST(QuickCheckpointState, HasCountsThatAreOnes) {
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), 1e300, -std::numeric_limits<double>::infinity()})
    EXPECT_NE(complaint_with("rejected", {wrong}).find("in place of a count"), std::string::npos) << wrong;
}

TEST(QuickCheckpointState, HasCountsInItsLists) {
  EXPECT_EQ(complaint_with("rhs_evaluations", {1e15}), "") << "of a long run";
  EXPECT_EQ(complaint_with("levels", {1, 1e15, 1e300}), "");
  EXPECT_EQ(complaint_with("steady_forces", {200, 1e300, 0, 0}), "");
  EXPECT_NE(complaint_with("levels", {1, 1e300, 0.5}).find("state/levels has 1e+300 in place of a count"),
            std::string::npos);
  EXPECT_NE(complaint_with("levels", {1e15, 200, 0.5}).find("in place of a count"), std::string::npos) << "a degree";
  EXPECT_NE(complaint_with("steady_forces", {200, 1, 0, 0, -1e300, 1, 0, 0}).find("in place of a count"),
            std::string::npos);
}

TEST(QuickCheckpointState, LacksNothingThatIsReadTogether) {
  EXPECT_NE(complaint_without("average_forces").find("lacks state/average_forces"), std::string::npos);
  EXPECT_NE(complaint_without("average_integral").find("lacks state/average_integral"), std::string::npos);
  EXPECT_NE(complaint_without("energy").find("lacks conservation_start/energy"), std::string::npos);
}

TEST(QuickCheckpointState, HasTheFlowOfAllElements) {
  const mesh::Mesh mesh = mesh::make_rectangle(1, 1, {0, 0}, {1, 1}, mesh::CellStyle::triangles);
  files::Checkpoint c = example();
  EXPECT_NO_THROW(solver::require_whole_flow(c, mesh, "a.h5")) << "two triangles, two variables, p = 0";
  c.coefficients.resize(2);
  try {
    solver::require_whole_flow(c, mesh, "a.h5");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("it holds 2 coefficients, and its mesh needs 4 at degree 0"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace galerna::tests
