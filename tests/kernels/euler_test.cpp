#include <gtest/gtest.h>

#include <limits>

#include "kernels/states.hpp"

namespace galerna::tests {
namespace {

TEST(Euler, ConvertsBetweenPrimitiveAndConservative) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto u = random.state<3>();
    const auto back = Gas<3>::conservative(Gas<3>::primitive(u));
    for (int v = 0; v < 5; ++v) EXPECT_NEAR(back[v], u[v], 1e-14 * (1 + std::abs(u[v])));
  }
}

TEST(Euler, FluxOfAKnownState) {
  // ρ = 2, v = (3, −1), p = 5: E = 12.5 + 10 = 22.5.
  const auto u = Gas<2>::from_primitive(GasState<2>{{2, 3, -1, 5}});
  EXPECT_NEAR(u[3], 22.5, 1e-14);
  const auto f = Gas<2>::flux(u, Normal<2>{{1, 0}}), g = Gas<2>::flux(u, Normal<2>{{0, 1}});
  const double expected_f[] = {6, 23, -6, 82.5}, expected_g[] = {-2, -6, 7, -27.5};
  for (int v = 0; v < 4; ++v) {
    EXPECT_NEAR(f[v], expected_f[v], 1e-13);
    EXPECT_NEAR(g[v], expected_g[v], 1e-13);
  }
}

TEST(Euler, WaveSpeedIsSpeedPlusSoundSpeed) {
  const auto u = Gas<2>::from_primitive(GasState<2>{{1.4, 3, 4, 1}});
  EXPECT_NEAR(Gas<2>::largest_wave_speed(u), 6, 1e-14);
}

TEST(Euler, RefusesStatesThatAreNotPhysical) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(Gas<2>::admissible(GasState<2>{{1, 0, 0, 1}}));
  EXPECT_FALSE(Gas<2>::admissible(GasState<2>{{-1, 0, 0, 1}}));
  EXPECT_FALSE(Gas<2>::admissible(GasState<2>{{1, 2, 0, 1}})) << "negative pressure";
  EXPECT_FALSE(Gas<2>::admissible(GasState<2>{{nan, 0, 0, 1}}));
  EXPECT_FALSE(Gas<2>::admissible(GasState<2>{{1, nan, 0, 1}}));
  EXPECT_FALSE(Gas<2>::admissible(GasState<2>{{1, 0, 0, infinity}}));
}

}  // namespace
}  // namespace galerna::tests
