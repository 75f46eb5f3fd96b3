/// \file
/// The value type of kernels and the operations on it. Kernels are written on a type V that is
///   on the GPU    double or float: a thread works on one element;
///   on the CPU    a SIMD pack (pack.hpp): one pack works on a block of elements.
/// Comparisons give a mask: bool, or a Mask. In place of branches on data stands select(mask, a, b).
#pragma once

#ifndef __CUDACC_RTC__
#include <cmath>
#include <cstdint>

#include "kernels/pack_functions.hpp"
#ifdef __SSE2__
#include <immintrin.h>
#endif
#else
namespace std {
using int32_t = int;
using int64_t = long long;
}  // namespace std
#endif

namespace galerna::kernels {

#ifdef __CUDACC_RTC__

template <class V>
struct LaneTraits {
  using Scalar = V;
  using InDouble = double;
  static constexpr int size = 1;
};

using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::ceil;
using ::cos;
using ::cosh;
using ::erf;
using ::exp;
using ::floor;
using ::log;
using ::pow;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;

#else

template <class V>
struct LaneTraits {
  using Scalar = V;
  using InDouble = double;
  static constexpr int size = 1;
};
template <class T, int n>
struct LaneTraits<Pack<T, n>> {
  using Scalar = T;
  using InDouble = Pack<double, n>;
  static constexpr int size = n;
};

using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::ceil;
using std::cos;
using std::cosh;
using std::erf;
using std::exp;
using std::floor;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

#endif

inline double min(double a, double b) {
  return b < a ? b : a;
}
inline double max(double a, double b) {
  return a < b ? b : a;
}
inline float min(float a, float b) {
  return b < a ? b : a;
}
inline float max(float a, float b) {
  return a < b ? b : a;
}

inline double select(bool mask, double a, double b) {
  return mask ? a : b;
}
inline float select(bool mask, float a, float b) {
  return mask ? a : b;
}

/// Whether the mask holds in any lane.
inline bool any(bool mask) {
  return mask;
}

/// The type of one lane's value.
template <class V>
using Scalar = typename LaneTraits<V>::Scalar;

/// As many lanes in double precision.
template <class V>
using InDouble = typename LaneTraits<V>::InDouble;

/// The same numbers, lane by lane, in another precision.
template <class To, class From>
To converted(const From& a) {
  if constexpr (LaneTraits<From>::size == 1) return To(a);
#ifndef __CUDACC_RTC__
  else
    return To(converted_lanes<Scalar<To>>(a.lanes));
#endif
}

/// The numbers of all lanes, which lie side by side from `at` on, aligned or not.
template <class V>
V load_lanes(const Scalar<V>* at) {
  if constexpr (LaneTraits<V>::size == 1) return *at;
#ifndef __CUDACC_RTC__
  else
    return loaded<V, sizeof(Scalar<V>)>(at);
#endif
}

template <class V>
void store_lanes(Scalar<V>* at, const V& value) {
  if constexpr (LaneTraits<V>::size == 1) *at = value;
#ifndef __CUDACC_RTC__
  else
    stored<sizeof(Scalar<V>)>(at, value);
#endif
}

/// The value in lane i.
template <class V>
Scalar<V> lane_of(const V& a, [[maybe_unused]] int i) {
  if constexpr (LaneTraits<V>::size == 1) return a;
#ifndef __CUDACC_RTC__
  else
    return a[i];
#endif
}

#ifndef __CUDACC_RTC__
/// Writes the lanes to aligned memory past the caches: for what is read again only after more than they hold. It saves
/// reading the memory before it is written, and leaves the caches to what is still needed.
template <class T, int n>
void stream(T* to, const Pack<T, n>& value) {
#ifdef __SSE2__
  constexpr std::size_t bytes = sizeof value;
#ifdef __AVX512F__
  if constexpr (bytes == 64)
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), __builtin_bit_cast(__m512i, value));
#endif
#ifdef __AVX__
  if constexpr (bytes == 32)
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), __builtin_bit_cast(__m256i, value));
#endif
  if constexpr (bytes == 16)
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), __builtin_bit_cast(__m128i, value));
#endif
  stored<sizeof value>(to, value);
}
#endif

/// A constant in all lanes.
template <class V>
V number(double value) {
  return V(static_cast<Scalar<V>>(value));
}

/// a to the power of the integer n, by repeated squaring; n < 0 gives the reciprocal.
template <int n, class V>
V power(const V& a) {
  if constexpr (n < 0)
    return V(1) / power<-n>(a);
  else if constexpr (n == 0)
    return V(1);
  else if constexpr (n == 1)
    return a;
  else if constexpr (n % 2 == 0)
    return power<n / 2>(V(a * a));
  else
    return a * power<n / 2>(V(a * a));
}

/// Remainder with the sign of the divisor, so that mod(x, L) is in [0, L) for L > 0.
template <class V>
V mod(const V& a, const V& b) {
  return a - b * floor(a / b);
}

/// −1, 0 or 1.
template <class V>
V sign(const V& a) {
  return select(a > V(0), V(1), select(a < V(0), V(-1), V(0)));
}

/// 1/a to full precision for normal a, without the special cases of IEEE division.
template <class V>
V reciprocal(const V& a) {
  return V(1) / a;
}

/// Square root of a > 0 to full precision; may be NaN for a = 0.
template <class V>
V positive_sqrt(const V& a) {
  return sqrt(a);
}

#ifdef __AVX512F__
// As on the GPU below, from 14 correct bits: in double precision 1/a = y (1 + e) (1 + e²) (1 + O(e⁴)), and three terms
// of the series of 1/√(1 − e). Division and square root would occupy their unit for ten to twenty cycles.
[[gnu::always_inline]] inline Pack<double, 8> reciprocal(const Pack<double, 8>& a) {
  using V = Pack<double, 8>;
  const V y(V::Held{_mm512_rcp14_pd(a.lanes.all)});
  const V e = V(1) - a * y, better = y + y * e;
  return better + better * (e * e);
}

[[gnu::always_inline]] inline Pack<float, 16> reciprocal(const Pack<float, 16>& a) {
  using V = Pack<float, 16>;
  const V y(V::Held{_mm512_rcp14_ps(a.lanes.all)});
  return y + y * (V(1) - a * y);
}

[[gnu::always_inline]] inline Pack<double, 8> positive_sqrt(const Pack<double, 8>& a) {
  using V = Pack<double, 8>;
  const V y(V::Held{_mm512_rsqrt14_pd(a.lanes.all)});
  const V root = a * y, e = V(1) - root * y;
  return root + root * e * (V(0.5) + e * (V(0.375) + e * V(0.3125)));
}

[[gnu::always_inline]] inline Pack<float, 16> positive_sqrt(const Pack<float, 16>& a) {
  using V = Pack<float, 16>;
  const V y(V::Held{_mm512_rsqrt14_ps(a.lanes.all)});
  const V root = a * y;
  return root + V(0.5f) * root * (V(1) - root * y);
}
#endif

#ifdef __CUDACC_RTC__
// An approximate instruction (about 20 correct bits) and one cubically convergent correction step cost half of the IEEE
// operations: with e = 1 − a y, 1/a = y (1 + e + e² + …); with e = 1 − a y², 1/√a = y (1 + e/2 + 3e²/8 + …).
template <>
inline double reciprocal(const double& a) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double e = fma(-a, y, 1.0);
  return fma(y, fma(e, e, e), y);
}

template <>
inline double positive_sqrt(const double& a) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double e = fma(-a * y, y, 1.0);
  return a * fma(y * e, fma(0.375, e, 0.5), y);
}
#endif

}  // namespace galerna::kernels
