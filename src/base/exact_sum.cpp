#include "base/exact_sum.hpp"

#include <bit>
#include <cmath>

namespace galerna {
namespace {

constexpr std::int64_t base = std::int64_t{1} << 32;
/// A digit grows by less than 2^32 with each number added.
constexpr std::int64_t additions_without_carry = std::int64_t{1} << 30;

}  // namespace

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    not_finite_ += value;
    return;
  }
  if (exponent > 0) mantissa |= std::uint64_t{1} << 52;
  // value = ± mantissa · 2^(place − 1074)
  const int place = exponent > 0 ? exponent - 1 : 0, shift = place % digit_bits;
  const auto first = static_cast<std::size_t>(place / digit_bits);
  const std::uint64_t low = (mantissa & 0xffffffff) << shift, high = (mantissa >> 32) << shift;
  const std::int64_t sign = value < 0 ? -1 : 1;
  digits_[first] += sign * static_cast<std::int64_t>(low & 0xffffffff);
  digits_[first + 1] += sign * static_cast<std::int64_t>((low >> 32) + (high & 0xffffffff));
  digits_[first + 2] += sign * static_cast<std::int64_t>(high >> 32);
  if (++additions_ == additions_without_carry) {
    carry(digits_);
    additions_ = 0;
  }
}

void ExactSum::add(const ExactSum& other) {
  Digits added = other.digits_;
  carry(added);
  carry(digits_);
  for (std::size_t d = 0; d < digits_.size(); ++d) digits_[d] += added[d];
  additions_ = 1;
  not_finite_ += other.not_finite_;
}

/// Afterwards all digits but the last are 0 … 2^32 − 1; the last has the sign.
void ExactSum::carry(Digits& digits) {
  for (std::size_t d = 0; d + 1 < digits.size(); ++d) {
    const std::int64_t rest = digits[d] & (base - 1);
    digits[d + 1] += (digits[d] - rest) / base;
    digits[d] = rest;
  }
}

double ExactSum::value() const {
  if (not_finite_ != 0) return not_finite_;  // true of what is not a number, too
  Digits digits = digits_;
  carry(digits);
  const bool negative = digits.back() < 0;
  if (negative) {
    for (std::int64_t& digit : digits) digit = -digit;
    carry(digits);
  }
  std::size_t top = digits.size() - 1;
  while (top > 0 && digits[top] == 0) --top;
  // 64 bits from the first that is not 0, and whether anything follows: they are rounded as the whole number is.
  const auto digit = [&](std::size_t below) {
    return below <= top ? static_cast<std::uint64_t>(digits[top - below]) : std::uint64_t{0};
  };
  const std::uint64_t leading = digit(0) << 32 | digit(1);
  if (leading == 0) return 0;
  const int zeros = std::countl_zero(leading);
  const std::uint64_t next = digit(2) << 32;
  std::uint64_t head = zeros > 0 ? leading << zeros | next >> (64 - zeros) : leading;
  bool rest = (next << zeros) != 0;
  for (std::size_t below = 3; below <= top; ++below) rest = rest || digit(below) != 0;
  if (rest) head |= 1;
  const double rounded = std::ldexp(static_cast<double>(head), digit_bits * (static_cast<int>(top) - 1) - zeros - 1074);
  return negative ? -rounded : rounded;
}

std::vector<double> values_of(const std::vector<ExactSum>& sums) {
  std::vector<double> values;
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

}  // namespace galerna
