// The Navier–Stokes equations on hexahedra line by line (kernels/line/viscous_residual.hpp): against plain loops and
// the element algorithm, solutions with jumps, elements that are no parallelepipeds or curved, all boundary conditions.
#include "compiles.hpp"
#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <filesystem>

#include "case_names.hpp"
#include "dg/computation.hpp"
#include "dg/curved_solids.hpp"
#include "dg/element_reference.hpp"
#include "dg/mesh_programs.hpp"
#include "dg/solids.hpp"
#include "dg/viscous_problem.hpp"
#include "kernels/line/faces.hpp"
#include "kernels/line/sizes.hpp"

namespace galerna::tests {
namespace {

/// It has as much shared memory as those with matrix units, which lines do not need.
class LargeEmulatedGpu : public EmulatedGpu {
 public:
  bool matrix_units() const override { return true; }
};

ViscousProblem<3> problem_of(int degree) {
  return {box_of(Shape::hexahedron, 2, 0.06, false), degree, 0};
}

/// Curved as far as plain loops compute with the same metric terms (viscous_reference.hpp).
ViscousProblem<3> curved_problem_of(int degree) {
  return {curved_box(2, 1 + degree / 2, false, 0.06, Shape::hexahedron), degree, 0};
}

/// R by a row. \param device null: the CPU
std::vector<double> residual_by(const std::string& row, const ViscousProblem<3>& problem,
                                std::unique_ptr<device::Device> device = nullptr) {
  dg::Spec spec = problem.spec;
  spec.structure = row;
  Computation computation(problem.mesh, spec, device ? std::move(device) : device::open_device("cpu"));
  EXPECT_EQ(computation->sets().front().structure->name, row);
  return computation.residual(problem.c);
}

void expect_reference(const ViscousProblem<3>& problem, const std::vector<double>& found) {
  ASSERT_EQ(problem.expected.size(), found.size());
  EXPECT_GT(largest(problem.expected), 1);
  EXPECT_LT(relative_difference(problem.expected, found), 1e-11);
}

class ViscousLines : public ::testing::TestWithParam<int> {};

TEST_P(ViscousLines, ComputeWhatPlainLoopsDo) {
  const auto problem = problem_of(GetParam());
  expect_reference(problem, residual_by("viscous-lines", problem));
}

TEST_P(ViscousLines, ComputeWhatPlainLoopsDoOnAnEmulatedGpu) {
  const auto problem = problem_of(GetParam());
  expect_reference(problem, residual_by("viscous-lines", problem, std::make_unique<LargeEmulatedGpu>()));
}

TEST_P(ViscousLines, ComputeWhatPlainLoopsDoInCurvedElements) {
  const auto problem = curved_problem_of(GetParam());
  expect_reference(problem, residual_by("viscous-lines", problem));
  expect_reference(problem, residual_by("viscous-lines", problem, std::make_unique<LargeEmulatedGpu>()));
}

TEST_P(ViscousLines, ComputeWhatPlainLoopsDoOnTheGpu) {
  if (!device::cuda_absence().empty()) GTEST_SKIP() << device::cuda_absence();
  for (const auto& problem : {problem_of(GetParam()), curved_problem_of(GetParam())})
    expect_reference(problem, residual_by("viscous-lines", problem, device::open_device("cuda")));
}

/// A penalty of its own and sources. (Compilers take minutes for the element algorithm at higher degrees.)
void expect_the_element_algorithm(const mesh::Mesh& mesh) {
  ViscousProblem<3> problem(mesh, 1, 7.5);
  for (int v = 0; v < 5; ++v)
    problem.spec.source.push_back([v](const std::string& name) {
      return "template <class V, class U> V " + name +
             "(const V& x, const V& y, const V& z, const V&, const U& u) { return number<V>(" + std::to_string(v) +
             ") * x - y * u[0] + z; }";
    });
  const auto expected = residual_by("element", problem);
  EXPECT_GT(largest(expected), 1);
  EXPECT_LT(relative_difference(expected, residual_by("viscous-lines", problem)), 1e-12);
}

TEST(QuickViscousLines, ComputeWhatTheElementAlgorithmDoes) {
  expect_the_element_algorithm(box_of(Shape::hexahedron, 2, 0.06, false));
}

TEST(QuickViscousLines, ComputeWhatTheElementAlgorithmDoesInCurvedElements) {
  expect_the_element_algorithm(curved_box(2, 2, false, 0.06, Shape::hexahedron));
}

/// A uniform flow between faces that let it pass, and what a periodic box holds.
TEST_P(ViscousLines, KeepUniformFlowAndLoseNothingInAPeriodicBox) {
  const int degree = GetParam();
  for (const mesh::Mesh& mesh : {box_of(Shape::hexahedron, 3, 0.06, true),
                                 curved_box(3, std::min(degree + 1, 3), true, 0.06, Shape::hexahedron)}) {
    Computation computation(mesh, navier_stokes(degree, 0, 3));
    ASSERT_STREQ(computation->sets().front().structure->name, "viscous-lines");
    const MetricReference<3> reference(mesh, degree, nullptr);
    const auto uniform = reference.project([](const mesh::Point&) {
      return MetricReference<3>::State{{1.1, 0.5, -0.3, 0.2, 2.4}};
    });
    EXPECT_LT(largest(computation.residual(uniform)), 1e-10);
    const auto rhs = computation.residual(random_flow(mesh, degree));
    const auto change = reference.integrals(rhs);
    EXPECT_GT(largest(rhs), 1);
    for (int v = 0; v < 5; ++v) EXPECT_LT(std::abs(change[v]), 1e-13 * largest(rhs)) << v;
  }
}

TEST_P(ViscousLines, WatchStepsOnAnEmulatedGpuAsOnTheCpu) {
  const auto problem = problem_of(GetParam());
  const auto step = [&](std::unique_ptr<device::Device> device) {
    return Computation(problem.mesh, problem.spec, std::move(device)).stable_step(problem.c);
  };
  const double on_cpu = step(device::open_device("cpu"));
  EXPECT_GT(on_cpu, 0);
  EXPECT_NEAR(step(std::make_unique<LargeEmulatedGpu>()), on_cpu, 1e-13 * on_cpu);
}

TEST_P(ViscousLines, CompileForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  const device::Target target{device::Kind::cuda, device::cuda_lanes, true};
  for (const auto& problem : {problem_of(GetParam()), curved_problem_of(GetParam())})
    for (const auto& program : dg::make_programs(problem.mesh, problem.spec, target, {{1, 1}, {3, 2}}))
      tests::expect_compiles(program, "sm_90");
}

INSTANTIATE_TEST_SUITE_P(QuickDegree, ViscousLines, ::testing::Values(1), CaseName{});
INSTANTIATE_TEST_SUITE_P(Degrees, ViscousLines, ::testing::Values(2, 3, 4), CaseName{});

TEST(ViscousLinesInSinglePrecision, ComputeWhatPlainLoopsDo) {
  auto problem = problem_of(2);
  problem.spec.precision = device::Precision::single_precision;
  EXPECT_LT(relative_difference(problem.expected, residual_by("viscous-lines", problem)), 1e-4);
}

/// Points that change places with others of their row keep a place each; lines side by side meet different banks.
TEST(QuickExchangedLines, GoThroughAllPlacesInEachDirection) {
  constexpr kernels::LineSizes sizes = {4, 5, true};
  static_assert(sizes.exchanged());
  constexpr int n = sizes.n;
  for (int direction = 0; direction < 3; ++direction) {
    std::vector<int> seen;
    for (int number = 0; number < n * n; ++number)
      for (int i = 0; i < n; ++i) {
        const int a = number / n, b = number % n;
        const int at[3][3] = {{i, a, b}, {a, i, b}, {a, b, i}};
        const int* point = at[direction];
        const int place = kernels::Line<true>(direction, number, n, n).at(i);
        EXPECT_EQ(place, (point[0] * n + point[1]) * n + (point[2] ^ point[1]));
        seen.push_back(place);
      }
    for (int i = 0; i < n; ++i)
      for (int first = 0; first < n * n; first += n)
        for (int b = 1; b < n; ++b) {
          const auto bank = [&](int number) {
            return seen[static_cast<std::size_t>(number * n + i)] * sizes.elements() % 16;
          };
          for (int other = 0; other < b; ++other) EXPECT_NE(bank(first + b), bank(first + other)) << direction;
        }
    std::sort(seen.begin(), seen.end());
    for (int place = 0; place < n * n * n; ++place) EXPECT_EQ(seen[static_cast<std::size_t>(place)], place);
  }
}

TEST(QuickExchangedLines, FitIntoSharedMemory) {
  const int blocks[] = {0, 0, 3, 2, 4, 2};  // on a multiprocessor of 228 KB, of which a block takes 1 for itself
  for (int n = 2; n <= 5; ++n) {
    const kernels::LineSizes sizes = {n, 5, true};
    EXPECT_LE((sizes.numbers(sizes.fields()) * 8 + 1024) * blocks[n], 228 * 1024) << n;
    EXPECT_LE(sizes.threads(), 160) << n;
    EXPECT_LE(2 * sizes.elements() * sizes.trace_row(), sizes.field_numbers()) << n;
    EXPECT_LE(2 * n * n * 5 * sizes.elements(), sizes.field_numbers()) << "the ends of lines, " << n;
    EXPECT_LE(3 * n * n * sizes.elements(), sizes.field_numbers()) << "what the monitor sees, " << n;
  }
}

}  // namespace
}  // namespace galerna::tests
