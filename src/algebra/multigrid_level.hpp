/// \file
/// One level of a multigrid method on a device: its matrix, scaled so that diagonal blocks are ones, its transfers and
/// vectors, all in single precision.
#pragma once

#include <optional>
#include <utility>

#include "algebra/grid_level.hpp"
#include "algebra/kernels.hpp"
#include "algebra/scaling.hpp"

namespace galerna::algebra {

class MultigridLevel {
 public:
  /// All but the matrix. \param next the coarser level, null on the last one
  MultigridLevel(Kernels& kernels, const GridLevel& level, const MultigridLevel* next, int smoothing);

  /// \param next the coarser level, which has its matrix
  void set_matrix(const DeviceMatrix& matrix, const MultigridLevel* next);
  /// Inverts the whole matrix. \param kernel of the matrix, empty for none
  void invert_matrix(std::span<const double> kernel);

  bool inverted() const { return inverse_ != nullptr; }
  std::int64_t unknowns() const { return pattern_->unknowns(); }
  double eigenvalue() const { return eigenvalue_; }
  const Scaling& scaling() const { return *scaling_; }
  float* right_hand_side() const { return static_cast<float*>(right_hand_side_->address()); }
  float* solution() const { return static_cast<float*>(solution_->address()); }

  /// The level's steps of the smoother. \param from_zero whether the solution is zero before, whatever is in memory
  void smooth(bool from_zero);
  /// The residual becomes the next level's right-hand side.
  void restrict_to(MultigridLevel& next);
  /// Adds the next level's solution.
  void prolongate_from(const MultigridLevel& next);
  /// Solution by the inverse of the whole matrix.
  void solve();

 private:
  void make_transfer(const Transfer& transfer, const MultigridLevel& next);
  void scale_transfer(const MultigridLevel& next);
  void estimate_eigenvalue();
  /// Of a step of the smoother: of the step before and of the residual. Where flow dominates, so that the matrix is far
  /// from symmetric and eigenvalues lie round 1, damped block Jacobi; polynomials for real eigenvalues would be large
  /// there.
  std::pair<double, double> factors_of(int step) const;
  /// Of y = A x, or of the residual y = b − A x.
  arguments::ProductArguments product(const float* x, float* y, const float* right_hand_side) const;
  /// Of the transfer between the next level and this one.
  arguments::TransferArguments transfer(const MultigridLevel& next, const float* values, const float* from,
                                        float* to) const;
  std::unique_ptr<device::Memory> allocate(std::int64_t numbers, const std::string& purpose);

  Kernels& kernels_;
  std::shared_ptr<const DevicePattern> pattern_;
  std::optional<Scaling> scaling_;
  std::unique_ptr<device::Memory> values_, inverse_;
  std::unique_ptr<device::Memory> right_hand_side_, solution_, work_, direction_;
  std::unique_ptr<device::Memory> parents_, first_children_, children_, transfer_offsets_, transfer_values_, there_,
      back_;
  int smoothing_;
  double eigenvalue_ = 0;
  double skewness_ = 0;  ///< norm of the skew-symmetric part of the scaled matrix
};

}  // namespace galerna::algebra
