#include <gtest/gtest.h>

#include "kernels/viscous_states.hpp"

namespace galerna::tests {
namespace {

constexpr double mu = ConstantAir::mu, conductivity = 1.4 / 0.4 * mu / 0.72;

struct Oil : ConstantAir {
  static constexpr double prandtl = 100;
};

/// F_v·a written out in velocity and temperature.
template <int dimension>
GasState<dimension> reference_flux(const LinearFlow<dimension>& flow, const Normal<dimension>& a) {
  double divergence = 0;
  for (int d = 0; d < dimension; ++d) divergence += flow.velocity_gradient[d][d];
  GasState<dimension> f{};
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j) {
      const double strain = flow.velocity_gradient[i][j] + flow.velocity_gradient[j][i];
      const double tau = mu * (strain - (i == j ? 2.0 / 3 * divergence : 0));
      f[1 + i] += tau * a[j];
      f[dimension + 1] += flow.velocity[i] * tau * a[j];
    }
  for (int j = 0; j < dimension; ++j) f[dimension + 1] += conductivity * flow.temperature_gradient[j] * a[j];
  return f;
}

template <int dimension>
void expect_equals_reference() {
  Random random;
  for (int k = 0; k < 100; ++k) {
    const auto flow = LinearFlow<dimension>::random(random);
    auto a = random.normal<dimension>();
    for (double& component : a.values) component *= 3;
    const auto f = Viscous<dimension>::viscous_flux(flow.state({}), flow.gradients(), a);
    const auto expected = reference_flux(flow, a);
    for (int v = 0; v < dimension + 2; ++v) EXPECT_NEAR(f[v], expected[v], 1e-8) << "variable " << v;
  }
}

TEST(NavierStokes, ViscousFluxIsThatOfVelocityAndTemperature) {
  expect_equals_reference<2>();
  expect_equals_reference<3>();
}

TEST(NavierStokes, FluxOfAKnownState) {
  // ρ = 2, v = (3, −1), T = 2.5; ∂v_x/∂y = 1 alone: τ_xy = μ, work v_x τ_xy = 3 μ along y, v_y τ_xy = −μ along x.
  const auto u = Viscous<2>::from_primitive(GasState<2>{{2, 3, -1, 5}});
  const Gradients<2> g{{{{0, 0, 0, 0}}, {{0, 2, 0, 6}}}};  // d(ρv_x) = 2, dE = ρ v·dv = 6
  const auto f = Viscous<2>::viscous_flux(u, g, Normal<2>{{1, 0}});
  const auto h = Viscous<2>::viscous_flux(u, g, Normal<2>{{0, 1}});
  const double expected_f[] = {0, 0, mu, -mu}, expected_h[] = {0, mu, 0, 3 * mu};
  for (int v = 0; v < 4; ++v) {
    EXPECT_NEAR(f[v], expected_f[v], 1e-15);
    EXPECT_NEAR(h[v], expected_h[v], 1e-15);
  }
}

TEST(NavierStokes, RigidRotationAtConstantTemperatureHasNoViscousFlux) {
  Random random;
  for (int k = 0; k < 100; ++k) {
    auto flow = LinearFlow<3>::random(random);
    flow.temperature_gradient = {};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) flow.velocity_gradient[i][j] = i == j ? 0 : -flow.velocity_gradient[j][i];
    const auto f = Viscous<3>::viscous_flux(flow.state({}), flow.gradients(), random.normal<3>());
    for (int v = 0; v < 5; ++v) EXPECT_NEAR(f[v], 0, 1e-9);
  }
}

TEST(NavierStokes, StressIsSymmetricAndFreeOfTrace) {
  Random random;
  const kernels::Array<Normal<3>, 3> axes{{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}};
  for (int k = 0; k < 50; ++k) {
    const auto flow = LinearFlow<3>::random(random);
    const auto u = flow.state({});
    double trace = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const auto fi = Viscous<3>::viscous_flux(u, flow.gradients(), axes[i]);
        const auto fj = Viscous<3>::viscous_flux(u, flow.gradients(), axes[j]);
        EXPECT_NEAR(fi[1 + j], fj[1 + i], 1e-12);
        if (i == j) trace += fi[1 + j];
      }
    EXPECT_NEAR(trace, 0, 1e-12);
  }
}

TEST(NavierStokes, ViscousFluxTurnsWithTheFlow) {
  Random random;
  for (int k = 0; k < 100; ++k) {
    const auto flow = LinearFlow<2>::random(random);
    const auto u = flow.state({});
    const auto g = flow.gradients();
    const auto n = random.normal<2>();
    const double angle = random.uniform(0, 6);
    const auto turned = Viscous<2>::viscous_flux(rotated(u, angle), rotated(g, angle), rotated(n, angle));
    const auto expected = rotated(Viscous<2>::viscous_flux(u, g, n), angle);
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(turned[v], expected[v], 1e-12);
  }
}

TEST(NavierStokes, ViscosityFollowsSutherland) {
  using Gas = kernels::NavierStokes<2, SutherlandAir>;
  EXPECT_NEAR(Gas::viscosity(288.15), 1.716e-5, 1e-19);
  for (const double t : {100.0, 250.0, 400.0, 1500.0})
    EXPECT_NEAR(Gas::viscosity(t), 1.716e-5 * std::pow(t / 288.15, 1.5) * (288.15 + 110.4) / (t + 110.4), 1e-18);
  EXPECT_EQ(Viscous<2>::viscosity(7.0), ConstantAir::mu);
}

TEST(NavierStokes, LargestDiffusivityBoundsShearSoundAndHeat) {
  const auto u = Viscous<2>::from_primitive(GasState<2>{{2, 3, -1, 5}});
  EXPECT_NEAR(Viscous<2>::largest_diffusivity(u), 1.4 / 0.72 * mu / 2, 1e-16);
  EXPECT_NEAR((kernels::NavierStokes<2, Oil>::largest_diffusivity(u)), 4.0 / 3 * mu / 2, 1e-16);
}

TEST(NavierStokes, KeepsTheInviscidPartOfEuler) {
  Random random;
  for (int k = 0; k < 20; ++k) {
    const auto u = random.state<2>();
    const auto n = random.normal<2>();
    const auto f = Viscous<2>::flux(u, n), g = Gas<2>::flux(u, n);
    for (int v = 0; v < 4; ++v) EXPECT_EQ(f[v], g[v]);
  }
}

TEST(NavierStokes, WorksOnPacks) {
  using Pack = kernels::Pack<double, 4>;
  const auto flow = [] {
    Random random;
    return LinearFlow<2>::random(random);
  }();
  const auto u = flow.state({});
  const auto g = flow.gradients();
  kernels::Array<Pack, 4> packs;
  kernels::Array<kernels::Array<Pack, 4>, 2> gradients;
  for (int v = 0; v < 4; ++v) {
    packs[v] = u[v];
    for (int d = 0; d < 2; ++d) gradients[d][v] = g[d][v];
  }
  const kernels::Array<Pack, 2> n{{Pack(0.6), Pack(0.8)}};
  const auto f = Viscous<2>::viscous_flux(packs, gradients, n);
  const auto expected = Viscous<2>::viscous_flux(u, g, Normal<2>{{0.6, 0.8}});
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(f[v][2], expected[v], 1e-14);
  using Hot = kernels::NavierStokes<2, SutherlandAir>;
  const Pack diffusivity = Hot::largest_diffusivity(packs);
  EXPECT_NEAR(diffusivity[1], Hot::largest_diffusivity(u), 1e-14);
}

}  // namespace
}  // namespace galerna::tests
