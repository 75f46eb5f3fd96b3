#include "kernels/operations.hpp"

#include <gtest/gtest.h>

#include "kernels/physics/navier_stokes.hpp"
#include "kernels/riemann/hllc.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/riemann/roe.hpp"
#include "kernels/states.hpp"

namespace galerna::tests {
namespace {

using namespace kernels;

/// Counts while it lives, with device memory of its own.
class Operations : public ::testing::Test {
 protected:
  Operations() {
    counting_.arrays = memory_;
    counting_.numbers = sizeof memory_;
    counting_.touched = touched_;
    Counted::counting = &counting_;
  }
  ~Operations() override { Counted::counting = nullptr; }

  char memory_[8] = {};
  unsigned char touched_[8] = {};
  Counting counting_;
};

TEST_F(Operations, AreAdditionsProductsQuotientsAndFunctions) {
  const Counted a = 1, b = 2;
  EXPECT_EQ(operations_of([&] { a* b + a; }), 2);
  EXPECT_EQ(operations_of([&] { sqrt(a) / b - reciprocal(a); }), 4);
  EXPECT_EQ(operations_of([&] { max(-a, abs(b)) < a; }), 0);
  EXPECT_EQ(operations_of([&] {
              Counted sum = a;
              sum += 2 * b;
            }),
            2);
}

TEST_F(Operations, EveryNumberOfMemoryIsReadAndWrittenOnce) {
  auto* array = reinterpret_cast<Counted*>(memory_);
  const Counted outside = array[3];
  array[5] = array[3] + array[4] * outside;
  array[4] += array[3];
  const unsigned char read = Counting::read, written = Counting::written;
  const unsigned char expected[8] = {0, 0, 0, read, static_cast<unsigned char>(read | written), written, 0, 0};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(touched_[i], expected[i]) << i;
}

TEST_F(Operations, ComparisonsSayWhatIsAsked) {
  const Counted a = 1, b = 2;
  for (const bool answer : {false, true}) {
    counting_.comparisons = answer;
    EXPECT_EQ(a < b, answer);
    EXPECT_EQ(a > b, answer);
  }
}

// Counted by hand from the sources of the Euler equations in two dimensions.
TEST_F(Operations, OfTheEulerEquationsAreThoseOfTheirSource) {
  const OperationCounts counts = count_operations<Gas<2>, LocalLaxFriedrichs>();
  const int primitive = 1 + 2 * 3 + 3;  // 1/rho; velocities and rho |v|^2; pressure
  const int flux = 4 + 1 + 6 + 2;       // v·a; mass; momentum; energy
  const int sound_speed = 4;
  EXPECT_EQ(counts.primitive, primitive);
  EXPECT_EQ(counts.flux, flux);
  const int speeds = 8 + 2 * (sound_speed + 1) + 1;
  EXPECT_EQ(counts.riemann, 2 * primitive + speeds + 2 * flux + 4 * 5);
  EXPECT_EQ(counts.viscous_flux, 0);
}

struct Syrup {
  static constexpr double gamma = 1.4, prandtl = 0.72, mu = 0.05;
  static constexpr double sutherland = 1, reference_temperature = 1, sutherland_temperature = 0.4;
};

TEST_F(Operations, OfEveryFluxAreCounted) {
  const auto llf = count_operations<Gas<2>, LocalLaxFriedrichs>(), hllc = count_operations<Gas<2>, Hllc>(),
             roe = count_operations<EquationSystem<NavierStokes<2, Syrup>, 2, true>, Roe>();
  EXPECT_GT(hllc.riemann, llf.riemann);
  EXPECT_GT(roe.riemann, llf.riemann);
  EXPECT_EQ(hllc.primitive, llf.primitive);
  EXPECT_GT(roe.viscous_flux, roe.flux);
}

}  // namespace
}  // namespace galerna::tests
