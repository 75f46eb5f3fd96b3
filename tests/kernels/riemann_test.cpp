// Properties that every numerical flux must have, and what distinguishes each one.
#include <gtest/gtest.h>

#include "kernels/riemann/hllc.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/riemann/roe.hpp"
#include "kernels/states.hpp"
#include "recipes/central.hpp"  // of docs/recipes/add-a-flux.md

namespace galerna::tests {
namespace {

template <class Flux>
class NumericalFlux : public ::testing::Test {};

using Fluxes = ::testing::Types<kernels::LocalLaxFriedrichs, kernels::Hllc, kernels::Roe, kernels::Central>;
TYPED_TEST_SUITE(NumericalFlux, Fluxes);

template <class Flux, int dimension>
void expect_consistent() {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const auto u = random.state<dimension>();
    const auto n = random.normal<dimension>();
    const auto exact = Gas<dimension>::flux(u, n);
    const auto numerical = Flux::template flux<Gas<dimension>>(u, u, n);
    for (int v = 0; v < dimension + 2; ++v) EXPECT_NEAR(numerical[v], exact[v], 1e-12 * (1 + std::abs(exact[v])));
  }
}

TYPED_TEST(NumericalFlux, IsConsistentWithTheFluxOfEqualStates) {
  expect_consistent<TypeParam, 2>();
  expect_consistent<TypeParam, 3>();
}

TYPED_TEST(NumericalFlux, IsConservativeWhenTheSidesAreSwapped) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const auto left = random.state<2>(), right = random.state<2>();
    const auto n = random.normal<2>();
    const auto forward = TypeParam::template flux<Gas<2>>(left, right, n);
    const auto backward = TypeParam::template flux<Gas<2>>(right, left, Normal<2>{{-n[0], -n[1]}});
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(forward[v], -backward[v], 1e-12 * (1 + std::abs(forward[v])));
  }
}

TYPED_TEST(NumericalFlux, TurnsWithTheCoordinates) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const auto left = random.state<2>(), right = random.state<2>();
    const auto n = random.normal<2>();
    const double angle = random.uniform(0, 6);
    const auto expected = rotated(TypeParam::template flux<Gas<2>>(left, right, n), angle);
    const auto turned =
        TypeParam::template flux<Gas<2>>(rotated(left, angle), rotated(right, angle), rotated(n, angle));
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(turned[v], expected[v], 1e-11 * (1 + std::abs(expected[v])));
  }
}

TYPED_TEST(NumericalFlux, WorksOnSimdPacksAsOnNumbers) {
  using V = kernels::Pack<double, 4>;
  Random random;
  GasState<2> left[4], right[4];
  Normal<2> n[4];
  kernels::Array<V, 4> packed_left, packed_right;
  kernels::Array<V, 2> packed_n;
  for (int i = 0; i < 4; ++i) {
    left[i] = random.state<2>();
    right[i] = random.state<2>();
    n[i] = random.normal<2>();
  }
  for (int v = 0; v < 4; ++v) {
    packed_left[v] = kernels::pack_of<V>([&](int i) { return left[i][v]; });
    packed_right[v] = kernels::pack_of<V>([&](int i) { return right[i][v]; });
  }
  for (int d = 0; d < 2; ++d) packed_n[d] = kernels::pack_of<V>([&](int i) { return n[i][d]; });
  const auto packed = TypeParam::template flux<Gas<2>>(packed_left, packed_right, packed_n);
  for (int i = 0; i < 4; ++i) {
    const auto single = TypeParam::template flux<Gas<2>>(left[i], right[i], n[i]);
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(packed[v][i], single[v], 1e-13 * (1 + std::abs(single[v])));
  }
}

/// Both fluxes that know the waves take the left flux where all waves run to the right.
template <class Flux>
void expect_upwind() {
  Random random;
  for (int i = 0; i < 200; ++i) {
    auto wl = Gas<2>::primitive(random.state<2>(0.1)), wr = Gas<2>::primitive(random.state<2>(0.1));
    wl.velocity[0] += 40;
    wr.velocity[0] += 40;
    const auto left = Gas<2>::conservative(wl), right = Gas<2>::conservative(wr);
    const Normal<2> n{{1, 0}};
    const auto expected = Gas<2>::flux(left, n), numerical = Flux::template flux<Gas<2>>(left, right, n);
    for (int v = 0; v < 4; ++v) EXPECT_NEAR(numerical[v], expected[v], 1e-9 * (1 + std::abs(expected[v])));
  }
}

TEST(Hllc, TakesTheUpwindFluxInSupersonicFlow) {
  expect_upwind<kernels::Hllc>();
}
TEST(Roe, TakesTheUpwindFluxInSupersonicFlow) {
  expect_upwind<kernels::Roe>();
}

/// A contact and a shear layer at rest have no flux but pressure.
template <class Flux>
void expect_exact_contact() {
  const auto left = Gas<2>::from_primitive(GasState<2>{{1.0, 0.0, 0.7, 2.0}});
  const auto right = Gas<2>::from_primitive(GasState<2>{{0.2, 0.0, -0.3, 2.0}});
  const auto flux = Flux::template flux<Gas<2>>(left, right, Normal<2>{{1, 0}});
  const double expected[] = {0, 2, 0, 0};
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(flux[v], expected[v], 1e-14);
}

TEST(Hllc, KeepsAContactAtRest) {
  expect_exact_contact<kernels::Hllc>();
}
TEST(Roe, KeepsAContactAtRest) {
  expect_exact_contact<kernels::Roe>();
}

/// A single shock that runs to the right leaves the left state at the face. Mach 2 normal shock in a frame in which it
/// moves with speed 1; Rankine–Hugoniot.
template <class Flux>
void expect_exact_shock() {
  const double u = 2 * std::sqrt(1.4);
  const auto ahead = Gas<2>::from_primitive(GasState<2>{{1, u + 1, 0, 1}});
  const auto behind = Gas<2>::from_primitive(GasState<2>{{8.0 / 3, u * 3 / 8 + 1, 0, 4.5}});
  const Normal<2> n{{1, 0}};
  const auto expected = Gas<2>::flux(ahead, n), flux = Flux::template flux<Gas<2>>(ahead, behind, n);
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(flux[v], expected[v], 1e-12 * (1 + std::abs(expected[v])));
}

TEST(Hllc, ResolvesASingleShock) {
  expect_exact_shock<kernels::Hllc>();
}
TEST(Roe, ResolvesASingleShock) {
  expect_exact_shock<kernels::Roe>();
}

TEST(LocalLaxFriedrichs, IsTheHandComputedValueAtASodJump) {
  // Left (1, 0, 1), right (0.125, 0, 0.1): λ = √1.4; mass flux = −λ/2 · (0.125 − 1).
  const auto left = Gas<2>::from_primitive(GasState<2>{{1, 0, 0, 1}});
  const auto right = Gas<2>::from_primitive(GasState<2>{{0.125, 0, 0, 0.1}});
  const auto flux = kernels::LocalLaxFriedrichs::flux<Gas<2>>(left, right, Normal<2>{{0, 1}});
  const double speed = std::sqrt(1.4);
  EXPECT_NEAR(flux[0], 0.5 * speed * 0.875, 1e-15);
  EXPECT_NEAR(flux[1], 0, 1e-15);
  EXPECT_NEAR(flux[2], 0.55, 1e-15);
  EXPECT_NEAR(flux[3], 0.5 * speed * 2.25, 1e-14);
}

}  // namespace
}  // namespace galerna::tests
