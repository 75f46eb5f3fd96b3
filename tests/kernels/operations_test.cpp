#include "kernels/operations.hpp"

#include <gtest/gtest.h>

#include "kernels/limiter/variables.hpp"
#include "kernels/riemann/hllc.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/riemann/roe.hpp"
#include "kernels/states.hpp"

namespace galerna::tests {
namespace {

using namespace kernels;

// Counted by hand from the sources of the Euler equations in two dimensions.
TEST(Operations, OfTheEulerEquationsAreThoseOfTheirSource) {
  OperationCounts counts;
  count_operations<Gas<2>, LocalLaxFriedrichs>(counts);
  const int primitive = 1 + 2 * 3 + 3;  // 1/rho; velocities and rho |v|^2; pressure
  const int flux = 4 + 1 + 6 + 2;       // v·a; mass; momentum; energy
  const int sound_speed = 4;
  EXPECT_EQ(counts.primitive, primitive);
  EXPECT_EQ(counts.flux, flux);
  EXPECT_EQ(counts.wave_speed, primitive + 4 + 1 + sound_speed + 1);
  EXPECT_EQ(counts.pressure, primitive);
  EXPECT_EQ(counts.admissible, primitive);
  const int speeds = 8 + 2 * (sound_speed + 1) + 1;
  EXPECT_EQ(counts.riemann, 2 * primitive + speeds + 2 * flux + 4 * 5);
}

TEST(Operations, OfEveryFluxAreCounted) {
  OperationCounts llf, hllc, roe;
  count_operations<Gas<2>, LocalLaxFriedrichs>(llf);
  count_operations<Gas<2>, Hllc>(hllc);
  count_operations<Gas<2>, Roe>(roe);
  EXPECT_GT(hllc.riemann, llf.riemann);
  EXPECT_GT(roe.riemann, llf.riemann);
  EXPECT_EQ(hllc.primitive, llf.primitive);
}

TEST(Operations, OfLimitedVariablesAreCounted) {
  OperationCounts conservative, characteristic;
  count_limiter_operations<Gas<2>, ConservativeVariables>(conservative);
  count_limiter_operations<Gas<2>, CharacteristicVariables>(characteristic);
  EXPECT_EQ(conservative.difference, 4);
  EXPECT_EQ(conservative.to, 0);
  EXPECT_EQ(characteristic.difference, 4 + characteristic.to);
  EXPECT_GT(characteristic.from, 0);
}

}  // namespace
}  // namespace galerna::tests
