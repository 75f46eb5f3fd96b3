// The controller of the time loop before a step.
#include "kernels/control.hpp"

#include <gtest/gtest.h>

namespace galerna::kernels {
namespace {

Control begun(double fixed_step, double time) {
  Control c{};
  c.fixed_step = fixed_step;
  c.time = time;
  c.stop_time = 1;
  c.step_limit = 10;
  begin(c, 0.1);
  return c;
}

TEST(Control, TakesTheStepThatIsAskedFor) {
  const Control c = begun(0.01, 0);
  EXPECT_EQ(c.active, 1);
  EXPECT_EQ(c.dt, 0.01);
}

TEST(Control, EndsWhereNothingIsLeft) {
  EXPECT_EQ(begun(0.01, 1).status, int(RunStatus::reached_stop));
}

/// Numbers below the normal range count as zero in kernels on the CPU, and steps of zero go on for ever.
TEST(Control, EndsWhereStepsAreNothing) {
  EXPECT_EQ(begun(0, 0).status, int(RunStatus::step_underflow));
  EXPECT_EQ(begun(1e-30, 0).status, int(RunStatus::step_underflow));
}

}  // namespace
}  // namespace galerna::kernels
