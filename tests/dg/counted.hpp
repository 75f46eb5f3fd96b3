/// \file
/// A number that only counts what is done with it: a kernel that is compiled with it in place of double tells its
/// floating-point operations. Additions, products, quotients, roots are one each; signs, comparisons and choices none.
#pragma once

namespace galerna::tests {

class Counted {
 public:
  inline static double operations = 0;

  Counted() = default;
  Counted(double) {}
  explicit operator double() const { return 1; }

  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend Counted operator-(Counted) { return {}; }
  friend Counted operator+(Counted, Counted) { return one(); }
  friend Counted operator-(Counted, Counted) { return one(); }
  friend Counted operator*(Counted, Counted) { return one(); }
  friend Counted operator/(Counted, Counted) { return one(); }
  friend Counted sqrt(Counted) { return one(); }
  friend Counted abs(Counted) { return {}; }
  friend Counted select(bool, Counted, Counted) { return {}; }
  friend void stream(Counted* to, Counted value) { *to = value; }

 private:
  static Counted one() {
    ++operations;
    return {};
  }
};

/// What `kernel` does.
template <class Kernel>
double operations_of(const Kernel& kernel) {
  Counted::operations = 0;
  kernel();
  return Counted::operations;
}

}  // namespace galerna::tests
