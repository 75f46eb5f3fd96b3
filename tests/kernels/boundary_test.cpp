#include <gtest/gtest.h>

#include "kernels/boundary/dirichlet.hpp"
#include "kernels/boundary/far_field.hpp"
#include "kernels/boundary/lifting_far_field.hpp"
#include "kernels/boundary/slip_wall.hpp"
#include "kernels/boundary/subsonic_inflow.hpp"
#include "kernels/boundary/subsonic_outflow.hpp"
#include "kernels/boundary/supersonic_outflow.hpp"
#include "kernels/riemann/llf.hpp"
#include "kernels/states.hpp"

namespace galerna::tests {
namespace {

using Point = kernels::FacePoint<double, 2>;

Point at(const Normal<2>& normal) {
  return {{{0.3, 0.4, 0}}, normal, normal, 0.5, {{0, 0}}};
}

/// ρ = 1, v = (0.5, 0.2), p = 1/1.4: c = 1.
struct Stream {
  template <class V>
  static kernels::Array<V, 4> state(const V&, const V&, const V&, const V&) {
    return Gas<2>::from_primitive(kernels::Array<V, 4>{{V(1), V(0.5), V(0.2), V(1 / 1.4)}});
  }
  template <class V>
  static V pressure(const V&, const V&, const V&, const V&) {
    return V(1 / 1.4);
  }
  static constexpr double total_ratio = 1 + 0.2 * (0.25 + 0.04);  // T0/T at Mach √0.29
  template <class V>
  static V total_temperature(const V&, const V&, const V&, const V&) {
    return V(total_ratio / 1.4);
  }
  template <class V>
  static V total_pressure(const V&, const V&, const V&, const V&) {
    return V(std::pow(total_ratio, 3.5) / 1.4);
  }
  template <class V>
  static kernels::Array<V, 2> direction(const V&, const V&, const V&, const V&) {
    return {{V(1), V(0.4)}};
  }
  template <class V>
  static kernels::Array<V, 2> lift_centre(const V&, const V&, const V&, const V&) {
    return {{V(-0.7), V(1.1)}};
  }
};

GasState<2> stream() {
  return Stream::state<double>(0, 0, 0, 0);
}

void expect_equal(const GasState<2>& a, const GasState<2>& b, double tolerance = 1e-13) {
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(a[v], b[v], tolerance) << "variable " << v;
}

TEST(SlipWall, LetsNoMassOrEnergyThrough) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const auto u = random.state<2>();
    const auto n = random.normal<2>();
    const auto ghost = kernels::SlipWall::ghost<Gas<2>>(u, at(n));
    const auto flux = kernels::LocalLaxFriedrichs::flux<Gas<2>>(u, ghost, n);
    EXPECT_NEAR(flux[0], 0, 1e-12);
    EXPECT_NEAR(flux[3], 0, 1e-11);
  }
}

TEST(SlipWall, MirrorsAboutTheTrueNormalWhereTheFaceIsStraight) {
  Point point = at({{1, 0}});
  point.wall_normal = {{0.6, 0.8}};
  const auto ghost = kernels::SlipWall::ghost<Gas<2>>(GasState<2>{{1, 2, 1, 9}}, point);
  // v·n = 2, so v − 4 n = (−0.4, −2.2).
  expect_equal(ghost, GasState<2>{{1, -0.4, -2.2, 9}});
}

template <class Condition>
void expect_keeps_stream(const Normal<2>& n) {
  expect_equal(Condition::template ghost<Gas<2>>(stream(), at(n)), stream());
}

TEST(BoundaryConditions, KeepAUniformStreamThatTheyPrescribe) {
  Random random;
  for (int i = 0; i < 50; ++i) expect_keeps_stream<kernels::FarField<Stream>>(random.normal<2>());
  expect_keeps_stream<kernels::SubsonicOutflow<Stream>>({{0.8, 0.6}});
  expect_keeps_stream<kernels::SubsonicInflow<Stream>>({{-1, 0}});
  expect_keeps_stream<kernels::SubsonicInflow<Stream>>({{-0.8, 0.6}});
  expect_keeps_stream<kernels::SupersonicOutflow>({{1, 0}});
  expect_keeps_stream<kernels::Dirichlet<Stream>>({{0, 1}});
}

TEST(Dirichlet, GivesThePrescribedStateWhateverIsInside) {
  Random random;
  expect_equal(kernels::Dirichlet<Stream>::ghost<Gas<2>>(random.state<2>(), at({{1, 0}})), stream());
}

TEST(FarField, LetsOutgoingAcousticWavesLeave) {
  // A simple wave running along n changes only the outgoing invariant; the ghost state must carry it unchanged.
  const Normal<2> n{{1, 0}};
  auto w = Gas<2>::primitive(stream());
  const double pressure = w.pressure * 1.02;
  const double c = std::sqrt(1.4 * w.pressure / w.density);
  const double density = w.density * std::pow(1.02, 1 / 1.4);
  const double new_c = std::sqrt(1.4 * pressure / density);
  w.velocity[0] += 2 / 0.4 * (new_c - c);
  w.density = density;
  w.pressure = pressure;
  const auto inside = Gas<2>::conservative(w);
  expect_equal(kernels::FarField<Stream>::ghost<Gas<2>>(inside, at(n)), inside, 1e-12);
}

/// A flow along x inside, hotter and slower than the stream, that leaves with the given speed along y.
auto leaving(double speed) {
  return Gas<2>::from_primitive(GasState<2>{{1.1, 0.45, speed, 0.75}});
}

/// Where the normal speed changes its sign, entropy and tangential velocity do not jump, and outside of a small range
/// they are those of one side.
TEST(FarField, IsContinuousAlongTheBoundary) {
  const auto ghost = [](double speed) {
    return Gas<2>::primitive(kernels::FarField<Stream>::ghost<Gas<2>>(leaving(speed), at({{0, 1}})));
  };
  const auto entropy = [](const auto& w) { return w.pressure / std::pow(w.density, 1.4); };
  const double inside = 0.75 / std::pow(1.1, 1.4), stream = 1 / 1.4;
  double last = entropy(ghost(-2)), last_speed = ghost(-2).velocity[0], largest = 0, largest_of_speed = 0;
  constexpr int steps = 40'000;
  for (int k = 1; k <= steps; ++k) {
    const auto w = ghost(-2 + 4.0 * k / steps);
    largest = std::max(largest, std::abs(entropy(w) - last));
    largest_of_speed = std::max(largest_of_speed, std::abs(w.velocity[0] - last_speed));
    last = entropy(w);
    last_speed = w.velocity[0];
    const double width = 0.06 * std::sqrt(0.29);
    if (w.velocity[1] > width) {
      EXPECT_NEAR(entropy(w), inside, 1e-13);
      EXPECT_NEAR(w.velocity[0], 0.45, 1e-13);
    } else if (w.velocity[1] < -width) {
      EXPECT_NEAR(entropy(w), stream, 1e-13);
      EXPECT_NEAR(w.velocity[0], 0.5, 1e-13);
    }
  }
  EXPECT_LT(largest, 0.01 * std::abs(inside - stream));
  EXPECT_LT(largest_of_speed, 0.01 * 0.05);
}

TEST(FarField, TakesTheWholeStateFromTheUpwindSideWhenSupersonic) {
  const auto fast = Gas<2>::from_primitive(GasState<2>{{1.2, 3, 0, 1}});
  expect_equal(kernels::FarField<Stream>::ghost<Gas<2>>(fast, at({{1, 0}})), fast);
}

using Vector = kernels::Array<double, 2>;

/// A force on the walls and the circulation, clockwise, that a lift of it means in stream().
constexpr Vector force{{0.02, 0.11}};
const double circulation = (0.5 * force[1] - 0.2 * force[0]) / 0.29;

TEST(LiftVortex, HasTheEntropyAndTotalEnthalpyOfTheStream) {
  for (const Vector& offset : {Vector{{3, 0}}, Vector{{-1, 2}}, Vector{{0.3, -4}}}) {
    const auto w = Gas<2>::primitive(kernels::with_lift_vortex<Gas<2>>(stream(), offset, force));
    EXPECT_NEAR(w.pressure / std::pow(w.density, 1.4), 1 / 1.4, 1e-14);
    const double square = w.velocity[0] * w.velocity[0] + w.velocity[1] * w.velocity[1];
    EXPECT_NEAR(1.4 / 0.4 * w.pressure / w.density + 0.5 * square, 1 / 0.4 + 0.5 * 0.29, 1e-14);
    // What the vortex adds runs round it.
    EXPECT_NEAR((w.velocity[0] - 0.5) * offset[0] + (w.velocity[1] - 0.2) * offset[1], 0, 1e-15);
  }
}

TEST(LiftVortex, HasTheCirculationOfTheLiftOnEveryCircle) {
  for (const double radius : {1.0, 20.0}) {
    double sum = 0;
    constexpr int points = 64;
    for (int i = 0; i < points; ++i) {
      const double angle = 2 * std::acos(-1.0) * i / points, x = std::cos(angle), y = std::sin(angle);
      const auto w =
          Gas<2>::primitive(kernels::with_lift_vortex<Gas<2>>(stream(), Vector{{radius * x, radius * y}}, force));
      sum += 2 * std::acos(-1.0) * radius / points * (y * w.velocity[0] - x * w.velocity[1]);
    }
    EXPECT_NEAR(sum, circulation, 1e-13);
  }
}

TEST(LiftVortex, IsAPointVortexWhereTheFlowIsSlow) {
  const auto slow = Gas<2>::from_primitive(GasState<2>{{2, 0.01, 0, 100}});
  const auto w = Gas<2>::primitive(kernels::with_lift_vortex<Gas<2>>(slow, Vector{{3, 4}}, Vector{{0.5, 0.04}}));
  const double speed = 0.04 / (2 * 0.01) / (2 * std::acos(-1.0) * 5);
  EXPECT_NEAR(w.velocity[0], 0.01 + 0.8 * speed, 1e-7);
  EXPECT_NEAR(w.velocity[1], -0.6 * speed, 1e-7);
}

TEST(LiftVortex, IsLeftOutWhereItHasNoMeaning) {
  for (const GasState<2>& w : {GasState<2>{{1, 0, 0, 1}}, GasState<2>{{1, 2, 0.1, 1}}}) {
    const auto u = Gas<2>::from_primitive(w);
    expect_equal(kernels::with_lift_vortex<Gas<2>>(u, Vector{{1, 2}}, force), u, 0);
  }
  expect_equal(kernels::with_lift_vortex<Gas<2>>(stream(), Vector{{1, 2}}, Vector{{0, 0}}), stream(), 1e-15);
}

TEST(LiftingFarField, KeepsTheStreamWithItsVortex) {
  Random random;
  for (int i = 0; i < 50; ++i) {
    Point point = at(random.normal<2>());
    point.wall_force = force;
    const Vector offset{{point.position[0] + 0.7, point.position[1] - 1.1}};
    const auto flow = kernels::with_lift_vortex<Gas<2>>(stream(), offset, force);
    EXPECT_GT(std::abs(flow[1] - stream()[1]), 0.005);
    expect_equal(kernels::LiftingFarField<Stream>::ghost<Gas<2>>(flow, point), flow);
  }
}

TEST(SubsonicOutflow, ImposesThePressureAndKeepsEntropy) {
  const auto inside = Gas<2>::from_primitive(GasState<2>{{1.3, 0.4, 0.1, 0.9}});
  const auto w = Gas<2>::primitive(kernels::SubsonicOutflow<Stream>::ghost<Gas<2>>(inside, at({{1, 0}})));
  EXPECT_NEAR(w.pressure, 1 / 1.4, 1e-14);
  EXPECT_NEAR(w.pressure / std::pow(w.density, 1.4), 0.9 / std::pow(1.3, 1.4), 1e-13);
  EXPECT_NEAR(w.velocity[1], 0.1, 1e-14);
}

TEST(SubsonicInflow, ImposesTotalConditionsAndDirection) {
  Random random;
  for (int i = 0; i < 50; ++i) {
    const auto inside = random.state<2>(0.3);
    const auto w = Gas<2>::primitive(kernels::SubsonicInflow<Stream>::ghost<Gas<2>>(inside, at({{-1, 0}})));
    const double square = w.velocity[0] * w.velocity[0] + w.velocity[1] * w.velocity[1];
    const double temperature = w.pressure / w.density;
    if (temperature < 0.11 * Stream::total_ratio / 1.4) continue;  // limited, see the header
    EXPECT_NEAR(temperature + 0.2 / 1.4 * square, Stream::total_ratio / 1.4, 1e-12);
    EXPECT_NEAR(w.velocity[1], 0.4 * w.velocity[0], 1e-12);
  }
}

}  // namespace
}  // namespace galerna::tests
