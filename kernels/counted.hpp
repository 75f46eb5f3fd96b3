/// \file
/// A number that only counts: kernels that are compiled with it instead of double tell what they do. Host only.
///
/// Operations: an addition, subtraction, multiplication, division, reciprocal, square root or other function is one
/// each, hence a fused multiply–add two; signs, comparisons, selections, minima, maxima and absolute values are none.
/// Memory: numbers of device arrays (of a range of addresses) that are read or written, each of them once, however
/// often that happens.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// Where and how is counted; for both sides of a program's boundary.
struct Counting {
  double operations = 0;
  const char* arrays = nullptr;      ///< begin of all device arrays, whose numbers take a byte each
  std::int64_t numbers = 0;          ///< in them
  unsigned char* touched = nullptr;  ///< [number] read, written
  bool comparisons = false;          ///< what every comparison says: of use where kernels leave out work
  static constexpr unsigned char read = 1, written = 2;
};

class Counted {
 public:
  Counted() = default;
  Counted(double) {}
  Counted(const Counted& other) { touch(&other, Counting::read); }
  Counted& operator=(const Counted& other) {
    touch(&other, Counting::read);
    touch(this, Counting::written);
    return *this;
  }
  explicit operator double() const { return 1; }

  inline static Counting* counting = nullptr;
  static Counted result() {
    counting->operations += 1;
    return {};
  }
  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  // Operands are taken by value: where they lie in an array, that is read.
  friend Counted operator-(Counted) { return {}; }
  friend Counted operator+(Counted, Counted) { return result(); }
  friend Counted operator-(Counted, Counted) { return result(); }
  friend Counted operator*(Counted, Counted) { return result(); }
  friend Counted operator/(Counted, Counted) { return result(); }
  friend bool operator<(Counted, Counted) { return counting->comparisons; }
  friend bool operator>(Counted, Counted) { return counting->comparisons; }
  friend bool operator<=(Counted, Counted) { return counting->comparisons; }
  friend bool operator>=(Counted, Counted) { return counting->comparisons; }

 private:
  static void touch(const Counted* number, unsigned char how) {
    const auto at = reinterpret_cast<const char*>(number) - counting->arrays;
    if (at >= 0 && at < counting->numbers) counting->touched[at] |= how;
  }
};
static_assert(sizeof(Counted) == 1);

inline Counted select(bool, Counted, Counted) {
  return {};
}
inline Counted min(Counted, Counted) {
  return {};
}
inline Counted max(Counted, Counted) {
  return {};
}
inline Counted abs(Counted) {
  return {};
}
inline void stream(Counted* to, const Counted& value) {
  *to = value;
}

inline Counted sqrt(Counted) {
  return Counted::result();
}
inline Counted exp(Counted) {
  return Counted::result();
}
inline Counted log(Counted) {
  return Counted::result();
}
inline Counted sin(Counted) {
  return Counted::result();
}
inline Counted cos(Counted) {
  return Counted::result();
}
inline Counted tan(Counted) {
  return Counted::result();
}
inline Counted asin(Counted) {
  return Counted::result();
}
inline Counted acos(Counted) {
  return Counted::result();
}
inline Counted atan(Counted) {
  return Counted::result();
}
inline Counted sinh(Counted) {
  return Counted::result();
}
inline Counted cosh(Counted) {
  return Counted::result();
}
inline Counted tanh(Counted) {
  return Counted::result();
}
inline Counted floor(Counted) {
  return Counted::result();
}
inline Counted ceil(Counted) {
  return Counted::result();
}
inline Counted pow(Counted, Counted) {
  return Counted::result();
}
inline Counted atan2(Counted, Counted) {
  return Counted::result();
}

}  // namespace galerna::kernels
