// Small eigenvalue problems of the kernels, held against Eigen's.
#include "kernels/polytopic/eigenvalue.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "dg/emulated_gpu.hpp"
#include "kernels/polytopic/extremes.hpp"

namespace galerna::tests {
namespace {

namespace kernels = galerna::kernels::polytopic;

/// The largest λ of S v = λ K v on vectors that K does not take to zero. \tparam n rows
template <int n>
double largest(const Eigen::MatrixXd& s, const Eigen::MatrixXd& k) {
  std::array<double, n*(n + 1)> pair{};
  const kernels::MatrixPair<n> matrices{pair.data()};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      matrices.k(i, j) = k(i, j);
      matrices.s(j, i) = s(j, i);
    }
  kernels::EigenvalueWork<n> work;
  return kernels::largest_generalized_eigenvalue<n>(pair.data(), work);
}

/// Symmetric, with these eigenvalues and random eigenvectors.
Eigen::MatrixXd with_eigenvalues(const Eigen::VectorXd& values, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(values.size(), values.size(), [&] { return normal(random); });
  const Eigen::MatrixXd q = a.householderQr().householderQ();
  return q * values.asDiagonal() * q.transpose();
}

template <int n>
void expect_largest_of_random_pairs() {
  std::mt19937 random(n);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const auto values = [&] { return Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(random); }).eval(); };
    const Eigen::MatrixXd s = with_eigenvalues(values(), random), k = with_eigenvalues(values(), random);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(s, k);
    const double expected = solver.eigenvalues().maxCoeff();
    EXPECT_NEAR(largest<n>(s, k), expected, 1e-12 * expected) << n;
  }
}

TEST(GeneralizedEigenvalue, IsThatOfRandomMatrices) {
  expect_largest_of_random_pairs<1>();
  expect_largest_of_random_pairs<2>();
  expect_largest_of_random_pairs<3>();
  expect_largest_of_random_pairs<9>();
  expect_largest_of_random_pairs<34>();
}

/// Laguerre's iteration alone would lose half of the digits.
TEST(GeneralizedEigenvalue, IsAsGoodWhereSeveralLieTogether) {
  std::mt19937 random(1);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(9, 9);
  for (const double apart : {0.0, 1e-14, 1e-11, 1e-8, 1e-5}) {
    Eigen::VectorXd values = Eigen::VectorXd::Constant(9, 3);
    for (int i = 0; i < 9; ++i) values[i] -= apart * i;
    EXPECT_NEAR(largest<9>(with_eigenvalues(values, random), one), 3, 1e-13) << apart;
    values.head(6).setConstant(0.5);
    values[8] = 3;
    EXPECT_NEAR(largest<9>(with_eigenvalues(values, random), one), 3, 1e-13) << apart;
  }
  EXPECT_EQ(largest<9>(Eigen::MatrixXd::Zero(9, 9), one), 0);
}

/// Vectors that K takes to zero are left out; S does the same.
TEST(GeneralizedEigenvalue, IsOfTheSpaceThatIsThere) {
  std::mt19937 random(2);
  Eigen::VectorXd few = Eigen::VectorXd::Zero(9);
  few.head(3).setConstant(2);
  const Eigen::MatrixXd k = with_eigenvalues(few, random);
  EXPECT_NEAR(largest<9>(5 * k, k), 5, 1e-10);
  EXPECT_EQ(largest<9>(Eigen::MatrixXd::Zero(9, 9), Eigen::MatrixXd::Zero(9, 9)), 0);
}

/// Pairs of n rows, as many as a group of lanes shares and one more.
struct GridArguments {
  const double* pairs;
  double* largest;
};

constexpr const char* grid_program = R"(
#include "kernels/polytopic/grid_eigenvalue.hpp"
using namespace galerna::kernels::polytopic;
struct GridArguments {
  const double* pairs;
  double* largest;
};
template <int n>
void solve(const GridArguments& a) {
  using G = LaneGrid<n>;
  __shared__ GridWork<n> work[G::grids];
  const int grid = team_rank() / G::lanes;
  // Of shared memory nothing is known.
  double* unknown = reinterpret_cast<double*>(work);
  for (int k = team_rank(); k < int(sizeof work / sizeof *unknown); k += G::threads) unknown[k] = 0.0 / 0.0;
  team_sync<G>();
  const double largest =
      largest_eigenvalue_by_grid(MatrixPair<n>{const_cast<double*>(a.pairs) + grid * n * (n + 1)}, work[grid]);
  a.largest[team_rank()] = largest;
}
)";

template <int n>
void expect_largest_by_grid(device::Device& gpu, device::Program& program, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.1, 1);
  const int lanes = kernels::eigenvalue_lanes(n + 1), threads = std::max(lanes, 32), grids = threads / lanes;
  std::vector<double> pairs(static_cast<std::size_t>(grids * n * (n + 1))), found(static_cast<std::size_t>(threads));
  std::vector<double> expected;
  for (int grid = 0; grid < grids; ++grid) {
    const auto values = [&] { return Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(random); }).eval(); };
    Eigen::VectorXd of_k = values();
    Eigen::MatrixXd s = with_eigenvalues(values(), random), k = with_eigenvalues(of_k, random);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(s, k);
    expected.push_back(solver.eigenvalues().maxCoeff());
    // The second one has a row that both matrices take to zero.
    if (grid == 1)
      for (Eigen::MatrixXd* matrix : {&s, &k}) {
        matrix->row(3).setZero();
        matrix->col(3).setZero();
      }
    if (grid == 1) {
      const auto without = [](const Eigen::MatrixXd& m) {
        Eigen::MatrixXd rest = m;
        rest.row(3) = m.row(n - 1);
        rest.col(3) = rest.col(n - 1).eval();
        rest(3, 3) = m(n - 1, n - 1);
        return rest.topLeftCorner(n - 1, n - 1).eval();
      };
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> rest(without(s), without(k));
      expected.back() = rest.eigenvalues().maxCoeff();
    }
    const kernels::MatrixPair<n> m{pairs.data() + grid * n * (n + 1)};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        m.k(i, j) = k(i, j);
        m.s(j, i) = s(i, j);
      }
  }
  const auto in = gpu.allocate(pairs.size() * sizeof(double), ""),
             out = gpu.allocate(found.size() * sizeof(double), "");
  gpu.write(*in, pairs.data(), pairs.size() * sizeof(double), 0);
  const GridArguments arguments{static_cast<double*>(in->address()), static_cast<double*>(out->address())};
  gpu.launch(*gpu.kernel(program, "solve_" + std::to_string(n)), {threads, threads}, &arguments, sizeof arguments);
  gpu.read(found.data(), *out, found.size() * sizeof(double), 0);
  for (int thread = 0; thread < threads; ++thread) {
    const double value = expected[static_cast<std::size_t>(thread / lanes)];
    EXPECT_NEAR(found[static_cast<std::size_t>(thread)], value, 1e-12 * value) << n << " " << thread;
  }
}

TEST(GeneralizedEigenvalue, ByGridsOfLanesIsTheSame) {
  device::ProgramSource source;
  source.text = grid_program;
  for (const int n : {10, 14, 20, 27, 34, 55}) {
    source.entries.push_back("solve_" + std::to_string(n));
    source.text += "extern \"C\" __global__ void solve_" + std::to_string(n) + "(const GridArguments a) { solve<" +
                   std::to_string(n) + ">(a); }\n";
  }
  EmulatedGpu gpu;
  const auto program = gpu.load(source);
  std::mt19937 random(4);
  expect_largest_by_grid<10>(gpu, *program, random);
  expect_largest_by_grid<14>(gpu, *program, random);
  expect_largest_by_grid<20>(gpu, *program, random);
  expect_largest_by_grid<27>(gpu, *program, random);
  expect_largest_by_grid<34>(gpu, *program, random);
  expect_largest_by_grid<55>(gpu, *program, random);
}

TEST(EigenvalueRange, OfTensorsIsExact) {
  using galerna::kernels::Array;
  std::mt19937 random(3);
  for (const auto& [a, b] : {std::pair{1.0, 4.0}, std::pair{0.0, 1e6}, std::pair{2.0, 2.0}}) {
    const Eigen::Matrix2d plane = with_eigenvalues(Eigen::Vector2d(a, b), random);
    const auto two = kernels::eigenvalue_range(Array<double, 3>{{plane(0, 0), plane(0, 1), plane(1, 1)}});
    EXPECT_NEAR(two[0], a, 1e-14 * b);
    EXPECT_NEAR(two[1], b, 1e-14 * b);
    const Eigen::Matrix3d space = with_eigenvalues(Eigen::Vector3d((a + b) / 2, a, b), random);
    const auto three = kernels::eigenvalue_range(
        Array<double, 6>{{space(0, 0), space(0, 1), space(0, 2), space(1, 1), space(1, 2), space(2, 2)}});
    EXPECT_NEAR(three[0], a, 1e-14 * b);
    EXPECT_NEAR(three[1], b, 1e-14 * b);
  }
  const auto none = kernels::eigenvalue_range(Array<double, 3>{{1e6, 0, 0}});
  EXPECT_EQ(none[0], 0);
}

}  // namespace
}  // namespace galerna::tests
