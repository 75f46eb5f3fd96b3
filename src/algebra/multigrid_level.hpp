/// \file
/// One level of a multigrid method on a device: its matrix, smoother, transfers and vectors, all in single precision.
#pragma once

#include "algebra/multigrid.hpp"

namespace galerna::algebra {

class Multigrid::Level {
 public:
  /// \param next the coarser level, null on the last one
  Level(Kernels& kernels, const MultigridLevel& level, const Level* next);

  /// Inverts the whole matrix. \param kernel of the matrix, empty for none
  void invert_matrix(const MultigridLevel& level, std::span<const double> kernel);

  bool inverted() const { return inverse_ != nullptr; }
  std::int64_t unknowns() const { return pattern_->unknowns(); }
  double eigenvalue() const { return eigenvalue_; }
  void* right_hand_side() const { return right_hand_side_->address(); }
  void* solution() const { return solution_->address(); }

  /// Steps of the smoother. \param from_zero whether the solution is zero before, whatever is in memory
  void smooth(int steps, bool from_zero);
  /// The residual becomes the next level's right-hand side.
  void restrict_to(Level& next);
  /// Adds the next level's solution.
  void prolongate_from(const Level& next);
  /// Solution by the inverse of the whole matrix.
  void solve();

 private:
  void make_inverses(const MultigridLevel& level);
  void make_transfer(const Transfer& transfer, const Level& next);
  void estimate_eigenvalue();
  /// Of the transfer from the next level and back, but for the vectors.
  arguments::TransferArguments transfer_arguments(const Level& next) const;
  /// y = A x, or the residual of the right-hand side.
  void multiply(const void* x, void* y, const void* right_hand_side);
  /// Step number `step` of the smoother.
  void smoothing_step(int step, const void* residual, void* x, double largest_eigenvalue, bool from_zero);
  std::unique_ptr<device::Memory> allocate(std::int64_t numbers, const std::string& purpose);

  Kernels& kernels_;
  std::shared_ptr<const DevicePattern> pattern_;
  std::unique_ptr<device::Memory> values_, inverse_offsets_, inverses_, inverse_;
  std::unique_ptr<device::Memory> right_hand_side_, solution_, residual_, direction_;
  std::unique_ptr<device::Memory> parents_, first_children_, children_, transfer_offsets_, transfer_values_;
  double eigenvalue_ = 0;
};

}  // namespace galerna::algebra
