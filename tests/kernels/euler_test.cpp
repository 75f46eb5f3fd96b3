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

template <int dimension>
void expect_changes_of_variables(Random& random, const Normal<dimension>& n) {
  using System = Gas<dimension>;
  const auto u = random.state<dimension>(), du = random.state<dimension>();
  const auto w = System::primitive(u);
  const auto dw = System::primitive_change(w, du);
  const auto back = System::conservative_change(w, dw);
  const auto waves = System::wave_amplitudes(w, n, dw);
  const auto from_waves = System::from_wave_amplitudes(w, n, waves);
  GasState<dimension> moved = u;
  const double h = 1e-6;
  for (int v = 0; v < System::variables; ++v) moved[v] += h * du[v];
  const auto before = System::primitive_values(u), after = System::primitive_values(moved);
  for (int v = 0; v < System::variables; ++v) {
    EXPECT_NEAR(back[v], du[v], 1e-12 * (1 + std::abs(du[v])));
    EXPECT_NEAR(from_waves[v], dw[v], 1e-12 * (1 + std::abs(dw[v])));
    EXPECT_NEAR((after[v] - before[v]) / h, dw[v], 1e-3 * (1 + std::abs(dw[v])));
  }
}

TEST(Euler, ChangesOfVariablesAreInvertedAndTangentToTheState) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    expect_changes_of_variables<2>(random, random.normal<2>());
    expect_changes_of_variables<3>(random, random.normal<3>());
  }
  for (int d = 0; d < 3; ++d)
    for (double sign : {-1.0, 1.0}) {
      Normal<3> axis{};
      axis[d] = sign;
      expect_changes_of_variables<3>(random, axis);
    }
}

/// Shear amplitudes in space are those of two directions that hardly change where the wave's own does: along an axis,
/// too.
TEST(Euler, DirectionsOfShearAreContinuousAroundTheAxes) {
  for (int d = 0; d < 3; ++d)
    for (double sign : {-1.0, 1.0}) {
      Normal<3> axis{}, beside{};
      axis[d] = sign;
      beside[d] = sign * std::sqrt(1 - 1e-12);
      beside[(d + 1) % 3] = 1e-6;
      const auto t = Gas<3>::tangents(axis), turned = Gas<3>::tangents(beside);
      for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(t[i][k], turned[i][k], 3e-6);
    }
}

}  // namespace
}  // namespace galerna::tests
