// What thread blocks find of a step together is what one call over all elements finds.
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/control.hpp"

namespace galerna::tests {
namespace {

constexpr int variables = 4, threads = 64;
constexpr std::int64_t limits = 1000, blocks = 300;
using Numbers = std::vector<double>;

/// Programs as dg/programs/program_writer writes them.
device::ProgramSource control_program() {
  device::ProgramSource source{"control",
                               "#include \"kernels/control.hpp\"\nusing namespace galerna::kernels;\n",
                               {"begin_step", "end_step", "next_step"}};
  for (const std::string& entry : source.entries)
    source.text += "extern \"C\" __global__ void " + entry +
                   "(const ControlArguments a) {\n"
                   "  const long thread = long(blockIdx.x) * blockDim.x + threadIdx.x;\n"
                   "  galerna::kernels::" +
                   entry + "<4>(a, Item{thread / 32, int(thread % 32)});\n}\n";
  return source;
}

/// Positive numbers of very different sizes, whose sums would hang on their order.
Numbers scattered(std::int64_t count, double seed) {
  Numbers numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = std::sin(seed + 12.9898 * static_cast<double>(i)) * 43758.5453;
    numbers[i] = std::exp(20 * (x - std::floor(x)) - 10);
  }
  return numbers;
}

/// Rows of sums as kernels::store_sum leaves those of a number for each block, behind `first` other rows.
Numbers sums(std::int64_t count, int first, double seed) {
  Numbers rows = scattered((first + 3 * count) * blocks, seed);
  for (std::int64_t k = 0; k < count; ++k) {
    const auto middle = rows.begin() + (first + 3 * k + 1) * blocks;
    std::fill(middle, middle + 2 * blocks, 0.0);
  }
  return rows;
}

class QuickStepTotals : public testing::Test {
 protected:
  QuickStepTotals() {
    control_.stop_time = 10, control_.cfl = 0.3, control_.step_limit = 100;
    control_.largest_stable = 0.1, control_.dt = 0.01, control_.tolerance = 1e-3;
    arguments_.change = change_.data(), arguments_.error = error_.data(), arguments_.step_limits = limits_.data();
    arguments_.step_limit_count = limits, arguments_.blocks = blocks, arguments_.monitored = 1;
    arguments_.elements = 32 * blocks, arguments_.coefficients = 12 * arguments_.elements, arguments_.stages = 3;
    for (int v = 0; v < variables; ++v) arguments_.vectors[v] = v;
  }

  /// Into a copy of the control block that kernel writes.
  template <class Launch>
  kernels::Control after(const Launch& launch, int groups) {
    kernels::Control control = control_;
    control.active = 1;
    kernels::ControlArguments a = arguments_;
    a.control = &control;
    a.groups = groups;
    a.shares = shares_.data();
    a.arrived = &arrived_;
    launch(a);
    return control;
  }

  Numbers limits_ = scattered(limits, 1), change_ = sums(variables, 2, 2), error_ = sums(2 * variables, 0, 3),
          shares_ = Numbers(
              100 * sizeof(kernels::Totals<kernels::StepSums<variables>, kernels::ErrorSums<variables>>) / 8, NAN);
  int arrived_ = 0;
  kernels::Control control_{};
  kernels::ControlArguments arguments_{};
};

TEST_F(QuickStepTotals, AreTheSameBitsForAnyNumberOfThreadBlocks) {
  EmulatedGpu gpu;
  const auto program = gpu.load(control_program());
  using Call = void (*)(const kernels::ControlArguments&, const kernels::Item&);
  const std::vector<std::pair<std::string, Call>> entries = {{"begin_step", kernels::begin_step<variables>},
                                                             {"end_step", kernels::end_step<variables>},
                                                             {"next_step", kernels::next_step<variables>}};
  for (const auto& [entry, call] : entries) {
    SCOPED_TRACE(entry);
    if (entry == "next_step") arguments_.error = nullptr;  // steps with error control end by themselves
    const auto expected = after([call = call](const auto& a) { call(a, {0, 0}); }, 1);
    EXPECT_NE(std::memcmp(&expected, &control_, sizeof expected), 0);
    const auto kernel = gpu.kernel(*program, entry);
    for (int groups : {1, 2, 5, 100}) {
      const auto found = after(
          [&](const auto& a) {
            gpu.launch(*kernel, {groups * threads, threads}, &a, sizeof a);
          },
          groups);
      EXPECT_EQ(std::memcmp(&expected, &found, sizeof expected), 0) << groups << " thread blocks";
      EXPECT_EQ(arrived_, 0);
    }
  }
}

TEST_F(QuickStepTotals, HoldTheLeastLimitWhereverItLies) {
  EmulatedGpu gpu;
  const auto program = gpu.load(control_program());
  const auto begin = gpu.kernel(*program, "begin_step");
  const auto launch = [&](const auto& a) { gpu.launch(*begin, {5 * threads, threads}, &a, sizeof a); };
  for (double& least : {std::ref(limits_.front()), std::ref(limits_[limits / 2]), std::ref(limits_.back())}) {
    const double before = std::exchange(least, 1e-9);
    EXPECT_EQ(after(launch, 5).largest_stable, 1e-9);
    least = before;
  }
}

}  // namespace
}  // namespace galerna::tests
