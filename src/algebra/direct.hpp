/// \file
/// Solution by sparse factors on the host, for systems that are not large and for checks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "algebra/block_matrix.hpp"

namespace galerna::algebra {

/// Whether a symmetric matrix is positive definite, by its Cholesky factors without square roots (L D Lᵀ).
struct Definiteness {
  bool positive = true;
  std::size_t block_row = 0;  ///< of the first pivot that is not positive
  double pivot = 0;           ///< that pivot
};

/// LU factors of a matrix whose pattern is symmetric, by dense fronts (algebra/fronts.hpp). Rows are exchanged inside
/// of block rows only: matrices with a positive definite symmetric part need no more. Work on factors hears that
/// somebody wants it to stop (base/interruption.hpp).
class DirectSolver {
 public:
  enum class Kind {
    any,
    symmetric,  ///< definiteness() is known then; factors end where the matrix is found not to be positive definite
  };
  /// \throws Error (simulation failed) where the matrix is singular, Interruption
  explicit DirectSolver(BlockMatrix<double> matrix, Kind kind = Kind::any);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;

  const BlockMatrix<double>& matrix() const { return matrix_; }
  const Definiteness& definiteness() const;

  /// Solution with two steps of iterative refinement, residuals in extended precision.
  std::vector<double> solve(std::span<const double> right_hand_side) const;
  /// Without refinement.
  std::vector<double> solve_once(std::span<const double> right_hand_side) const;

 private:
  struct Factors;
  BlockMatrix<double> matrix_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace galerna::algebra
