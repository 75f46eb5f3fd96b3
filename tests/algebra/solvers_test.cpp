// Krylov methods and multigrid cycles, on both kinds of devices.
#include "algebra/devices.hpp"
//
#include <gtest/gtest.h>

#include "algebra/direct.hpp"
#include "algebra/krylov.hpp"
#include "algebra/matrices.hpp"
#include "algebra/multigrid.hpp"
#include "device/counting.hpp"

namespace galerna::algebra {
namespace {

/// Cells of the next grid are four of this one, which have the same values.
Transfer four_to_one(int n) {
  Transfer transfer;
  for (int cell = 0; cell < n * n; ++cell) {
    transfer.parents.push_back(cell / n / 2 * (n / 2) + cell % n / 2);
    transfer.values.insert(transfer.values.end(), {1, 0, 0, 1});
  }
  return transfer;
}

/// Grids of n × n cells and coarser ones down to `last` × `last`.
std::vector<GridLevel> grids(device::Device& device, int n, int last, double shift = 0) {
  std::vector<GridLevel> levels;
  for (double factor = 1; n >= last; n /= 2, factor *= 4)
    levels.push_back(
        {upload(device, grid_matrix(n, false, factor * shift)), n / 2 >= last ? four_to_one(n) : Transfer{}});
  return levels;
}

/// A·x is solved for x. \return its greatest error
double solve_error(Kernels& kernels, const DeviceMatrix& matrix, Preconditioner& preconditioner, bool symmetric,
                   const KrylovOptions& options, KrylovReport& report) {
  const auto n = static_cast<std::size_t>(matrix.unknowns());
  const std::vector<double> exact = random_numbers(n);
  const auto x = upload<double>(kernels.device(), exact, "x"),
             b = upload<double>(kernels.device(), std::vector<double>(n), "b");
  matrix.multiply(kernels, x->address(), b->address());
  kernels.device().clear(*x);
  report = (symmetric ? conjugate_gradients : gmres)(kernels, matrix, preconditioner, *b, *x, options);
  return largest_difference(download<double>(kernels.device(), *x), exact);
}

class Solvers : public testing::Test {
 protected:
  std::unique_ptr<device::Device> device = device::open_device("cpu");
  Kernels kernels{*device};
};

TEST_F(Solvers, MultigridSolvesInAsManyIterationsOnEveryGrid) {
  for (const int n : {16, 64, 128}) {
    const auto levels = grids(*device, n, 4);
    Multigrid multigrid(kernels, levels, {});
    for (const bool symmetric : {true, false}) {
      KrylovReport report;
      EXPECT_LT(solve_error(kernels, levels[0].matrix, multigrid, symmetric, {}, report), 1e-6) << n;
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.iterations(), 13) << report.text();
    }
  }
}

TEST_F(Solvers, GmresStopsWhereRoundingLeavesNothingToGain) {
  const auto levels = grids(*device, 16, 4);
  Multigrid multigrid(kernels, levels, {});
  KrylovReport report;
  KrylovOptions options;
  options.tolerance = 1e-19;
  solve_error(kernels, levels[0].matrix, multigrid, false, options, report);
  EXPECT_TRUE(report.stagnated) << report.text();
  EXPECT_FALSE(report.converged);
  EXPECT_LT(report.residuals.back(), 1e-14);
  EXPECT_LT(report.iterations(), options.iterations);
}

TEST_F(Solvers, OneLevelIsAPolynomialInBlockJacobi) {
  const std::vector<GridLevel> level = {{upload(*device, grid_matrix(24, true)), {}}};
  Multigrid smoother(kernels, level, {.dense = 0});
  KrylovReport report;
  EXPECT_LT(solve_error(kernels, level[0].matrix, smoother, true, {}, report), 1e-7);
  EXPECT_TRUE(report.converged);
  // Eigenvalues of D⁻¹A are those of the five-point Laplacian by 4.
  EXPECT_NEAR(smoother.eigenvalues()[0], 1 + std::cos(M_PI / 25), 0.1);
}

using SolversOn = OnDevice;
INSTANTIATE_TEST_SUITE_P(Devices, SolversOn, testing::Values(device::Kind::cuda), device_name);

/// Few iterations on a small grid: on an emulated GPU they take their time.
TEST_P(SolversOn, GivesTheResidualsOfTheHost) {
  const auto host = open(device::Kind::host);
  Kernels on_host(*host);
  const auto histories = [](Kernels& k) {
    const auto levels = grids(k.device(), 4, 2);
    Multigrid multigrid(k, levels, {.smoothing = 1, .dense = 10});
    std::vector<double> residuals;
    for (const bool symmetric : {true, false}) {
      KrylovReport report;
      solve_error(k, levels[0].matrix, multigrid, symmetric, {.iterations = 2}, report);
      residuals.insert(residuals.end(), report.residuals.begin(), report.residuals.end());
    }
    return residuals;
  };
  EXPECT_LT(largest_difference(histories(kernels()), histories(on_host)), 1e-5);
}

TEST_F(Solvers, GmresSolvesWhatIsNotSymmetric) {
  BlockMatrix<double> matrix = grid_matrix(32);
  for (std::size_t i = 0; i + 1 < matrix.pattern.row_count(); ++i)
    for (const int side : {-1, 1})
      if (const auto k = i + static_cast<std::size_t>(side) < matrix.pattern.row_count()
                             ? find_block(matrix.pattern, i, static_cast<std::int32_t>(i) + side)
                             : -1;
          k >= 0)
        for (const std::size_t diagonal : {0, 3})
          matrix.values[static_cast<std::size_t>(matrix.pattern.offsets[static_cast<std::size_t>(k)]) + diagonal] +=
              0.8 * side;
  auto levels = grids(*device, 32, 4);
  Multigrid multigrid(kernels, levels, {});
  KrylovReport report;
  const DeviceMatrix advective = upload(*device, matrix);
  // Few vectors at a time, so that it begins anew.
  EXPECT_LT(solve_error(kernels, advective, multigrid, false, {.restart = 8}, report), 1e-7);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations(), 8);
}

TEST_F(Solvers, GoOnUntilTheErrorIsSmall) {
  // Residuals of smooth errors are small: 1e-2 of the right-hand side is no small error of the solution.
  const auto levels = grids(*device, 64, 4);
  Multigrid multigrid(kernels, levels, {});
  for (const bool symmetric : {true, false})
    for (const int restart : {3, 30}) {
      KrylovReport by_residual, by_error;
      const double loose = solve_error(kernels, levels[0].matrix, multigrid, symmetric,
                                       {.tolerance = 1e-2, .restart = restart}, by_residual);
      const double tight = solve_error(kernels, levels[0].matrix, multigrid, symmetric,
                                       {.tolerance = 1e-2, .error = 1e-9, .restart = restart}, by_error);
      EXPECT_GT(loose, 1e-4);
      // Solutions of n numbers of size 1 have a norm of √n, 91 here.
      EXPECT_LT(tight, 91e-9);
      EXPECT_TRUE(by_error.converged);
      EXPECT_LE(by_error.error, 1e-9);
      EXPECT_GT(by_error.iterations(), by_residual.iterations());
    }
  KrylovReport report;
  solve_error(kernels, levels[0].matrix, multigrid, false, {.tolerance = 1e-2, .error = 1e-9, .iterations = 5}, report);
  EXPECT_FALSE(report.converged);
}

TEST_F(Solvers, SayThatTheyDidNotConverge) {
  const auto levels = grids(*device, 32, 4);
  Multigrid multigrid(kernels, levels, {});
  for (const bool symmetric : {true, false}) {
    KrylovReport report;
    solve_error(kernels, levels[0].matrix, multigrid, symmetric, {.iterations = 3}, report);
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations(), 3);
    EXPECT_TRUE(report.text().starts_with("3 iterations, residuals 1.0e+00 ")) << report.text();
  }
}

TEST_F(Solvers, ConjugateGradientsNoticeWhatIsIndefinite) {
  const std::vector<GridLevel> good = {{upload(*device, grid_matrix(8)), {}}};
  Multigrid multigrid(kernels, good, {});
  KrylovReport report;
  solve_error(kernels, upload(*device, grid_matrix(8, false, -10)), multigrid, true, {}, report);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.indefinite);
}

TEST_F(Solvers, SolveNothingForNothing) {
  const auto levels = grids(*device, 8, 4);
  Multigrid multigrid(kernels, levels, {});
  const auto b = upload<double>(*device, std::vector<double>(128), "b"),
             x = upload<double>(*device, std::vector<double>(128), "x");
  for (const bool symmetric : {true, false}) {
    const KrylovReport report =
        (symmetric ? conjugate_gradients : gmres)(kernels, levels[0].matrix, multigrid, *b, *x, {});
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations(), 0);
  }
}

/// Rows add up to zero: constants are mapped to zero.
BlockMatrix<double> neumann_matrix(int n) {
  BlockMatrix<double> matrix = grid_matrix(n);
  for (std::size_t i = 0; i < matrix.pattern.row_count(); ++i) {
    const auto diagonal = static_cast<std::size_t>(
        matrix.pattern.offsets[static_cast<std::size_t>(find_block(matrix.pattern, i, static_cast<int>(i)))]);
    const auto neighbours = static_cast<double>(matrix.pattern.rows[i + 1] - matrix.pattern.rows[i] - 1);
    for (std::size_t e = 0; e < 4; ++e) matrix.values[diagonal + e] *= neighbours / 4;
  }
  // The first unknown of a row is coupled with the second: take that out, and give the second a system of its own.
  for (std::size_t e = 0; e < matrix.values.size(); e += 4) {
    matrix.values[e + 1] = matrix.values[e + 2] = 0;
    matrix.values[e + 3] += matrix.values[e] > 0 ? 1 : 0;
  }
  return matrix;
}

TEST_F(Solvers, SolveSystemsWithAKernel) {
  std::vector<GridLevel> levels;
  for (int n = 32; n >= 4; n /= 2)
    levels.push_back({upload(*device, neumann_matrix(n)), n > 4 ? four_to_one(n) : Transfer{}});
  std::vector<double> kernel;
  for (int cell = 0; cell < 16; ++cell) kernel.insert(kernel.end(), {1, 0});
  Multigrid multigrid(kernels, levels, {.kernel = kernel});
  const BlockMatrix<double> matrix = neumann_matrix(32);
  const std::vector<double> exact = random_numbers(unknowns(matrix));
  const auto b = upload<double>(*device, product(matrix, exact), "b"),
             x = upload<double>(*device, std::vector<double>(exact.size()), "x");
  const KrylovReport report = conjugate_gradients(kernels, levels[0].matrix, multigrid, *b, *x, {});
  EXPECT_TRUE(report.converged) << report.text();
  EXPECT_LE(report.iterations(), 20);
  std::vector<double> found = download<double>(*device, *x);
  const double constant = found[0] - exact[0];
  for (std::size_t i = 0; i < found.size(); i += 2) found[i] -= constant;
  EXPECT_LT(largest_difference(found, exact), 1e-6);
}

TEST_F(Solvers, AgreeWithTheDirectOne) {
  const BlockMatrix<double> matrix = grid_matrix(16);
  const std::vector<double> right = random_numbers(unknowns(matrix), 5), direct = DirectSolver(matrix).solve(right);
  const auto levels = grids(*device, 16, 4);
  Multigrid multigrid(kernels, levels, {});
  const auto b = upload<double>(*device, right, "b"),
             x = upload<double>(*device, std::vector<double>(right.size()), "x");
  conjugate_gradients(kernels, levels[0].matrix, multigrid, *b, *x, {.tolerance = 1e-13});
  EXPECT_LT(largest_difference(download<double>(*device, *x), direct), 1e-10);
}

std::vector<double> solution_with(const char* threads) {
  setenv("OMP_NUM_THREADS", threads, 1);
  const auto device = device::open_device("cpu");
  unsetenv("OMP_NUM_THREADS");
  Kernels kernels(*device);
  const auto levels = grids(*device, 64, 4);
  Multigrid multigrid(kernels, levels, {});
  const auto b = upload<double>(*device, random_numbers(8192), "b"),
             x = upload<double>(*device, std::vector<double>(8192), "x");
  conjugate_gradients(kernels, levels[0].matrix, multigrid, *b, *x, {});
  return download<double>(*device, *x);
}

TEST(SolversOfAnyThreads, GiveTheSameBits) {
  EXPECT_EQ(solution_with("1"), solution_with("3"));
}

TEST(SolversPlan, CountsTheMemoryOfTheLevels) {
  device::CountingDevice device({device::Kind::cuda, 32, 32, true});
  Kernels kernels(device);
  const auto levels = grids(device, 16, 4);
  const Multigrid multigrid(kernels, levels, {});
  std::size_t planned = 0;
  for (const device::PlannedArray& array : device.plan().arrays)
    if (array.purpose == "matrices of the smoother") planned = array.bytes;
  std::size_t expected = 0;
  for (const GridLevel& level : levels)
    expected += sizeof(float) * static_cast<std::size_t>(level.matrix.pattern->value_count());
  EXPECT_EQ(planned, expected);
}

}  // namespace
}  // namespace galerna::algebra
