/// \file
/// Powers of numbers that are not far from 1, such as ratios of densities: several times as fast as the libraries' own,
/// which lanes of a CPU's pack would call one after the other.
#pragma once

#include "kernels/lane.hpp"

namespace galerna::kernels {

/// x^a for x > 0, right to 10⁻¹³ for |a| ≤ 3: with y = x^(1/8), ln x = 16 artanh((y − 1)/(y + 1)), and exp(z) =
/// exp(z/16)¹⁶, both by their series. From 1/32 to 32; beyond, the library's.
template <class V>
V power_near_one(const V& x, double a) {
  const V y = positive_sqrt(V(positive_sqrt(V(positive_sqrt(x)))));
  const V t = (y - V(1)) * reciprocal(V(y + V(1))), square = t * t;
  constexpr int of_logarithm = 11, of_exponential = 15;
  V logarithm = number<V>(1.0 / (2 * of_logarithm + 1));
#pragma unroll
  for (int k = of_logarithm - 1; k >= 0; --k) logarithm = logarithm * square + number<V>(1.0 / (2 * k + 1));
  const V z = number<V>(a) * (t * logarithm);  // ln(x^a) / 16
  V result = V(1);
#pragma unroll
  for (int k = of_exponential; k > 0; --k) result = result * (z * number<V>(1.0 / k)) + V(1);
#pragma unroll
  for (int k = 0; k < 4; ++k) result = result * result;
  constexpr double least = 1.0 / 32, most = 32, middle = (most + least) / 2;
  const auto far = abs(V(x - number<V>(middle))) > number<V>(most - middle);
  // Lane by lane: a number hangs on no other of its pack.
  return any(far) ? V(select(far, V(pow(x, number<V>(a))), result)) : result;
}

}  // namespace galerna::kernels
