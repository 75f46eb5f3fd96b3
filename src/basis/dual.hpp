/// \file
/// Numbers that carry their derivatives with respect to x, y and z (forward-mode differentiation).
#pragma once

#include <array>

namespace galerna::basis {

struct Dual {
  double value = 0;
  std::array<double, 3> derivative{};

  Dual() = default;
  explicit Dual(double v) : value(v) {}
  /// Coordinate number `direction`.
  static Dual coordinate(double v, int direction) {
    Dual x(v);
    x.derivative[static_cast<std::size_t>(direction)] = 1;
    return x;
  }
};

/// f(a, b) with the partial derivatives da, db.
inline Dual chain(double value, const Dual& a, double da, const Dual& b, double db) {
  Dual result(value);
  for (std::size_t d = 0; d < 3; ++d) result.derivative[d] = da * a.derivative[d] + db * b.derivative[d];
  return result;
}

inline Dual operator+(const Dual& a, const Dual& b) {
  return chain(a.value + b.value, a, 1, b, 1);
}
inline Dual operator-(const Dual& a, const Dual& b) {
  return chain(a.value - b.value, a, 1, b, -1);
}
inline Dual operator*(const Dual& a, const Dual& b) {
  return chain(a.value * b.value, a, b.value, b, a.value);
}
inline Dual operator/(const Dual& a, const Dual& b) {
  return chain(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
}
inline Dual operator*(double a, const Dual& b) {
  return Dual(a) * b;
}
inline Dual operator-(double a, const Dual& b) {
  return Dual(a) - b;
}
inline Dual operator-(const Dual& a, double b) {
  return a - Dual(b);
}

}  // namespace galerna::basis
