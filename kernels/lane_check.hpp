/// \file
/// Operations on SIMD packs held against plain loops over their lanes. A compiler that gets one wrong is not used
/// (device/host_compiler.cpp): a library for packs that all kernels relied on gave whole packs where lanes were to be
/// selected.
#pragma once

#include <limits>

#include "kernels/interleave.hpp"
#include "kernels/lane.hpp"
#include "kernels/long_sum.hpp"

namespace galerna::kernels {

/// \param T of packs of n numbers
template <class T, int n>
class LaneCheck {
 public:
  using V = Pack<T, n>;

  /// What is wrong, or null. \param seed of the numbers
  static const char* wrong_operation(unsigned seed) {
    for (int round = 0; round < 4; ++round) {
      LaneCheck check(seed + static_cast<unsigned>(round));
      if (round == 2) check.put_equal_numbers();
      if (round == 3) check.put_special_numbers();
      check.arithmetic();
      check.selections();
      check.functions();
      if (round < 3) check.sums();
      check.exchanges();
      if (check.wrong_) return check.wrong_;
    }
    return nullptr;
  }

 private:
  using Integer = typename Mask<T, n>::Integer;

  explicit LaneCheck(unsigned seed) : state_(seed) {
    for (T* numbers : {a_, b_, c_})
      for (int i = 0; i < n; ++i) numbers[i] = random();
  }

  /// In (−4, 4).
  T random() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<T>(static_cast<std::int32_t>(state_)) * static_cast<T>(0x1p-29);
  }

  void put_equal_numbers() {
    for (int i = 0; i < n; i += 2) a_[i] = b_[i];
    a_[1] = T(0);
    b_[1] = -T(0);
  }
  void put_special_numbers() {
    a_[0] = std::numeric_limits<T>::quiet_NaN();
    b_[n - 1] = std::numeric_limits<T>::quiet_NaN();
    a_[n / 2] = std::numeric_limits<T>::infinity();
    b_[n / 2 - 1] = -std::numeric_limits<T>::infinity();
  }

  /// Bit for bit, but for the bits of numbers that are none.
  static bool same(T x, T y) {
    constexpr Integer infinity = __builtin_bit_cast(Integer, std::numeric_limits<T>::infinity());
    constexpr Integer no_sign = std::numeric_limits<Integer>::max();
    const auto p = __builtin_bit_cast(Integer, x), q = __builtin_bit_cast(Integer, y);
    return p == q || ((p & no_sign) > infinity && (q & no_sign) > infinity);
  }

  void expect(const char* operation, bool right) {
    if (!right && !wrong_) wrong_ = operation;
  }
  [[gnu::noinline]] void expect(const char* operation, const T* found, const T* expected) {
    for (int i = 0; i < n; ++i) expect(operation, same(found[i], expected[i]));
  }
  /// \param loop (lane) what it must be there
  template <class F>
  void expect(const char* operation, const V& pack, const F& loop) {
    T found[n], expected[n];
    store_lanes(found, pack);
    for (int i = 0; i < n; ++i) {
      asm volatile("");  // keeps it a loop
      expected[i] = loop(i);
    }
    expect(operation, found, expected);
  }

  V a() const { return load_lanes<V>(a_); }
  V b() const { return load_lanes<V>(b_); }
  V c() const { return load_lanes<V>(c_); }

  [[gnu::noinline]] void arithmetic() {
    expect("+", a() + b(), [&](int i) { return a_[i] + b_[i]; });
    expect("-", a() - b(), [&](int i) { return a_[i] - b_[i]; });
    expect("*", a() * b(), [&](int i) { return a_[i] * b_[i]; });
    expect("/", a() / b(), [&](int i) { return a_[i] / b_[i]; });
    expect("-", -a(), [&](int i) { return -a_[i]; });
  }

  [[gnu::noinline]] void selections() {
    expect("select", select(a() < b(), c(), a()), [&](int i) { return a_[i] < b_[i] ? c_[i] : a_[i]; });
    expect("<=", select(a() <= b(), c(), a()), [&](int i) { return a_[i] <= b_[i] ? c_[i] : a_[i]; });
    expect("==", select(a() == b(), c(), a()), [&](int i) { return a_[i] == b_[i] ? c_[i] : a_[i]; });
    expect("!=", select(a() != b(), c(), a()), [&](int i) { return a_[i] != b_[i] ? c_[i] : a_[i]; });
    expect("!", select(!(a() > b()), c(), a()), [&](int i) { return a_[i] > b_[i] ? a_[i] : c_[i]; });
    expect("&&", select(a() < b() && b() < c(), c(), a()),
           [&](int i) { return a_[i] < b_[i] && b_[i] < c_[i] ? c_[i] : a_[i]; });
    expect("||", select(a() < b() || b() < c(), c(), a()),
           [&](int i) { return a_[i] < b_[i] || b_[i] < c_[i] ? c_[i] : a_[i]; });
    expect("min", min(a(), b()), [&](int i) { return a_[i] < b_[i] ? a_[i] : b_[i]; });
    expect("max", max(a(), b()), [&](int i) { return a_[i] > b_[i] ? a_[i] : b_[i]; });
    int less = 0;
    for (int i = 0; i < n; ++i) less += a_[i] < b_[i];
    expect("any", any(a() < b()) == (less > 0));
    expect("any", !any(c() > V(4)) && any(c() == V(c_[n - 1])));
    expect("count", count(a() < b()) == less);
  }

  [[gnu::noinline]] void functions() {
    expect("abs", abs(a()), [&](int i) { return std::abs(a_[i]); });
    expect("sqrt", sqrt(abs(a())), [&](int i) { return std::sqrt(std::abs(a_[i])); });
    expect("floor", floor(a()), [&](int i) { return std::floor(a_[i]); });
    expect("ceil", ceil(a()), [&](int i) { return std::ceil(a_[i]); });
    const V sine = sin(c()), cosine = cos(c()), inverse = reciprocal(c()), root = positive_sqrt(V(c() * c()));
    constexpr T most = 8 * std::numeric_limits<T>::epsilon();
    for (int i = 0; i < n; ++i) {
      expect("sin", std::abs(sine[i] - std::sin(c_[i])) <= most);
      expect("cos", std::abs(cosine[i] - std::cos(c_[i])) <= most);
      expect("reciprocal", std::abs(inverse[i] * c_[i] - 1) <= most);
      expect("positive_sqrt", std::abs(root[i] / c_[i]) - 1 <= most);
    }
  }

  [[gnu::noinline]] void sums() {
    T sum = 0, least = a_[0];
    for (int i = 0; i < n; ++i) {
      sum += a_[i];
      least = min(least, a_[i]);
    }
    const T found = folded(a(), [](const auto& x, const auto& y) { return x + y; });
    expect("sums of lanes", std::abs(found - sum) <= 64 * n * std::numeric_limits<T>::epsilon());
    expect("least of lanes", folded(a(), [](const auto& x, const auto& y) { return min(x, y); }) == least);
    LongSum exact;
    for (int i = 0; i < n; ++i)
      for (const double number : {0x1p60, static_cast<double>(a_[i]), -0x1p60, -static_cast<double>(a_[i])})
        exact.add(number);
    expect("rounding of sums", exact.value() == 0);
  }

  [[gnu::noinline]] void exchanges() {
    using D = InDouble<V>;
    const D wide = converted<D>(a());
    for (int i = 0; i < n; ++i) expect("conversion", same(static_cast<T>(wide[i]), a_[i]));
    expect("conversion", converted<V>(wide), [&](int i) { return a_[i]; });
    expect("generation", pack_of<V>([&](int i) { return b_[n - 1 - i]; }), [&](int i) { return b_[n - 1 - i]; });
    if constexpr (shuffles<V>()) exchange<5>();
  }

#ifdef GALERNA_SHUFFLES
  /// k numbers of each lane together.
  template <int k>
  void exchange() {
    T together[n][k], written[n][k];
    for (auto& lane : together)
      for (T& number : lane) number = random();
    const Array<V, k> packs = gather_together<V, k>([&](int i) { return together[i]; });
    scatter_together(packs, [&](int i) { return written[i]; });
    for (int number = 0; number < k; ++number)
      for (int i = 0; i < n; ++i) {
        expect("shuffles that gather", same(packs[number][i], together[i][number]));
        expect("shuffles that scatter", same(written[i][number], together[i][number]));
      }
  }
#endif

  unsigned state_;
  T a_[n], b_[n], c_[n];
  const char* wrong_ = nullptr;
};

/// What is wrong on packs of `bytes` bytes, or null.
template <int bytes>
const char* wrong_lane_operation(unsigned seed) {
  const char* wrong = LaneCheck<double, bytes / 8>::wrong_operation(seed);
  return wrong ? wrong : LaneCheck<float, bytes / 4>::wrong_operation(seed);
}

}  // namespace galerna::kernels
