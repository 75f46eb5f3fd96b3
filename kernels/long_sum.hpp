/// \file
/// Sums over elements whose result does not depend on the order of what is added, nor on blocks, padding and threads.
#pragma once

#ifndef __CUDACC_RTC__
#include <cstdint>
#else
#include "kernels/lane.hpp"
#endif

namespace galerna::kernels {

/// The number itself, as a product that is added to would not be: compilers take both together, rounded once.
inline double rounded(double value) {
#ifdef __CUDACC_RTC__
  return __dadd_rn(value, 0.0);
#else
  asm("" : "+m"(value));
  return value;
#endif
}

/// sum += value; returns what rounding takes away. D. E. Knuth, The Art of Computer Programming 2, 4.2.2.
inline double add_exactly(double& sum, double value) {
  const double before = sum;
  sum = before + value;
  const double added = sum - before;
  return (before - (sum - added)) + (value - added);
}

/// A sum of doubles in three, each of which holds what rounding takes away from the one before: T. Ogita, S. M. Rump,
/// S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005), algorithm SumK with K = 3. Exact as long
/// as no number is less than 2⁻⁶⁰ of the sum of the absolute values and there are fewer than 2⁴⁰ of them; what is
/// smaller may lose digits below 2⁻¹⁵⁰ of it.
struct LongSum {
  double high = 0, middle = 0, low = 0;

  void add(double value) { low += add_exactly(middle, add_exactly(high, value)); }
  void join(const LongSum& other) {
    add(other.high);
    low += add_exactly(middle, other.middle);
    low += other.low;
  }

  /// The double nearest to it; not finite where something added was not.
  double value() const {
    if (!(high - high == 0)) return high;
    double first = high, second = middle;
    second = add_exactly(first, second);
    const double third = add_exactly(second, low);
    second = add_exactly(first, second);
    return first + (second + third);
  }
};

/// Sums of blocks, three rows of `blocks` numbers one behind the other.
inline void store_sum(double* rows, std::int64_t blocks, std::int64_t block, const LongSum& sum) {
  rows[block] = sum.high;
  rows[blocks + block] = sum.middle;
  rows[2 * blocks + block] = sum.low;
}
inline LongSum load_sum(const double* rows, std::int64_t blocks, std::int64_t block) {
  return {rows[block], rows[blocks + block], rows[2 * blocks + block]};
}

}  // namespace galerna::kernels
