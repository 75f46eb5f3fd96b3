/// \file
/// Counts the floating-point operations of equations, fluxes and limiters by running them on a number that only counts:
/// whatever compiles as a kernel can be counted. An addition, subtraction, multiplication, division, reciprocal, square
/// root or other function is one operation each, hence a fused multiply–add two; signs, comparisons, selections,
/// minima, maxima and absolute values are none. Host only.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// A number without a value. Kernels have no branches on data, so that the count is that of every number.
class Counted {
 public:
  Counted() = default;
  Counted(double) {}

  inline static long operations = 0;
  static Counted result() {
    ++operations;
    return {};
  }
  Counted& operator+=(const Counted&) { return *this = result(); }
  Counted& operator-=(const Counted&) { return *this = result(); }
  Counted& operator*=(const Counted&) { return *this = result(); }
  Counted& operator/=(const Counted&) { return *this = result(); }
};

inline Counted operator-(const Counted&) {
  return {};
}
inline Counted operator+(const Counted&, const Counted&) {
  return Counted::result();
}
inline Counted operator-(const Counted&, const Counted&) {
  return Counted::result();
}
inline Counted operator*(const Counted&, const Counted&) {
  return Counted::result();
}
inline Counted operator/(const Counted&, const Counted&) {
  return Counted::result();
}
inline bool operator<(const Counted&, const Counted&) {
  return true;
}
inline bool operator>(const Counted&, const Counted&) {
  return true;
}
inline bool operator<=(const Counted&, const Counted&) {
  return true;
}
inline bool operator>=(const Counted&, const Counted&) {
  return true;
}
inline Counted select(bool, const Counted&, const Counted&) {
  return {};
}
inline Counted min(const Counted&, const Counted&) {
  return {};
}
inline Counted max(const Counted&, const Counted&) {
  return {};
}
inline Counted abs(const Counted&) {
  return {};
}
inline Counted sqrt(const Counted&) {
  return Counted::result();
}
inline Counted exp(const Counted&) {
  return Counted::result();
}
inline Counted log(const Counted&) {
  return Counted::result();
}
inline Counted pow(const Counted&, const Counted&) {
  return Counted::result();
}

/// Operations of one call of each.
struct OperationCounts {
  double primitive = 0, flux = 0;  ///< of the equations: F(u)·a with the primitive state known
  double riemann = 0;              ///< of the numerical flux
  double wave_speed = 0, admissible = 0, pressure = 0;
  // Limiters only:
  double primitive_change = 0, about = 0, difference = 0, to = 0, from = 0;
};

template <class F>
double operations_of(const F& f) {
  Counted::operations = 0;
  f();
  return static_cast<double>(Counted::operations);
}

template <class Equations, class Flux>
void count_operations(OperationCounts& counts) {
  const Array<Counted, Equations::variables> u = {};
  const Array<Counted, Equations::dimension> a = {};
  const auto w = Equations::primitive(u);
  counts.primitive = operations_of([&] { Equations::primitive(u); });
  counts.flux = operations_of([&] { Equations::flux(u, w, a); });
  counts.riemann = operations_of([&] { Flux::template flux<Equations>(u, u, a); });
  counts.wave_speed = operations_of([&] { Equations::largest_wave_speed(u); });
  counts.admissible = operations_of([&] { Equations::admissible(u); });
  if constexpr (requires { Equations::pressure(u); }) counts.pressure = operations_of([&] { Equations::pressure(u); });
}

/// \tparam Variables of kernels/limiter/variables.hpp.
template <class Equations, class Variables>
void count_limiter_operations(OperationCounts& counts) {
  const Array<Counted, Equations::variables> u = {};
  const Array<Counted, Equations::dimension> a = {};
  using About = typename Variables::template About<Equations, Counted>;
  const About about(u, a);
  const auto w = Equations::primitive(u);
  if constexpr (requires { Equations::primitive_change(w, u); })
    counts.primitive_change = operations_of([&] { Equations::primitive_change(w, u); });
  counts.about = operations_of([&] { About(u, a); });
  counts.difference = operations_of([&] { about.difference(u); });
  counts.to = operations_of([&] { about.to(u); });
  counts.from = operations_of([&] { about.from(u); });
}

}  // namespace galerna::kernels
