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
  return std::sin(element + k);
}
double after(double element, int k) {
  return before(element, k) + 0.1 * std::cos(3 * element - k);
}
double error(double element, int k) {
  return 0.01 * std::cos(5 * element + 2 * k);
}

/// Sum of the squared weighted errors over all elements, as the kernel leaves it.
template <int lanes>
double sum_of_squares(double padding) {
  using State = BlockedState<lanes>;
  State u(before, padding), candidate(after, padding), difference(error, padding);
  std::vector<double> partials(3 * State::blocks);
  kernels::Control control{};
  control.active = 1;
  control.tolerance = tolerance;
  const kernels::EmbeddedArguments a{u.data(),      candidate.data(), difference.data(), partials.data(),
                                     State::blocks, &control,         elements};
  for (std::int64_t block = 0; block < State::blocks; ++block) kernels::embedded_error<WideCase<lanes>>(a, {block, 0});
  kernels::LongSum sum;
  for (std::int64_t block = 0; block < State::blocks; ++block)
    sum.join(kernels::load_sum(partials.data(), State::blocks, block));
  return sum.value();
}

TEST(EmbeddedError, IsThatOfTheElementsInBlocksOfAnyWidth) {
  double expected = 0;
  for (std::int64_t e = 0; e < elements; ++e)
    for (int k = 0; k < variables * modes; ++k) {
      const auto x = static_cast<double>(e);
      const double scale = tolerance * (1 + std::max(std::abs(before(x, k)), std::abs(after(x, k))));
      expected += std::pow(error(x, k) / scale, 2);
    }
  const double alone = sum_of_squares<1>(0);
  EXPECT_NEAR(alone, expected, 1e-14 * expected);
  EXPECT_EQ(sum_of_squares<2>(0), alone);
  EXPECT_EQ(sum_of_squares<4>(0), alone);
  EXPECT_EQ(sum_of_squares<8>(0), alone);
}

TEST(EmbeddedError, HangsOnNothingInPadding) {
  const double zeros = sum_of_squares<8>(0);
  EXPECT_EQ(sum_of_squares<8>(1e6), zeros);
  EXPECT_EQ(sum_of_squares<8>(std::numeric_limits<double>::quiet_NaN()), zeros);
}

}  // namespace
}  // namespace galerna::tests
