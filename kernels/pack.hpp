/// \file
/// SIMD packs: numbers of several elements or points side by side, on the CPU. They lie in vectors of the compiler, an
/// extension that GCC and Clang share, whose operators work lane by lane.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace galerna::kernels {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

/// n numbers in a register or, as halves, in several: GCC takes vectors apart, number by number, that are wider.
template <class T, int n, bool fits = n * sizeof(T) <= register_bytes>
struct Lanes {
  typedef T Vector __attribute__((vector_size(n * sizeof(T))));
  static constexpr bool halved = false;
  Vector all;

  [[gnu::always_inline]] T operator[](int i) const { return all[i]; }
};
template <class T, int n>
struct Lanes<T, n, false> {
  static constexpr bool halved = true;
  Lanes<T, n / 2> low, high;

  [[gnu::always_inline]] T operator[](int i) const { return i < n / 2 ? low[i] : high[i - n / 2]; }
};

/// f(vectors of a, …), register by register.
template <class Result, class F, class... Operands>
[[gnu::always_inline]] inline Result lanewise(const F& f, const Operands&... a) {
  if constexpr (Result::halved)
    return {lanewise<decltype(Result::low)>(f, a.low...), lanewise<decltype(Result::high)>(f, a.high...)};
  else
    return {f(a.all...)};
}

/// The same number in all lanes.
template <class Result, class T>
[[gnu::always_inline]] inline Result spread(T number) {
  if constexpr (Result::halved)
    return {spread<decltype(Result::low)>(number), spread<decltype(Result::high)>(number)};
  else
    return {number - typename Result::Vector{}};  // less 0 is the number itself, its sign too if it is −0
}

/// (f(0), …, f(n − 1)) of integers that are known to the compiler.
template <class T, int n, int first = 0, class F>
[[gnu::always_inline]] inline Lanes<T, n> lanes_of(const F& f) {
  if constexpr (Lanes<T, n>::halved)
    return {lanes_of<T, n / 2, first>(f), lanes_of<T, n / 2, first + n / 2>(f)};
  else
    return [&]<int... i>(std::integer_sequence<int, i...>) {
      return Lanes<T, n>{typename Lanes<T, n>::Vector{static_cast<T>(f(std::integral_constant<int, first + i>()))...}};
    }
  (std::make_integer_sequence<int, n>());
}

template <class T, int n>
struct Halves {
  Lanes<T, n / 2> low, high;
};
template <class T, int n>
[[gnu::always_inline]] inline Halves<T, n> halves(const Lanes<T, n>& a) {
  return __builtin_bit_cast(Halves<T, n>, a);
}

/// The same numbers in another type.
template <class To, class From, int n>
[[gnu::always_inline]] inline Lanes<To, n> converted_lanes(const Lanes<From, n>& a) {
  if constexpr (Lanes<To, n>::halved || Lanes<From, n>::halved) {
    const Halves<From, n> parts = halves(a);
    const Halves<To, n> result{converted_lanes<To>(parts.low), converted_lanes<To>(parts.high)};
    return __builtin_bit_cast(Lanes<To, n>, result);
  } else {
    return {__builtin_convertvector(a.all, typename Lanes<To, n>::Vector)};
  }
}

/// Whether something holds, for each lane of a Pack<T, n>: all bits of an integer as long as T, or none.
template <class T, int n>
struct Mask {
  using Integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using Integers = Lanes<Integer, n>;
  Integers lanes;

  [[gnu::always_inline]] bool operator[](int i) const { return lanes[i] != 0; }

  [[gnu::always_inline]] friend Mask operator&&(const Mask& a, const Mask& b) {
    return {lanewise<Integers>([](auto x, auto y) { return x & y; }, a.lanes, b.lanes)};
  }
  [[gnu::always_inline]] friend Mask operator||(const Mask& a, const Mask& b) {
    return {lanewise<Integers>([](auto x, auto y) { return x | y; }, a.lanes, b.lanes)};
  }
  [[gnu::always_inline]] Mask operator!() const {
    return {lanewise<Integers>([](auto x) { return ~x; }, lanes)};
  }
};

template <class T, int n>
class Pack {
 public:
  using Held = Lanes<T, n>;
  using Where = Mask<T, n>;
  Held lanes;

  Pack() = default;
  /// The same number in all lanes.
  [[gnu::always_inline]] Pack(T number) : lanes(spread<Held>(number)) {}
  [[gnu::always_inline]] explicit Pack(const Held& held) : lanes(held) {}

  static constexpr int size() { return n; }
  [[gnu::always_inline]] T operator[](int i) const { return lanes[i]; }

  [[gnu::always_inline]] friend Pack operator+(const Pack& a, const Pack& b) {
    return combined([](auto x, auto y) { return x + y; }, a, b);
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a, const Pack& b) {
    return combined([](auto x, auto y) { return x - y; }, a, b);
  }
  [[gnu::always_inline]] friend Pack operator*(const Pack& a, const Pack& b) {
    return combined([](auto x, auto y) { return x * y; }, a, b);
  }
  [[gnu::always_inline]] friend Pack operator/(const Pack& a, const Pack& b) {
    return combined([](auto x, auto y) { return x / y; }, a, b);
  }
  [[gnu::always_inline]] Pack operator-() const {
    return Pack(lanewise<Held>([](auto x) { return -x; }, lanes));
  }
  [[gnu::always_inline]] Pack operator+() const { return *this; }
  [[gnu::always_inline]] Pack& operator+=(const Pack& b) { return *this = *this + b; }
  [[gnu::always_inline]] Pack& operator-=(const Pack& b) { return *this = *this - b; }
  [[gnu::always_inline]] Pack& operator*=(const Pack& b) { return *this = *this * b; }
  [[gnu::always_inline]] Pack& operator/=(const Pack& b) { return *this = *this / b; }

  [[gnu::always_inline]] friend Where operator<(const Pack& a, const Pack& b) {
    return compared([](auto x, auto y) { return x < y; }, a, b);
  }
  [[gnu::always_inline]] friend Where operator<=(const Pack& a, const Pack& b) {
    return compared([](auto x, auto y) { return x <= y; }, a, b);
  }
  [[gnu::always_inline]] friend Where operator==(const Pack& a, const Pack& b) {
    return compared([](auto x, auto y) { return x == y; }, a, b);
  }
  [[gnu::always_inline]] friend Where operator!=(const Pack& a, const Pack& b) {
    return compared([](auto x, auto y) { return x != y; }, a, b);
  }
  [[gnu::always_inline]] friend Where operator>(const Pack& a, const Pack& b) { return b < a; }
  [[gnu::always_inline]] friend Where operator>=(const Pack& a, const Pack& b) { return b <= a; }

  /// a where the mask holds, b elsewhere.
  [[gnu::always_inline]] friend Pack select(const Where& mask, const Pack& a, const Pack& b) {
    return Pack(lanewise<Held>([](auto m, auto x, auto y) { return m ? x : y; }, mask.lanes, a.lanes, b.lanes));
  }
  [[gnu::always_inline]] friend Pack min(const Pack& a, const Pack& b) {
    return combined([](auto x, auto y) { return x < y ? x : y; }, a, b);
  }
  [[gnu::always_inline]] friend Pack max(const Pack& a, const Pack& b) {
    return combined([](auto x, auto y) { return x > y ? x : y; }, a, b);
  }

 private:
  template <class F>
  [[gnu::always_inline]] static Pack combined(const F& f, const Pack& a, const Pack& b) {
    return Pack(lanewise<Held>(f, a.lanes, b.lanes));
  }
  template <class F>
  [[gnu::always_inline]] static Where compared(const F& f, const Pack& a, const Pack& b) {
    return {lanewise<typename Where::Integers>(f, a.lanes, b.lanes)};
  }
};

/// The pack (f(0), …, f(size − 1)).
template <class V, class F>
[[gnu::always_inline]] inline V pack_of(const F& f) {
  return V(lanes_of<std::remove_cvref_t<decltype(V()[0])>, V::size()>(f));
}

/// The numbers that lie side by side from an address on that is a multiple of `alignment` bytes.
template <class V, int alignment, class T>
[[gnu::always_inline]] inline V loaded(const T* at) {
  V result;
  std::memcpy(&result, __builtin_assume_aligned(at, alignment), sizeof result);
  return result;
}
template <int alignment, class T, int n>
[[gnu::always_inline]] inline void stored(T* at, const Pack<T, n>& value) {
  std::memcpy(__builtin_assume_aligned(at, alignment), &value, sizeof value);
}

template <class T, int n>
bool any(const Mask<T, n>& mask) {
  typename Mask<T, n>::Integer found = 0;
  for (int i = 0; i < n; ++i) found |= mask.lanes[i];
  return found != 0;
}

/// In how many lanes the mask holds.
template <class T, int n>
int count(const Mask<T, n>& mask) {
  typename Mask<T, n>::Integer found = 0;
  for (int i = 0; i < n; ++i) found -= mask.lanes[i];
  return static_cast<int>(found);
}

/// f over all lanes, halves with halves; at last in a register of two or four numbers, outer ones with inner ones.
template <class T, int n, class F>
[[gnu::always_inline]] inline T folded(const Pack<T, n>& a, const F& f) {
  if constexpr (n * sizeof(T) > 16) {
    const Halves<T, n> parts = halves(a.lanes);
    return folded(f(Pack<T, n / 2>(parts.low), Pack<T, n / 2>(parts.high)), f);
  } else if constexpr (n == 2) {
    return f(a[0], a[1]);
  } else {
    return f(f(a[0], a[3]), f(a[1], a[2]));
  }
}

}  // namespace galerna::kernels
