/// \file
/// Sums that do not depend on the order of what is added.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace galerna {

/// The exact sum of doubles, rounded once when it is asked for: a fixed-point number wide enough for all doubles. R. M.
/// Neal, "Fast exact summation using small and large superaccumulators", arXiv:1505.05571 (2015), the small one.
class ExactSum {
 public:
  void add(double value);
  void add(const ExactSum& other);
  /// The double nearest to the sum. Infinite or not a number if something added was.
  double value() const;

 private:
  // Digit d counts units of 2^(32 d − 1074), the least double; digits have signs and room for carries.
  static constexpr int digit_bits = 32, digit_count = 67 + 1;
  using Digits = std::array<std::int64_t, digit_count>;

  static void carry(Digits& digits);

  Digits digits_{};
  std::int64_t additions_ = 0;  ///< since carries were last passed on
  double not_finite_ = 0;
};

std::vector<double> values_of(const std::vector<ExactSum>& sums);

}  // namespace galerna
