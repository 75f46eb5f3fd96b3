// The monitor of GPUs with matrix units, run on the CPU thread by thread.
#include "dg/gpu_emulator.hpp"
//
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dg/operators.hpp"
#include "dg/structures.hpp"
#include "kernels/states.hpp"
#include "kernels/tile/monitor.hpp"

namespace galerna::tests {
namespace {

struct MonitorCase {
  using Real = double;
  using Value = double;
  static constexpr int width = 32, tile_elements = 32;
  using Equations = Gas<2>;
  struct Operators {
    static constexpr int degree = 3, modes = 10, volume_points = 12, sides = 3, side_points = 4;
  };
};

/// A set of 128 elements in a gas at rest, density 1 and pressure 1, where its first element is number 1000 of the
/// mesh.
class QuickTileMonitor : public ::testing::Test {
 protected:
  static constexpr int elements = 128, modes = MonitorCase::Operators::modes, threads = 256;
  static constexpr std::int64_t first_element = 1000;

  QuickTileMonitor() {
    for (int e = 0; e < elements; ++e) {
      set_mean(e, 0, 1);
      set_mean(e, 3, 1 / 0.4);
    }
  }

  /// The mean of a variable in an element.
  void set_mean(int element, int variable, double value) {
    const auto at = kernels::mode_offset<MonitorCase>(element, 0) + variable;
    state_[static_cast<std::size_t>(at)] = value / std::sqrt(2.0);  // φ_0 = √2
  }

  /// What each thread block leaves.
  std::vector<double> step_limits() {
    const std::vector<double> operators =
        dg::find_structure("tiles-32").products(dg::make_operators(Shape::triangle, 3));
    std::vector<double> limits(elements * 4 / threads);
    kernels::MonitorArguments a{};
    a.state = state_.data();
    a.diameters = diameters_.data();
    a.operators = operators.data();
    a.step_limits = limits.data();
    a.first_element = first_element;
    const auto run = [&] {
      const int thread = static_cast<int>(blockIdx.x * threads + threadIdx.x);
      kernels::tile_monitor<MonitorCase>(a, {thread / MonitorCase::width, thread % MonitorCase::width});
    };
    for (blockIdx.x = 0; blockIdx.x < limits.size(); ++blockIdx.x) EmulatedBlock(threads, run).run();
    return limits;
  }

  std::vector<double> state_ = std::vector<double>(elements * 4 * modes), diameters_ = std::vector<double>(elements, 2);
};

TEST_F(QuickTileMonitor, FindsTheLargestStableStep) {
  diameters_[5] = 0.5;
  const auto limits = step_limits();
  EXPECT_NEAR(limits.at(0), 0.5 / (7 * std::sqrt(1.4)), 1e-14);
  EXPECT_NEAR(limits.at(1), 2 / (7 * std::sqrt(1.4)), 1e-14);
}

TEST_F(QuickTileMonitor, NamesTheFirstBadElementOfTheMesh) {
  set_mean(70, 0, -1);
  set_mean(100, 3, -1);
  const auto limits = step_limits();
  EXPECT_GT(limits.at(0), 0);
  EXPECT_EQ(kernels::bad_element_of(limits.at(1)), first_element + 70);
}

}  // namespace
}  // namespace galerna::tests
