/// \file
/// sin and cos of SIMD packs, right to two units in the last place: the angle less the nearest multiple of π/2, which
/// is taken off in three parts (W. J. Cody, W. Waite, Software Manual for the Elementary Functions, 1980), and Taylor's
/// series on [−π/4, π/4]. Large angles are left to the standard library.
#pragma once

#include "kernels/pack.hpp"

namespace galerna::kernels {

template <class T>
struct SineTraits;
template <>
struct SineTraits<double> {
  /// π/2; the first two have 33 bits, so that their products with integers up to 2²⁰ are exact.
  static constexpr double parts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  static constexpr double most = 0x1p20;
  static constexpr double shift = 0x1.8p52;  ///< sums with it are rounded to integers, their last bits
  static constexpr int terms = 8;            ///< of the series beyond the first
};
template <>
struct SineTraits<float> {
  static constexpr float parts[] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.4442d2p-24f};
  static constexpr float most = 0x1p12f;
  static constexpr float shift = 0x1.8p23f;
  static constexpr int terms = 5;
};

/// x − x³/3! + x⁵/5! − … (first = 1) or 1 − x²/2! + x⁴/4! − … (first = 0)
template <int first, class T, int n>
[[gnu::always_inline]] inline Pack<T, n> alternating_series(const Pack<T, n>& x) {
  constexpr int terms = SineTraits<T>::terms;
  constexpr auto inverse_factorial = [](int number) {
    double result = 1;
    for (int k = 2; k <= number; ++k) result /= k;
    return static_cast<T>(result);
  };
  const Pack<T, n> square = x * x;
  Pack<T, n> sum = 0;
#pragma GCC unroll 8
  for (int k = terms; k > 0; --k) sum = sum * square + Pack<T, n>((k % 2 ? -1 : 1) * inverse_factorial(2 * k + first));
  return first == 1 ? x + x * (square * sum) : Pack<T, n>(1) + square * sum;
}

/// sin(x + quarters · π/2)
template <class T, int n>
Pack<T, n> shifted_sine(const Pack<T, n>& x, int quarters) {
  using V = Pack<T, n>;
  using Where = Mask<T, n>;
  using Integers = typename Where::Integers;
  using Traits = SineTraits<T>;
  if (any(!(V(-Traits::most) < x && x < V(Traits::most))))
    return pack_of<V>([&](auto i) { return quarters == 1 ? std::cos(x[i]) : std::sin(x[i]); });
  const V nearest = x * V(static_cast<T>(0x1.45f306dc9c883p-1)) + V(Traits::shift),
          multiple = nearest - V(Traits::shift);
  V rest = x;
  for (const T part : Traits::parts) rest = rest - multiple * V(part);
  const auto number = __builtin_bit_cast(Integers, nearest.lanes);
  const auto holds = [&](int bit) {
    return Where{lanewise<Integers>([&](auto k) { return ((k + quarters) & bit) != 0; }, number)};
  };
  const V value = select(holds(1), alternating_series<0>(rest), alternating_series<1>(rest));
  return select(holds(2), -value, value);
}

template <class T, int n>
Pack<T, n> sin(const Pack<T, n>& x) {
  return shifted_sine(x, 0);
}
template <class T, int n>
Pack<T, n> cos(const Pack<T, n>& x) {
  return shifted_sine(x, 1);
}

}  // namespace galerna::kernels
