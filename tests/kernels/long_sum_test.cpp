// Sums that hang on no order, on the host; the reductions of kernels that use them are error_estimate_test.cpp's.
#include "kernels/long_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/exact_sum.hpp"
#include "kernels/layout.hpp"

namespace galerna::tests {
namespace {

using kernels::LongSum;

LongSum sum_of(const std::vector<double>& numbers) {
  LongSum sum;
  for (double number : numbers) sum.add(number);
  return sum;
}

std::vector<double> numbers_that_cancel() {
  std::mt19937_64 random(5);
  std::vector<double> numbers;
  for (int k = 0; k < 2000; ++k) {
    const double mantissa = std::uniform_real_distribution<double>(1, 2)(random);
    numbers.push_back(std::ldexp(mantissa, std::uniform_int_distribution<int>(-50, 0)(random)));
    numbers.push_back(k % 100 ? -numbers.back() : numbers.back());
  }
  return numbers;
}

TEST(LongSum, IsTheExactSumInAnyOrderAndInParts) {
  std::vector<double> numbers = numbers_that_cancel();
  ExactSum exact;
  for (double number : numbers) exact.add(number);
  std::mt19937_64 random(3);
  for (int k = 0; k < 20; ++k) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    EXPECT_EQ(sum_of(numbers).value(), exact.value());
    LongSum parts[7], whole;
    for (std::size_t i = 0; i < numbers.size(); ++i) parts[i % 7].add(numbers[i]);
    for (const LongSum& part : parts) whole.join(part);
    EXPECT_EQ(whole.value(), exact.value());
  }
}

TEST(LongSum, OfWhatCancelsIsZero) {
  std::vector<double> numbers = numbers_that_cancel();
  for (double number : std::vector<double>(numbers)) numbers.push_back(-number);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937_64(1));
  EXPECT_EQ(sum_of(numbers).value(), 0);
}

TEST(LongSum, IsNotFiniteWhereSomethingAddedIsNot) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1, infinity, 2}).value(), infinity);
  EXPECT_TRUE(std::isnan(sum_of({1, std::nan(""), 2}).value()));
  LongSum joined = sum_of({1});
  joined.join(sum_of({infinity, 3}));
  EXPECT_EQ(joined.value(), infinity);
}

TEST(LongSum, OverLanesIsThatOfTheirNumbers) {
  using Pack = kernels::Pack<double, 8>;
  const std::vector<double> numbers = {1, 1e-17, -3, 1e-25, 1e20, 2, -1e20, 1e-17};
  const LongSum sum =
      kernels::block_long_sum(kernels::pack_of<Pack>([&](int i) { return numbers[static_cast<std::size_t>(i)]; }));
  EXPECT_EQ(sum.value(), sum_of(numbers).value());
  EXPECT_EQ(sum.value(), 2e-17 + 1e-25);
}

}  // namespace
}  // namespace galerna::tests
