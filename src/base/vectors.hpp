/// \file
/// Vectors and planes in space.
#pragma once

#include <array>
#include <cmath>

namespace galerna {

using Vector = std::array<double, 3>;

inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector times(double factor, const Vector& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
inline Vector plus(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector minus(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline double norm(const Vector& a) {
  return std::sqrt(dot(a, a));
}
inline Vector unit(const Vector& a) {
  const double length = norm(a);
  return {a[0] / length, a[1] / length, a[2] / length};
}

struct Plane {
  Vector point = {}, normal = {0, 0, 1};  ///< unit
  double distance(const Vector& x) const { return dot(normal, minus(x, point)); }
};

}  // namespace galerna
