/// \file
/// SIMD packs of one number of many elements, and the numbers of one element together in memory: changes between the
/// two in registers.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define GALERNA_SHUFFLES
#endif
#endif

/// Whether numbers of lanes can be exchanged by shuffles.
template <class V>
constexpr bool shuffles() {
#ifdef GALERNA_SHUFFLES
  return LaneTraits<V>::size > 1;
#else
  return false;
#endif
}

#ifdef GALERNA_SHUFFLES

/// The compiler's own vectors, for the lifetime of a shuffle.
template <class Real, int n>
struct NativeVector {
  typedef Real Type __attribute__((vector_size(n * sizeof(Real))));
};
template <class V>
using Native = typename NativeVector<Scalar<V>, LaneTraits<V>::size>::Type;

/// Number k of the result is number index(k) of `a` and `b`, one behind the other.
template <int length, class Vector, class Index>
auto pick(const Vector& a, const Vector& b, const Index&) {
  return [&]<int... k>(std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, Index{}(k)...);
  }
  (std::make_integer_sequence<int, length>());
}

/// (a_0, b_0, a_1, b_1, …): the first (half = 0) or second (half = 1) pack of it.
template <int half, class V>
V interleaved(const V& a, const V& b) {
  constexpr int width = LaneTraits<V>::size;
  const auto index = [](int k) { return k / 2 + half * width / 2 + k % 2 * width; };
  return __builtin_bit_cast(V, pick<width>(__builtin_bit_cast(Native<V>, a), __builtin_bit_cast(Native<V>, b), index));
}

/// The numbers of `a` and `b` in even (0) or odd (1) places: the inverse of `interleaved`.
template <int parity, class V>
V every_second(const V& a, const V& b) {
  const auto index = [](int k) { return 2 * k + parity; };
  return __builtin_bit_cast(
      V, pick<LaneTraits<V>::size>(__builtin_bit_cast(Native<V>, a), __builtin_bit_cast(Native<V>, b), index));
}

/// f(0), …, f(n − 1). Not a loop: the compiler would keep the packs in memory.
template <int n, class F>
auto array_of(const F& f) {
  return [&]<int... i>(std::integer_sequence<int, i...>) {
    return Array<decltype(f(std::integral_constant<int, 0>())), n>{{f(std::integral_constant<int, i>())...}};
  }
  (std::make_integer_sequence<int, n>());
}

/// [number][lane] -> [lane][number], n a power of two: log2(n) perfect shuffles.
template <int done = 1, class V, int n>
Array<V, n> lanes_first(const Array<V, n>& packs) {
  if constexpr (done < n)
    return lanes_first<2 * done>(
        array_of<n>([&](auto i) { return interleaved<i % 2>(packs[i / 2], packs[i / 2 + n / 2]); }));
  else
    return packs;
}

/// [lane][number] -> [number][lane]
template <int done = 1, class V, int n>
Array<V, n> numbers_first(const Array<V, n>& packs) {
  if constexpr (done < n)
    return numbers_first<2 * done>(array_of<n>([&](auto i) {
      constexpr int pair = 2 * (i % (n / 2));
      return every_second<(i >= n / 2)>(packs[pair], packs[pair + 1]);
    }));
  else
    return packs;
}

/// `length` numbers at each of the addresses at(first), at(first + 1), …, at(first + count − 1), one behind the other.
template <class Real, int length, int count, class Address>
auto joined(const Address& at, int first) {
  if constexpr (count == 1) {
    typename NativeVector<Real, length>::Type numbers;
    std::memcpy(&numbers, at(first), sizeof numbers);
    return numbers;
  } else {
    const auto index = [](int k) { return k; };
    return pick<length * count>(joined<Real, length, count / 2>(at, first),
                                joined<Real, length, count / 2>(at, first + count / 2), index);
  }
}

/// Writes `count` equal parts of `numbers` to the addresses at(first), at(first + 1), …
template <int count, class Vector, class Address>
void separated(const Vector& numbers, const Address& at, int first) {
  if constexpr (count == 1) {
    std::memcpy(at(first), &numbers, sizeof numbers);
  } else {
    constexpr int half = sizeof(Vector) / sizeof(numbers[0]) / 2;
    separated<count / 2>(pick<half>(numbers, numbers, [](int k) { return k; }), at, first);
    separated<count / 2>(pick<half>(numbers, numbers, [](int k) { return half + k; }), at, first + count / 2);
  }
}

/// How n numbers of each lane, those of a lane together, are spread over n packs.
template <class V, int n>
struct Spread {
  static constexpr int width = LaneTraits<V>::size;
  static constexpr int lanes = n < width ? width / n : 1;  ///< in a pack
  static constexpr int packs = n < width ? 1 : n / width;  ///< for a lane
};

/// The largest power of two that is not larger than n.
constexpr int power_within(int n) {
  return n < 2 ? 1 : 2 * power_within(n / 2);
}

/// [number][lane] from the n numbers that lie together at at(lane): as many as a power of two has by shuffles, then the
/// others in the same way; a single one lane by lane.
template <class V, int n, class Address>
Array<V, n> gather_together(const Address& at) {
  using S = Spread<V, n>;
  constexpr int some = power_within(n);
  if constexpr (n == 1) {
    return {{pack_of<V>([&](auto lane) { return *at(lane); })}};
  } else if constexpr (some < n) {
    const auto first = gather_together<V, some>(at);
    const auto others = gather_together<V, n - some>([&](int lane) { return at(lane) + some; });
    return array_of<n>([&](auto k) {
      if constexpr (k < some)
        return first[k];
      else
        return others[k - some];
    });
  } else {
    return numbers_first(array_of<n>([&](auto k) {
      const auto part = [&](int lane) { return at(lane) + k % S::packs * S::width; };
      return __builtin_bit_cast(V, joined<Scalar<V>, n / S::packs, S::lanes>(part, k / S::packs * S::lanes));
    }));
  }
}

/// The inverse of gather_together.
template <class V, int n, class Address>
void scatter_together(const Array<V, n>& numbers, const Address& at) {
  using S = Spread<V, n>;
  constexpr int some = power_within(n);
  if constexpr (n == 1) {
    for (int lane = 0; lane < LaneTraits<V>::size; ++lane) *at(lane) = lane_of(numbers[0], lane);
  } else if constexpr (some < n) {
    scatter_together(array_of<some>([&](auto k) { return numbers[k]; }), at);
    scatter_together(array_of<n - some>([&](auto k) { return numbers[some + k]; }),
                     [&](int lane) { return at(lane) + some; });
  } else {
    const Array<V, n> rows = lanes_first(numbers);
#pragma GCC unroll 16
    for (int k = 0; k < n; ++k) {
      const auto part = [&](int lane) { return at(lane) + k % S::packs * S::width; };
      separated<S::lanes>(__builtin_bit_cast(Native<V>, rows[k]), part, k / S::packs * S::lanes);
    }
  }
}

#endif

}  // namespace galerna::kernels
