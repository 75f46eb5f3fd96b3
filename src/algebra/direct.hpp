/// \file
/// Solution by sparse factors on the host, for small systems and for checks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "algebra/block_matrix.hpp"

namespace galerna::algebra {

/// LU factors of a matrix whose pattern is symmetric.
class DirectSolver {
 public:
  /// \throws Error (simulation failed) where the matrix is singular
  explicit DirectSolver(BlockMatrix<double> matrix);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;

  /// Solution with two steps of iterative refinement, residuals in extended precision.
  std::vector<double> solve(std::span<const double> right_hand_side) const;

 private:
  struct Factors;
  BlockMatrix<double> matrix_;
  std::unique_ptr<Factors> factors_;
};

/// Whether a symmetric matrix is positive definite, by its Cholesky factors without square roots (L D Lᵀ).
struct Definiteness {
  bool positive = true;
  std::size_t block_row = 0;  ///< of the first pivot that is not positive
  double pivot = 0;           ///< that pivot
};
Definiteness definiteness(const BlockMatrix<double>& matrix);

/// max |A − Aᵀ| / max |A|. \param matrix of a symmetric pattern
double symmetry_defect(const BlockMatrix<double>& matrix);

}  // namespace galerna::algebra
