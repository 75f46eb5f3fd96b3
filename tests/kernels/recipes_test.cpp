// The boundary condition and the equations of docs/recipes, as their pages show them.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/boundary/slip_wall.hpp"
#include "kernels/boundary/supersonic_outflow.hpp"
#include "kernels/physics/equation_system.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/states.hpp"
#include "recipes/drift.hpp"   // add-an-equation.md
#include "recipes/screen.hpp"  // add-a-boundary-condition.md

namespace galerna::tests {
namespace {

/// Half of the flow passes where x < 0, all of it beyond 1, none between.
struct Half {
  template <class V>
  static V passes(const V& x, const V&, const V&, const V&) {
    return x < 0 ? 0.5 : x > 1 ? 1 : 0;
  }
};

GasState<2> beyond(double x, const GasState<2>& inside, const Normal<2>& n) {
  const kernels::FacePoint<double, 2> at = {{{x, 0, 0}}, n, n, 0, {{0, 0}}};
  return kernels::Screen<Half>::ghost<Gas<2>>(inside, at);
}

TEST(RecipeBoundary, LetsItsShareOfTheNormalMomentumPass) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto inside = random.state<2>();
    const auto n = random.normal<2>();
    const kernels::FacePoint<double, 2> at = {{{0, 0, 0}}, n, n, 0, {{0, 0}}};
    const auto wall = kernels::SlipWall::ghost<Gas<2>>(inside, at), half = beyond(-1, inside, n);
    for (int v = 0; v < 4; ++v) {
      EXPECT_NEAR(beyond(2, inside, n)[v], inside[v], 1e-15);
      EXPECT_NEAR(beyond(0.5, inside, n)[v], wall[v], 1e-14);
    }
    EXPECT_NEAR(half[1] * n[0] + half[2] * n[1], 0, 1e-14) << "half of it, in the mean of both sides";
    EXPECT_NEAR(half[1] * n[1] - half[2] * n[0], inside[1] * n[1] - inside[2] * n[0], 1e-14);
  }
}

struct Wind {
  static constexpr double speed = 2, slope = 0.5;
};

TEST(RecipeEquation, IsASystemForTheNumericalFlux) {
  using System = kernels::EquationSystem<kernels::Drift<2, Wind>, 2>;
  static_assert(kernels::HasVariables<kernels::Drift<2, Wind>> && kernels::HasWaveSpeed<kernels::Drift<2, Wind>>);
  static_assert(kernels::HasFlux<kernels::Drift<2, Wind>, 2>);
  using State = kernels::Array<double, 1>;
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto n = random.normal<2>();
    const double along = 2 * n[0] + 1 * n[1], c = random.uniform(-1, 1), d = random.uniform(-1, 1);
    EXPECT_NEAR(System::flux(State{{c}}, n)[0], along * c, 1e-15);
    EXPECT_LE(std::abs(along), System::largest_wave_speed(State{{c}}) + 1e-15);
    const auto flux = [&](double left, double right, const Normal<2>& normal) {
      return kernels::LocalLaxFriedrichs::flux<System>(State{{left}}, State{{right}}, normal)[0];
    };
    EXPECT_NEAR(flux(c, c, n), along * c, 1e-14) << "consistent";
    EXPECT_NEAR(flux(c, d, n), -flux(d, c, Normal<2>{{-n[0], -n[1]}}), 1e-14) << "conservative";
  }
}

}  // namespace
}  // namespace galerna::tests
