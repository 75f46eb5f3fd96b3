#include "algebra/direct.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/index.hpp"

namespace galerna::algebra {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
using Order = Eigen::NaturalOrdering<std::int64_t>;
using Vector = Eigen::VectorXd;

/// New numbers of the unknowns: block rows by minimum degree (P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix
/// Anal. Appl. 17 (1996), 886–905), which knows much smaller a graph than that of unknowns.
struct Numbering {
  std::vector<std::int64_t> unknown;   ///< [old unknown] new one
  std::vector<std::size_t> block_row;  ///< [new unknown]
};

Numbering minimum_degree(const BlockPattern& pattern) {
  const auto n = static_cast<std::int64_t>(pattern.row_count());
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = pattern.rows[at(i)]; k < pattern.rows[at(i) + 1]; ++k)
      entries.emplace_back(i, pattern.columns[at(k)], 1.0);
  Sparse graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int64_t> order;
  Eigen::AMDOrdering<std::int64_t>()(graph, order);  // [new row] old row

  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  Numbering result{std::vector<std::int64_t>(at(first.back())), {}};
  for (std::int64_t place = 0; place < n; ++place) {
    const auto row = at(order.indices()[place]);
    for (int r = 0; r < pattern.sizes[row]; ++r) {
      result.unknown[at(first[row] + r)] = static_cast<std::int64_t>(result.block_row.size());
      result.block_row.push_back(row);
    }
  }
  return result;
}

Sparse renumbered(const BlockMatrix<double>& matrix, const Numbering& numbering) {
  const BlockPattern& pattern = matrix.pattern;
  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  entries.reserve(matrix.values.size());
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      const auto column = at(pattern.columns[at(k)]);
      const double* value = matrix.values.data() + pattern.offsets[at(k)];
      for (int r = 0; r < pattern.sizes[i]; ++r)
        for (int c = 0; c < pattern.sizes[column]; ++c)
          entries.emplace_back(numbering.unknown[at(first[i] + r)], numbering.unknown[at(first[column] + c)], *value++);
    }
  Sparse result(first.back(), first.back());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// b − A x, added up in extended precision.
std::vector<double> residual(const BlockMatrix<double>& matrix, std::span<const double> x, std::span<const double> b) {
  const BlockPattern& pattern = matrix.pattern;
  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  std::vector<double> result(b.size());
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (int r = 0; r < pattern.sizes[i]; ++r) {
      long double sum = b[at(first[i] + r)];
      for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
        const auto column = at(pattern.columns[at(k)]);
        const double* row = matrix.values.data() + pattern.offsets[at(k)] + r * pattern.sizes[column];
        for (int c = 0; c < pattern.sizes[column]; ++c)
          sum -= static_cast<long double>(row[c]) * x[at(first[column] + c)];
      }
      result[at(first[i] + r)] = static_cast<double>(sum);
    }
  return result;
}

}  // namespace

struct DirectSolver::Factors {
  Numbering numbering;
  Eigen::SparseLU<Sparse, Order> lu;

  std::vector<double> solve(std::span<const double> b) const {
    Vector right(static_cast<Eigen::Index>(b.size()));
    for (std::size_t u = 0; u < b.size(); ++u) right[numbering.unknown[u]] = b[u];
    const Vector x = lu.solve(right);
    std::vector<double> result(b.size());
    for (std::size_t u = 0; u < b.size(); ++u) result[u] = x[numbering.unknown[u]];
    return result;
  }
};

DirectSolver::DirectSolver(BlockMatrix<double> matrix)
    : matrix_(std::move(matrix)), factors_(std::make_unique<Factors>()) {
  factors_->numbering = minimum_degree(matrix_.pattern);
  const Sparse sparse = renumbered(matrix_, factors_->numbering);
  factors_->lu.isSymmetric(true);
  factors_->lu.analyzePattern(sparse);
  factors_->lu.factorize(sparse);
  if (factors_->lu.info() != Eigen::Success)
    throw Error(ExitCode::simulation_failed, "the matrix is singular: " + factors_->lu.lastErrorMessage());
}

DirectSolver::~DirectSolver() = default;
DirectSolver::DirectSolver(DirectSolver&&) noexcept = default;

std::vector<double> DirectSolver::solve(std::span<const double> right_hand_side) const {
  std::vector<double> x = factors_->solve(right_hand_side);
  for (int step = 0; step < 2; ++step) {
    const std::vector<double> correction = factors_->solve(residual(matrix_, x, right_hand_side));
    for (std::size_t u = 0; u < x.size(); ++u) x[u] += correction[u];
  }
  return x;
}

Definiteness definiteness(const BlockMatrix<double>& matrix) {
  const Numbering numbering = minimum_degree(matrix.pattern);
  const Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Order> factors(renumbered(matrix, numbering));
  const Vector pivots = factors.vectorD();
  for (Eigen::Index u = 0; u < pivots.size(); ++u)
    if (!(pivots[u] > 0)) return {false, numbering.block_row[at(u)], pivots[u]};
  return {};
}

double symmetry_defect(const BlockMatrix<double>& matrix) {
  const BlockPattern& pattern = matrix.pattern;
  double defect = 0, largest = 0;
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      const auto column = at(pattern.columns[at(k)]);
      const auto n = at(pattern.sizes[i]), m = at(pattern.sizes[column]);
      const double* block = matrix.values.data() + pattern.offsets[at(k)];
      const double* mirror =
          matrix.values.data() + pattern.offsets[at(find_block(pattern, column, static_cast<std::int32_t>(i)))];
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < m; ++c) {
          largest = std::max(largest, std::abs(block[r * m + c]));
          defect = std::max(defect, std::abs(block[r * m + c] - mirror[c * n + r]));
        }
    }
  return largest > 0 ? defect / largest : 0;
}

}  // namespace galerna::algebra
