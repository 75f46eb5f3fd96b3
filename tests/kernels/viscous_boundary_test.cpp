#include <gtest/gtest.h>

#include "kernels/boundary/dirichlet.hpp"
#include "kernels/boundary/moving_wall_adiabatic.hpp"
#include "kernels/boundary/moving_wall_isothermal.hpp"
#include "kernels/boundary/no_slip_adiabatic.hpp"
#include "kernels/boundary/no_slip_isothermal.hpp"
#include "kernels/boundary/slip_wall.hpp"
#include "kernels/boundary/supersonic_outflow.hpp"
#include "kernels/boundary/symmetry.hpp"
#include "kernels/riemann/hllc.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/riemann/roe.hpp"
#include "kernels/viscous_states.hpp"

namespace galerna::tests {
namespace {

using System = Viscous<2>;
using Point = kernels::FacePoint<double, 2>;

Point at(const Normal<2>& normal) {
  return {{{0.3, 0.4, 0}}, normal, normal, 0.5, {{0, 0}}};
}

/// A hot wall that slides; its velocity also has a component across, which no wall takes.
struct WallData {
  template <class V>
  static V temperature(const V& x, const V&, const V&, const V& t) {
    return V(2) + x + t;  // 2.8 at the test's point
  }
  template <class V>
  static kernels::Array<V, 2> velocity(const V&, const V&, const V&, const V&) {
    return {{V(0.7), V(-0.4)}};
  }
  template <class V>
  static kernels::Array<V, 4> state(const V&, const V&, const V&, const V&) {
    return Gas<2>::from_primitive(kernels::Array<V, 4>{{V(1), V(0.5), V(0.2), V(2)}});
  }
};

using Isothermal = kernels::NoSlipIsothermal<WallData>;
using MovingAdiabatic = kernels::MovingWallAdiabatic<WallData>;
using MovingIsothermal = kernels::MovingWallIsothermal<WallData>;

template <class Condition>
GasState<2> boundary_state(const GasState<2>& inside, const Point& point) {
  return kernels::viscous_state<Condition, System, double>(inside, point);
}

template <class Condition>
GasState<2> flux(const GasState<2>& state, const Gradients<2>& gradients, const Point& point) {
  return kernels::boundary_viscous_flux<Condition, System, double>(state, gradients, point);
}

double temperature(const GasState<2>& u) {
  return System::pressure(u) / u[0];
}

template <class Condition>
class AnyWall : public ::testing::Test {};
using Walls = ::testing::Types<kernels::NoSlipAdiabatic, Isothermal, MovingAdiabatic, MovingIsothermal,
                               kernels::Symmetry, kernels::SlipWall>;
TYPED_TEST_SUITE(AnyWall, Walls);

TYPED_TEST(AnyWall, LetsNoMassOrEnergyThroughByTheInviscidFlux) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto u = random.state<2>();
    const auto n = random.normal<2>();
    const auto ghost = TypeParam::template ghost<System>(u, at(n));
    for (const auto& f : {kernels::LocalLaxFriedrichs::flux<System>(u, ghost, n),
                          kernels::Hllc::flux<System>(u, ghost, n), kernels::Roe::flux<System>(u, ghost, n)}) {
      EXPECT_NEAR(f[0], 0, 1e-11);
      EXPECT_NEAR(f[3], 0, 1e-11);
    }
  }
}

TYPED_TEST(AnyWall, BoundaryStateKeepsTheDensityAndHasNoNormalVelocity) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto u = random.state<2>();
    const auto n = random.normal<2>();
    const auto state = boundary_state<TypeParam>(u, at(n));
    EXPECT_EQ(state[0], u[0]);
    EXPECT_NEAR(state[1] * n[0] + state[2] * n[1], 0, 1e-13);
    EXPECT_TRUE(System::admissible(state));
    const auto again = boundary_state<TypeParam>(state, at(n));
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(again[v], state[v], 1e-12) << "a fluid that fits the wall is left alone";
  }
}

TYPED_TEST(AnyWall, NoMassDiffusesThrough) {
  Random random;
  const auto flow = LinearFlow<2>::random(random);
  const auto point = at(random.normal<2>());
  EXPECT_EQ(flux<TypeParam>(boundary_state<TypeParam>(flow.state({}), point), flow.gradients(), point)[0], 0);
}

TEST(NoSlipWalls, HaveTheVelocityAndTemperatureOfTheWall) {
  Random random;
  const Normal<2> n{{0, -1}};
  for (int i = 0; i < 20; ++i) {
    const auto u = random.state<2>();
    const auto rest = System::primitive(boundary_state<kernels::NoSlipAdiabatic>(u, at(n)));
    const auto hot = System::primitive(boundary_state<Isothermal>(u, at(n)));
    const auto sliding = System::primitive(boundary_state<MovingAdiabatic>(u, at(n)));
    const auto both = System::primitive(boundary_state<MovingIsothermal>(u, at(n)));
    EXPECT_EQ(rest.velocity[0], 0);
    EXPECT_EQ(hot.velocity[0], 0);
    EXPECT_NEAR(sliding.velocity[0], 0.7, 1e-15);
    EXPECT_NEAR(both.velocity[0], 0.7, 1e-15);
    EXPECT_NEAR(rest.pressure / rest.density, temperature(u), 1e-12);
    EXPECT_NEAR(sliding.pressure / sliding.density, temperature(u), 1e-12);
    EXPECT_NEAR(hot.pressure / hot.density, 2.8, 1e-12);
    EXPECT_NEAR(both.pressure / both.density, 2.8, 1e-12);
  }
}

TEST(AdiabaticWalls, TakeNoHeatAndKeepTheShear) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto flow = LinearFlow<2>::random(random);
    const auto point = at(random.normal<2>());
    const auto g = flow.gradients();
    const auto rest = boundary_state<kernels::NoSlipAdiabatic>(flow.state({}), point);
    const auto sliding = boundary_state<MovingAdiabatic>(flow.state({}), point);
    EXPECT_NEAR(flux<kernels::NoSlipAdiabatic>(rest, g, point)[3], 0, 1e-13);
    const auto f = flux<MovingAdiabatic>(sliding, g, point);
    const auto full = System::viscous_flux(sliding, g, point.normal);
    EXPECT_NEAR(f[1], full[1], 1e-14);
    EXPECT_NEAR(f[2], full[2], 1e-14);
    EXPECT_NEAR(f[3], (sliding[1] * f[1] + sliding[2] * f[2]) / sliding[0], 1e-13) << "the wall's work alone";
  }
}

TEST(AdiabaticWalls, LeaveTheTemperatureAlongTheWallAlone) {
  Random random;
  const auto flow = LinearFlow<2>::random(random);
  const auto point = at({{0, 1}});
  const auto u = flow.state({});
  const auto g = kernels::viscous_gradients<kernels::NoSlipAdiabatic, System, double>(u, flow.gradients(), point);
  const auto changed = System::flow_gradients(System::primitive(u), g);
  EXPECT_NEAR(changed.temperature[0], flow.temperature_gradient[0], 1e-8);
  EXPECT_NEAR(changed.temperature[1], 0, 1e-13);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(changed.velocity[i][j], flow.velocity_gradient[i][j], 1e-8);
}

TEST(IsothermalWalls, TakeTheHeatOfTheGradientInside) {
  Random random;
  const auto flow = LinearFlow<2>::random(random);
  const auto point = at(random.normal<2>());
  const auto state = boundary_state<MovingIsothermal>(flow.state({}), point);
  const auto f = flux<MovingIsothermal>(state, flow.gradients(), point);
  const auto expected = System::viscous_flux(state, flow.gradients(), point.normal);
  for (int v = 0; v < 4; ++v) EXPECT_EQ(f[v], expected[v]);
}

TEST(Symmetry, HasNoShearNoHeatAndNoWork) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto flow = LinearFlow<2>::random(random);
    const auto point = at(random.normal<2>());
    const Normal<2> n = point.normal, tangent{{-n[1], n[0]}};
    const auto state = boundary_state<kernels::Symmetry>(flow.state({}), point);
    EXPECT_NEAR(temperature(state), temperature(flow.state({})), 1e-12);
    const auto f = flux<kernels::Symmetry>(state, flow.gradients(), point);
    EXPECT_NEAR(f[1] * tangent[0] + f[2] * tangent[1], 0, 1e-13);
    EXPECT_NEAR(f[3], 0, 1e-12);
    const auto g = kernels::symmetric_gradients<System>(flow.gradients(), n);
    const auto inner = System::flow_gradients(System::primitive(state), g);
    EXPECT_NEAR(g[0][0] * n[0] + g[1][0] * n[1], 0, 1e-13) << "density";
    EXPECT_NEAR(kernels::dot(inner.temperature, n), 0, 1e-12);
    double slip = 0;  // ∂(v·t)/∂n
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) slip += tangent[a] * inner.velocity[a][b] * n[b];
    EXPECT_NEAR(slip, 0, 1e-12);
  }
}

TEST(Symmetry, LeavesASymmetricFlowAlone) {
  // Symmetric about y = 0: v_y odd, all else even.
  LinearFlow<2> flow{};
  flow.density = 1.3;
  flow.temperature = 0.8;
  flow.velocity = {{0.4, 0}};
  flow.density_gradient = {{0.3, 0}};
  flow.temperature_gradient = {{-0.2, 0}};
  flow.velocity_gradient = {{{{0.5, 0}}, {{0, -0.9}}}};
  const auto point = at({{0, 1}});
  const auto u = flow.state({});
  const auto state = boundary_state<kernels::Symmetry>(u, point);
  const auto g = flow.gradients();
  const auto symmetric = kernels::symmetric_gradients<System>(g, point.normal);
  for (int v = 0; v < 4; ++v) {
    EXPECT_NEAR(state[v], u[v], 1e-15);
    for (int d = 0; d < 2; ++d) EXPECT_NEAR(symmetric[d][v], g[d][v], 1e-9);
  }
}

TEST(OtherConditions, TakeTheGhostStateAndTheGradientsFromInside) {
  Random random;
  const auto flow = LinearFlow<2>::random(random);
  const auto point = at(random.normal<2>());
  const auto u = flow.state({}), prescribed = WallData::state(0.0, 0.0, 0.0, 0.0);
  const auto given = boundary_state<kernels::Dirichlet<WallData>>(u, point);
  const auto left_alone = boundary_state<kernels::SupersonicOutflow>(u, point);
  const auto f = flux<kernels::Dirichlet<WallData>>(given, flow.gradients(), point);
  const auto expected = System::viscous_flux(prescribed, flow.gradients(), point.normal);
  for (int v = 0; v < 4; ++v) {
    EXPECT_EQ(given[v], prescribed[v]);
    EXPECT_EQ(left_alone[v], u[v]);
    EXPECT_EQ(f[v], expected[v]);
  }
}

TEST(ViscousBoundaryList, ChoosesByNumber) {
  using List = kernels::ViscousBoundaryList<kernels::Symmetry, Isothermal, kernels::NoSlipAdiabatic>;
  Random random;
  const auto flow = LinearFlow<2>::random(random);
  const auto point = at(random.normal<2>());
  const auto u = flow.state({});
  const auto state = List::state<System>(1, u, point), expected = boundary_state<Isothermal>(u, point);
  const auto f = List::flux<System>(2, state, flow.gradients(), point);
  const auto expected_flux = flux<kernels::NoSlipAdiabatic>(state, flow.gradients(), point);
  for (int v = 0; v < 4; ++v) {
    EXPECT_EQ(state[v], expected[v]);
    EXPECT_EQ(f[v], expected_flux[v]);
  }
}

}  // namespace
}  // namespace galerna::tests
