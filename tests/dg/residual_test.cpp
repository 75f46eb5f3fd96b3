#include <gtest/gtest.h>

#include <cmath>

#include "case_names.hpp"
#include "device/device.hpp"
#include "dg/discretization.hpp"
#include "dg/fixtures.hpp"
#include "dg/reference.hpp"

namespace galerna::tests {
namespace {

dg::FunctionText constant(double value) {
  return [value](const std::string& name) {
    return "template <class V> V " + name + "(const V&, const V&, const V&, const V&) { return number<V>(" +
           std::to_string(value) + "); }";
  };
}

/// Two of the boundaries are walls, the others let a fixed state in.
dg::Spec euler_spec(int degree) {
  dg::Spec spec = bare_euler(degree);
  dg::BoundaryCondition wall, fixed;
  wall.kernel = {"kernels/boundary/slip_wall.hpp", "SlipWall"};
  fixed.kernel = {"kernels/boundary/dirichlet.hpp", "Dirichlet"};
  fixed.takes_data = true;
  fixed.state = dg::StateFunctions{false, {constant(1), constant(0.5), constant(-0.25), constant(2)}};
  spec.boundaries = {wall, fixed, wall, fixed};
  return spec;
}

State2 mirrored(const State2& u, const Normal<2>& n) {
  const double normal_momentum = u[1] * n[0] + u[2] * n[1];
  return {{u[0], u[1] - 2 * normal_momentum * n[0], u[2] - 2 * normal_momentum * n[1], u[3]}};
}

void activate(dg::Discretization& discretization) {
  kernels::Control control{};
  control.active = 1;
  control.dt = 1;
  discretization.write_control(control);
}

/// R(c) by the kernels: a stage u_1 = dt R(u_0) with dt = 1.
std::vector<double> residual_of(device::Device& device, const mesh::Mesh& mesh, const dg::Spec& spec,
                                const std::vector<double>& c) {
  dg::Discretization discretization(device, mesh, spec, {{}, {}, {}, {}}, {{1, 1}});
  const auto state = discretization.allocate_state(), result = discretization.allocate_state();
  discretization.write_state(*state, c);
  activate(discretization);
  discretization.stage({state.get(), {state.get()}, {result.get()}, {{0}}, {1}, 0, 1, true});
  device.synchronize();
  return discretization.read_state(*result);
}

/// u_1 = ½ (u_0 + w) + dt R(u_0) / 10⁴ and w = w − dt R(u_0) / 10⁴, one behind the other.
std::vector<double> stage_of(device::Device& device, const mesh::Mesh& mesh, const dg::Spec& spec,
                             const std::vector<double>& c) {
  dg::Discretization discretization(device, mesh, spec, {{}, {}, {}, {}}, {{2, 2}});
  const auto state = discretization.allocate_state(), other = discretization.allocate_state(),
             result = discretization.allocate_state();
  std::vector<double> half = c;
  for (double& value : half) value *= 0.5;
  discretization.write_state(*state, c);
  discretization.write_state(*other, half);
  activate(discretization);
  discretization.stage({state.get(),
                        {state.get(), other.get()},
                        {result.get(), other.get()},
                        {{0.5, 0.5}, {0, 1}},
                        {1e-4, -1e-4},
                        0,
                        1,
                        true});
  device.synchronize();
  std::vector<double> both = discretization.read_state(*result);
  const std::vector<double> second = discretization.read_state(*other);
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

class EveryDegree : public ::testing::TestWithParam<int> {
 protected:
  void expect_reference(const std::string& device_name) const {
    const mesh::Mesh mesh = irregular_square();
    const dg::Spec spec = euler_spec(GetParam());
    const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, GetParam()));
    const ReferenceResidual reference(mesh, GetParam(),
                                      [](int boundary, const State2& u, const mesh::Point&, const Normal<2>& n) {
                                        return boundary % 2 == 0 ? mirrored(u, n) : State2{{1, 0.5, -0.25, 2}};
                                      });
    const auto device = device::open_device(device_name);
    const auto expected = reference(c), found = residual_of(*device, mesh, spec, c);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      difference = std::max(difference, std::abs(expected[i] - found[i]));
    }
    EXPECT_GT(largest, 0.1);
    EXPECT_LT(difference, 2e-13 * largest);
  }
};

TEST_P(EveryDegree, ResidualIsThatOfThePlainLoops) {
  expect_reference("cpu");
}

TEST_P(EveryDegree, ResidualOnTheGpuIsThatOfThePlainLoops) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  expect_reference("cuda");
}

/// On so many elements that every thread block of the GPU works on several of them.
TEST_P(EveryDegree, StageOfManyElementsOnTheGpuIsThatOfTheCpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  const mesh::Mesh mesh = irregular_square(160, 120);
  const dg::Spec spec = euler_spec(GetParam());
  const auto c = filled_modes(mesh, basis::mode_count(Shape::triangle, GetParam()));
  const auto cpu = device::open_device("cpu"), gpu = device::open_device("cuda");
  const auto expected = stage_of(*cpu, mesh, spec, c), found = stage_of(*gpu, mesh, spec, c);
  double difference = 0;
  for (std::size_t i = 0; i < found.size(); ++i) difference = std::max(difference, std::abs(expected[i] - found[i]));
  EXPECT_LT(difference, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(QuickDegrees, EveryDegree, ::testing::Range(0, 3), CaseName{});
INSTANTIATE_TEST_SUITE_P(HigherDegrees, EveryDegree, ::testing::Range(3, 7), CaseName{});

}  // namespace
}  // namespace galerna::tests
