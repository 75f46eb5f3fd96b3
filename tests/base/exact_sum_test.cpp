#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace galerna::tests {
namespace {

double sum(const std::vector<double>& numbers) {
  ExactSum result;
  for (double number : numbers) result.add(number);
  return result.value();
}

TEST(ExactSum, IsRightToTheLastBitWhateverCancels) {
  const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  EXPECT_EQ(sum({}), 0);
  EXPECT_EQ(sum({0.1}), 0.1);
  EXPECT_EQ(sum({-0.1}), -0.1);
  EXPECT_EQ(sum({1e100, 1, -1e100}), 1);
  EXPECT_EQ(sum({huge, tiny, -huge}), tiny);
  EXPECT_EQ(sum({huge, huge, -huge}), huge);
  EXPECT_EQ(sum({-huge, -huge}), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum({1, tiny, -1, tiny}), 2 * tiny);
  EXPECT_EQ(sum({1, -1}), 0);
}

/// Halves go to the even neighbour, anything more than half goes up.
TEST(ExactSum, IsRoundedOnce) {
  const double half = std::ldexp(1, -53), ulp = std::ldexp(1, -52), little = std::ldexp(1, -200);
  EXPECT_EQ(sum({1, half}), 1);
  EXPECT_EQ(sum({1, half, little}), 1 + ulp);
  EXPECT_EQ(sum({1, half, -little}), 1);
  EXPECT_EQ(sum({1 + ulp, half}), 1 + 2 * ulp);
  EXPECT_EQ(sum({-1, -half, -little}), -1 - ulp);
}

std::vector<double> numbers_of_all_sizes() {
  std::mt19937_64 random(7);
  std::vector<double> numbers;
  for (int k = 0; k < 3000; ++k) {
    const double mantissa = std::uniform_real_distribution<double>(-1, 1)(random);
    numbers.push_back(std::ldexp(mantissa, std::uniform_int_distribution<int>(-1070, 1000)(random)));
  }
  return numbers;
}

TEST(ExactSum, DoesNotDependOnTheOrderOrOnParts) {
  std::vector<double> numbers = numbers_of_all_sizes();
  const double expected = sum(numbers);
  std::mt19937_64 random(3);
  for (int k = 0; k < 20; ++k) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    EXPECT_EQ(sum(numbers), expected);
    ExactSum parts[3], whole;
    for (std::size_t i = 0; i < numbers.size(); ++i) parts[i % 3].add(numbers[i]);
    for (const ExactSum& part : parts) whole.add(part);
    EXPECT_EQ(whole.value(), expected);
  }
  for (double number : std::vector<double>(numbers)) numbers.push_back(-number);
  EXPECT_EQ(sum(numbers), 0);
}

/// Numbers of one exponent fill a digit fastest.
TEST(ExactSum, OfManyNumbersIsTheirProduct) {
  const double number = 2 - std::ldexp(1, -52);
  ExactSum many;
  for (int k = 0; k < 1 << 20; ++k) many.add(number);
  EXPECT_EQ(many.value(), std::ldexp(number, 20));
  ExactSum doubled = many;
  for (int k = 0; k < 200; ++k) doubled.add(doubled);
  EXPECT_EQ(doubled.value(), std::ldexp(number, 220));
}

TEST(ExactSum, IsNotFiniteWhereSomethingAddedIsNot) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum({1, infinity, 2}), infinity);
  EXPECT_EQ(sum({1, -infinity}), -infinity);
  EXPECT_TRUE(std::isnan(sum({infinity, 1, -infinity})));
  EXPECT_TRUE(std::isnan(sum({std::nan(""), 1})));
}

}  // namespace
}  // namespace galerna::tests
