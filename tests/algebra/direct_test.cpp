#include "algebra/direct.hpp"

#include <gtest/gtest.h>

#include "algebra/fronts.hpp"
#include "algebra/matrices.hpp"
#include "algebra/symmetry.hpp"
#include "base/interruption.hpp"

namespace galerna::algebra {
namespace {

TEST(DirectSolver, SolvesSystemsOfMixedBlocks) {
  BlockMatrix<double> matrix = grid_matrix(12, true);
  // Not symmetric either: transport to the right.
  for (std::size_t i = 0; i + 1 < matrix.pattern.row_count(); ++i)
    if (const auto k = find_block(matrix.pattern, i, static_cast<std::int32_t>(i) + 1); k >= 0)
      matrix.values[static_cast<std::size_t>(matrix.pattern.offsets[static_cast<std::size_t>(k)])] += 0.7;
  const std::vector<double> x = random_numbers(unknowns(matrix));
  const DirectSolver solver(matrix);
  EXPECT_LT(largest_difference(solver.solve(product(matrix, x)), x), 1e-12);
  const std::vector<double> other = random_numbers(unknowns(matrix), 2);
  EXPECT_LT(largest_difference(solver.solve(product(matrix, other)), other), 1e-12);
}

TEST(DirectSolver, RefusesSingularMatrices) {
  BlockMatrix<double> matrix{{{1, 1}, {0, 2, 4}, {0, 1, 0, 1}, {}}, {1, -1, -1, 1}};
  set_offsets(matrix.pattern);
  try {
    DirectSolver solver(matrix);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::simulation_failed);
    EXPECT_NE(std::string(error.what()).find("the matrix is singular"), std::string::npos);
  }
}

TEST(DirectSolver, SolvesLargeFrontsAndIsHeard) {
  const BlockMatrix<double> matrix = grid_matrix(40, true);
  const std::vector<double> x = random_numbers(unknowns(matrix));
  EXPECT_LT(largest_difference(DirectSolver(matrix).solve(product(matrix, x)), x), 1e-12);
  int asked = 0;
  on_interruption([&] { return ++asked > 100; });
  EXPECT_THROW(DirectSolver{matrix}, Interruption);
  on_interruption({});
}

/// A dense matrix; a chain, whose factors have no block that the matrix has not.
TEST(Fronts, TellTheMemoryOfFactors) {
  BlockPattern dense{{3, 2, 4}, {0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {}};
  const Fronts one = plan_fronts(dense);
  EXPECT_EQ(one.list.size(), 1U);
  EXPECT_EQ(one.factor_bytes, 9 * 9 * sizeof(double));
  BlockPattern chain{{2, 2, 2, 2}, {0, 2, 5, 8, 10}, {0, 1, 0, 1, 2, 1, 2, 3, 2, 3}, {}};
  EXPECT_EQ(plan_fronts(chain).factor_bytes, 10 * 4 * sizeof(double));
  EXPECT_LE(plan_fronts(chain).peak_bytes, (10 * 4 + 16) * sizeof(double));
  // Nested dissection of a grid needs 31/4 n² log₂ n numbers; minimum degree comes near.
  const double n = 64, grid = static_cast<double>(plan_fronts(grid_matrix(64).pattern).factor_bytes) / 8 / 4;
  EXPECT_GT(grid, 2 * 2 * n * n * std::log2(n));
  EXPECT_LT(grid, 2 * 31.0 / 4 * n * n * std::log2(n));
}

TEST(Definiteness, IsThatOfTheEigenvalues) {
  EXPECT_TRUE(definiteness(grid_matrix(10, true)).positive);
  // Eigenvalues of the grid are a product of those of the Laplacian and of [2 1/2; 1/2 2].
  const double least = 1.5 * 8 * std::pow(std::sin(M_PI / 22), 2);
  EXPECT_TRUE(definiteness(grid_matrix(10, false, -0.99 * least)).positive);
  EXPECT_FALSE(definiteness(grid_matrix(10, false, -1.01 * least)).positive);
}

TEST(Definiteness, NamesTheBlockRowOfThePivot) {
  BlockMatrix<double> matrix{{{1, 2, 1}, {0, 1, 2, 3}, {0, 1, 2}, {}}, {1, 2, 2, 2, 2 - 1e-3, 5}};
  set_offsets(matrix.pattern);
  const Definiteness result = definiteness(matrix);
  EXPECT_FALSE(result.positive);
  EXPECT_EQ(result.block_row, 1u);
  EXPECT_NEAR(result.pivot, -1e-3, 1e-12);
}

TEST(SymmetryDefect, IsTheLargestDifferenceByTheLargestEntry) {
  BlockMatrix<double> matrix = grid_matrix(4, true);
  EXPECT_EQ(symmetry_defect(matrix), 0);
  matrix.values[1] += 0.25;  // of a diagonal block
  EXPECT_DOUBLE_EQ(symmetry_defect(matrix), 0.25 / 8);
}

}  // namespace
}  // namespace galerna::algebra
