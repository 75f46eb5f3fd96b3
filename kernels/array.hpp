/// \file
/// A fixed-size array that kernels on every device can use.
#pragma once

namespace galerna::kernels {

template <class T, int n>
struct Array {
  T values[n];

  constexpr T& operator[](int i) { return values[i]; }
  constexpr const T& operator[](int i) const { return values[i]; }
  static constexpr int size() { return n; }
};

}  // namespace galerna::kernels
