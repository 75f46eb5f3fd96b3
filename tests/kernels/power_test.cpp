#pragma GCC diagnostic ignored "-Wpsabi"  // of packs wider than registers, which nothing here hands to other files

#include "kernels/power.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace galerna::tests {
namespace {

TEST(Power, IsThatOfTheLibrary) {
  for (const double a : {-5.0 / 3, -1.4, -1.1, 0.4, 3.0})
    for (double x = 1e-8; x < 1e8; x *= 1.01)
      EXPECT_NEAR(kernels::power_near_one(x, a) / std::pow(x, a), 1, 1e-13) << x << " to the power of " << a;
}

TEST(Power, OfALaneHangsOnNoOther) {
  using Pack = kernels::Pack<double, 4>;
  const double numbers[] = {1e-4, 0.5, 1.5, 1e4};
  const Pack powers = kernels::power_near_one(kernels::pack_of<Pack>([&](int i) { return numbers[i]; }), -1.4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(powers[i], kernels::power_near_one(Pack(numbers[i]), -1.4)[0]);
}

}  // namespace
}  // namespace galerna::tests
