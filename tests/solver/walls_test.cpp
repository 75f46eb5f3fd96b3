#include "solver/walls.hpp"

#include <gtest/gtest.h>

#include "case/reader.hpp"
#include "kernels/viscous_states.hpp"

namespace galerna::tests {
namespace {

TEST(Traction, IsThatOfTheKernels) {
  case_file::EquationSettings equations;
  equations.viscous = case_file::EquationSettings::Viscous{};
  equations.viscous->mu = SutherlandAir::mu;
  equations.viscous->sutherland = true;
  equations.viscous->reference_temperature = SutherlandAir::reference_temperature;
  equations.viscous->sutherland_temperature = SutherlandAir::sutherland_temperature;
  const output::Traction traction = solver::traction(equations);
  Random random;
  for (int i = 0; i < 50; ++i) {
    auto flow = LinearFlow<2>::random(random);
    flow.temperature *= 300;
    const auto u = flow.state({});
    const auto g = flow.gradients();
    const auto n = random.normal<2>();
    const auto expected = kernels::NavierStokes<2, SutherlandAir>::viscous_flux(u, g, n);
    const auto t = traction(&u[0], &g[0][0], {n[0], n[1]});
    EXPECT_NEAR(t[0], expected[1], 1e-16);
    EXPECT_NEAR(t[1], expected[2], 1e-16);
  }
}

}  // namespace
}  // namespace galerna::tests
