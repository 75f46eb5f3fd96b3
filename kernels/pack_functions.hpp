/// \file
/// Functions of SIMD packs by the names that they have for numbers.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/pack.hpp"
#include "kernels/sine.hpp"

namespace galerna::kernels {

/// f(a[0]), f(a[1]), …
template <class T, int n, class F>
[[gnu::always_inline]] inline Pack<T, n> each(const Pack<T, n>& a, const F& f) {
  return pack_of<Pack<T, n>>([&](auto i) { return f(a[i]); });
}
template <class T, int n, class F>
[[gnu::always_inline]] inline Pack<T, n> each(const Pack<T, n>& a, const Pack<T, n>& b, const F& f) {
  return pack_of<Pack<T, n>>([&](auto i) { return f(a[i], b[i]); });
}

/// Formulas call functions by their full names, by which friends of Pack are not found.
template <class T, int n>
[[gnu::always_inline]] inline Pack<T, n> min(const Pack<T, n>& a, const Pack<T, n>& b) {
  return select(a < b, a, b);
}
template <class T, int n>
[[gnu::always_inline]] inline Pack<T, n> max(const Pack<T, n>& a, const Pack<T, n>& b) {
  return select(a > b, a, b);
}

template <class T, int n>
[[gnu::always_inline]] inline Pack<T, n> abs(const Pack<T, n>& a) {
  using Integers = typename Mask<T, n>::Integers;
  const auto but_sign = [](auto x) { return x & std::numeric_limits<typename Mask<T, n>::Integer>::max(); };
  const auto bits = lanewise<Integers>(but_sign, __builtin_bit_cast(Integers, a.lanes));
  return Pack<T, n>(__builtin_bit_cast(Lanes<T, n>, bits));
}

template <class T, int n>
[[gnu::always_inline]] inline Pack<T, n> sqrt(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::sqrt(x); });
}
template <class T, int n>
[[gnu::always_inline]] inline Pack<T, n> floor(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::floor(x); });
}
template <class T, int n>
[[gnu::always_inline]] inline Pack<T, n> ceil(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::ceil(x); });
}

template <class T, int n>
Pack<T, n> exp(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::exp(x); });
}
template <class T, int n>
Pack<T, n> log(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::log(x); });
}
template <class T, int n>
Pack<T, n> tan(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::tan(x); });
}
template <class T, int n>
Pack<T, n> asin(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::asin(x); });
}
template <class T, int n>
Pack<T, n> acos(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::acos(x); });
}
template <class T, int n>
Pack<T, n> atan(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::atan(x); });
}
template <class T, int n>
Pack<T, n> sinh(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::sinh(x); });
}
template <class T, int n>
Pack<T, n> cosh(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::cosh(x); });
}
template <class T, int n>
Pack<T, n> tanh(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::tanh(x); });
}
template <class T, int n>
Pack<T, n> erf(const Pack<T, n>& a) {
  return each(a, [](T x) { return std::erf(x); });
}
template <class T, int n>
Pack<T, n> pow(const Pack<T, n>& a, const Pack<T, n>& b) {
  return each(a, b, [](T x, T y) { return std::pow(x, y); });
}
template <class T, int n>
Pack<T, n> atan2(const Pack<T, n>& a, const Pack<T, n>& b) {
  return each(a, b, [](T x, T y) { return std::atan2(x, y); });
}

}  // namespace galerna::kernels
