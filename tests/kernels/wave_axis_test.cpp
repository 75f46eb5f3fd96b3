// The axis of characteristic waves is a smooth function of the pressure's gradient, but for its sign.
#include "kernels/limiter/wave_axis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace galerna::tests {
namespace {

template <int dimension>
using Vector = kernels::Array<double, dimension>;

template <int dimension>
double dot(const Vector<dimension>& a, const Vector<dimension>& b) {
  double sum = 0;
  for (int d = 0; d < dimension; ++d) sum += a[d] * b[d];
  return sum;
}

/// The angle between two axes.
template <int dimension>
double angle(const Vector<dimension>& a, const Vector<dimension>& b) {
  Vector<dimension> difference;
  for (int d = 0; d < dimension; ++d) difference[d] = a[d] - (dot(a, b) < 0 ? -b[d] : b[d]);
  return std::sqrt(dot(difference, difference));
}

template <int dimension>
Vector<dimension> scaled(double factor, Vector<dimension> a) {
  for (int d = 0; d < dimension; ++d) a[d] *= factor;
  return a;
}

/// Along each of the coordinates, both ways, and of all sizes: a change of 10⁻¹² moves the axis by a few hundred times
/// as much, not by an angle that rounding errors choose.
template <int dimension>
void expect_smooth() {
  constexpr double change = 1e-12;
  for (int d = 0; d < dimension; ++d)
    for (const double size : {0.0, 1e-13, 1e-6, 0.005, 0.01, 0.0100000001, 0.02, 0.5})
      for (const double sign : {-1.0, 1.0})
        for (int other = 0; other < dimension; ++other) {
          Vector<dimension> q{};
          q[d] = sign * size;
          const auto before = kernels::wave_axis(q);
          EXPECT_NEAR(dot(before, before), 1, 1e-14);
          q[other] += change;
          EXPECT_LT(angle(before, kernels::wave_axis(q)), 1000 * change) << d << " " << size * sign << " " << other;
        }
}

TEST(QuickWaveAxis, DependsSmoothlyOnTheGradient) {
  expect_smooth<2>();
  expect_smooth<3>();
}

/// By the definition: (q⊗q + 10⁻⁴ a⊗a) n is as large as it can be.
template <int dimension>
void expect_principal(const Vector<dimension>& q) {
  const auto a = kernels::calm_axis<double, dimension>(), n = kernels::wave_axis(q);
  EXPECT_NEAR(dot(a, a), 1, 1e-15);
  const auto stretched = [&](const Vector<dimension>& x) {
    return std::pow(dot(q, x), 2) + 1e-4 * std::pow(dot(a, x), 2);
  };
  for (int k = 0; k < 400; ++k) {
    Vector<dimension> other;
    for (int d = 0; d < dimension; ++d) other[d] = std::sin(1.7 * k * (d + 1) + d);
    EXPECT_LE(stretched(scaled(1 / std::sqrt(dot(other, other)), other)), stretched(n) * (1 + 1e-12));
  }
}

TEST(QuickWaveAxis, IsTheAxisOfTheLargerEigenvalue) {
  for (const double size : {0.0, 0.003, 0.009, 0.02, 1.0}) {
    expect_principal<2>({{-size, 0.3 * size}});
    expect_principal<2>({{0.6 * size, -0.8 * size}});  // across the fixed axis
    expect_principal<3>({{-size, 0.3 * size, 2 * size}});
  }
  EXPECT_LT(angle(kernels::wave_axis(Vector<2>{{0, -0.7}}), {{0, 1}}), 1e-3) << "that of a large gradient";
}

}  // namespace
}  // namespace galerna::tests
