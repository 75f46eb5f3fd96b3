// SIMD packs against plain loops, as this build's compiler makes them; tests/device/compilers_test.cpp has others.
#pragma GCC diagnostic ignored "-Wpsabi"  // of packs wider than registers, which nothing here hands to other files

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/lane_check.hpp"

namespace galerna::tests {
namespace {

using kernels::Pack;

TEST(Pack, WorksLaneByLane) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const char* wrong = kernels::wrong_lane_operation<16>(seed);
    if (!wrong) wrong = kernels::wrong_lane_operation<32>(seed);
    if (!wrong) wrong = kernels::wrong_lane_operation<64>(seed);
    ASSERT_EQ(wrong, nullptr) << wrong << ", seed " << seed;
  }
}

/// Largest error of sin and cos in units in the last place, over magnitudes from 1e-5 to the largest.
template <class T, int n>
double worst_sine() {
  double worst = 0;
  const auto see = [&](T found, long double exact) {
    const long double unit = std::abs(exact) * static_cast<long double>(std::numeric_limits<T>::epsilon());
    worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(found) - exact) / unit));
  };
  for (T x = static_cast<T>(1e-5); x < static_cast<T>(1e7); x *= static_cast<T>(1.003)) {
    const Pack<T, n> pack = kernels::pack_of<Pack<T, n>>([&](int i) { return i % 2 ? -x : x; });
    const Pack<T, n> sine = sin(pack), cosine = cos(pack);
    for (int i = 0; i < n; ++i) {
      see(sine[i], std::sin(static_cast<long double>(pack[i])));
      see(cosine[i], std::cos(static_cast<long double>(pack[i])));
    }
  }
  return worst;
}

/// As formulas call them.
TEST(Pack, HasMinAndMaxByTheirFullNames) {
  const Pack<double, 4> x = kernels::pack_of<Pack<double, 4>>([](int i) { return i; }), one(1);
  EXPECT_EQ(kernels::min(x, one)[3], 1);
  EXPECT_EQ(kernels::min(x, one)[0], 0);
  EXPECT_EQ(kernels::max(x, one)[3], 3);
  EXPECT_EQ(kernels::max(x, one)[0], 1);
}

TEST(Pack, SinesAreRightToTwoUnitsInTheLastPlace) {
  EXPECT_LT((worst_sine<double, 8>()), 2);
  EXPECT_LT((worst_sine<float, 4>()), 2);
}

TEST(Pack, SinesOfWhatIsNoAngleAreNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Pack<double, 4> x = kernels::pack_of<Pack<double, 4>>([&](int i) {
    return i == 0 ? infinity : i == 1 ? -0.0 : i;
  });
  EXPECT_TRUE(std::isnan(sin(x)[0]));
  EXPECT_TRUE(std::signbit(sin(x)[1]));
  EXPECT_NEAR(cos(x)[3], std::cos(3.0), 1e-15);
}

}  // namespace
}  // namespace galerna::tests
