// The error that controls steps, computed in blocks of different widths.
#include "kernels/error_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "kernels/control.hpp"
#include "kernels/states.hpp"

namespace galerna::tests {
namespace {

constexpr int modes = 3, variables = 4;
constexpr std::int64_t elements = 13;  // no multiple of any width but 1
constexpr double tolerance = 0.25;

template <int lanes>
struct WideCase {
  using Real = double;
  using Pack = kernels::Pack<double, lanes>;
  using Value = std::conditional_t<lanes == 1, double, Pack>;
  static constexpr int width = lanes;
  using Equations = Gas<2>;
  struct Operators {
    static constexpr int modes = tests::modes, volume_points = 1, sides = 3, side_points = 2;
    static constexpr double volume_basis(int, int) { return 1.5; }
  };
};

/// A state [block][variable][mode][lane] of numbers that depend on element, variable and mode; `padding` in other
/// lanes.
template <int lanes>
class BlockedState {
 public:
  template <class Number>
  BlockedState(const Number& number, double padding)
      : numbers_(static_cast<double*>(::operator new (count * sizeof(double), std::align_val_t{64}))) {
    for (std::int64_t lane = 0; lane < blocks * lanes; ++lane)
      for (int k = 0; k < variables * modes; ++k)
        numbers_[(lane / lanes * variables * modes + k) * lanes + lane % lanes] =
            lane < elements ? number(static_cast<double>(lane), k) : padding;
  }
  ~BlockedState() { ::operator delete (numbers_, std::align_val_t{64}); }
  BlockedState(const BlockedState&) = delete;
  BlockedState& operator=(const BlockedState&) = delete;

  static constexpr std::int64_t blocks = (elements + lanes - 1) / lanes;
  double* data() { return numbers_; }

 private:
  static constexpr std::size_t count = static_cast<std::size_t>(blocks * lanes * variables * modes);
  double* numbers_;
};

double before(double element, int k) {
  const double mean[] = {1, 0.3, -0.2, 2.4};
  return (k % modes == 0 ? mean[k / modes] : 0) + 0.1 * std::sin(element + k);
}
double after(double element, int k) {
  return before(element, k) + 0.1 * std::cos(3 * element - k);
}
double error(double element, int k) {
  return 0.01 * std::cos(5 * element + 2 * k);
}

/// For each variable the sums of squared errors and of squared scales over all elements, as the kernel leaves them.
template <int lanes>
std::vector<double> sums_of_squares(double padding) {
  using State = BlockedState<lanes>;
  State u(before, padding), candidate(after, padding), difference(error, padding);
  std::vector<double> partials(6 * variables * State::blocks);
  kernels::Control control{};
  control.active = 1;
  const kernels::EmbeddedArguments a{u.data(),      candidate.data(), difference.data(), partials.data(),
                                     State::blocks, &control,         elements};
  for (std::int64_t block = 0; block < State::blocks; ++block) kernels::embedded_error<WideCase<lanes>>(a, {block, 0});
  std::vector<double> sums;
  for (int k = 0; k < 2 * variables; ++k) {
    kernels::LongSum sum;
    for (std::int64_t block = 0; block < State::blocks; ++block)
      sum.join(kernels::load_sum(partials.data() + 3 * k * State::blocks, State::blocks, block));
    sums.push_back(sum.value());
  }
  return sums;
}

TEST(EmbeddedError, IsThatOfTheElementsInBlocksOfAnyWidth) {
  std::vector<double> expected(2 * variables);
  for (std::int64_t e = 0; e < elements; ++e) {
    const auto x = static_cast<double>(e);
    GasState<2> first, second;
    for (int v = 0; v < variables; ++v) first[v] = 1.5 * before(x, v * modes), second[v] = 1.5 * after(x, v * modes);
    const double speed = Gas<2>::largest_wave_speed(first);
    for (int v = 0; v < variables; ++v) {
      for (int k = v * modes; k < (v + 1) * modes; ++k) expected[2 * v] += std::pow(error(x, k), 2);
      for (int d = 0; d < 2; ++d)
        expected[2 * v + 1] += std::pow(Gas<2>::flux(first, Normal<2>{{1.0 - d, 1.0 * d}})[v] / speed, 2) / 2;
      expected[2 * v + 1] += (first[v] * first[v] + second[v] * second[v]) / 2;
    }
  }
  const std::vector<double> alone = sums_of_squares<1>(0);
  for (int k = 0; k < 2 * variables; ++k) EXPECT_NEAR(alone[k], expected[k], 1e-14 * expected[k]) << k;
  // The packs of a CPU may divide in another way.
  for (const auto& wide : {sums_of_squares<2>(0), sums_of_squares<4>(0), sums_of_squares<8>(0)})
    for (int k = 0; k < 2 * variables; ++k) EXPECT_NEAR(wide[k], alone[k], 1e-15 * alone[k]) << k;
}

TEST(EmbeddedError, HangsOnNothingInPadding) {
  const std::vector<double> zeros = sums_of_squares<8>(0);
  EXPECT_EQ(sums_of_squares<8>(1e6), zeros);
  EXPECT_EQ(sums_of_squares<8>(std::numeric_limits<double>::quiet_NaN()), zeros);
}

kernels::ErrorSums<variables> sums_of(const std::vector<double>& errors, const std::vector<double>& scales) {
  kernels::ErrorSums<variables> sums;
  for (int v = 0; v < variables; ++v) sums.errors[v].add(errors[v]), sums.scales[v].add(scales[v]);
  return sums;
}

/// A flow in other units of mass, length and time, or turned, has the same error.
TEST(EmbeddedError, IsRelativeToTheScalesOfTheFlow) {
  kernels::ControlArguments a{};
  a.elements = 4, a.coefficients = 48;
  a.vectors[1] = a.vectors[2] = 1, a.vectors[3] = 3;
  const auto error = [&](const std::vector<double>& errors, const std::vector<double>& scales) {
    return kernels::weighted_error(a, sums_of(errors, scales), tolerance);
  };
  const double expected = std::sqrt((1.0 / 4 + (3.0 + 2) / 6 + 7.0 / 9) * 4 / 48) / tolerance;
  EXPECT_NEAR(error({1, 3, 2, 7}, {4, 1, 5, 9}), expected, 1e-15);
  EXPECT_NEAR(error({1e-12, 3e-8, 2e-8, 7e-4}, {4e-12, 1e-8, 5e-8, 9e-4}), expected, 1e-14);
  EXPECT_NEAR(error({1, 0, 5, 7}, {4, 6, 0, 9}), expected, 1e-15);
  // What does not exist has no error; what comes from nothing has an infinite one.
  EXPECT_EQ(error({0, 0, 0, 0}, {1, 0, 0, 1}), 0);
  EXPECT_EQ(error({0, 1, 0, 0}, {1, 0, 0, 1}), INFINITY);
  EXPECT_TRUE(std::isnan(error({NAN, 0, 0, 0}, {1, 1, 1, 1})));
}

}  // namespace
}  // namespace galerna::tests
