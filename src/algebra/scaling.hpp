/// \file
/// A matrix in the basis in which its diagonal blocks are ones, on a device (kernels/algebra/scaling.hpp).
#pragma once

#include <memory>

#include "algebra/device_matrix.hpp"

namespace galerna::algebra {

/// Triangular factors of the diagonal blocks.
class Scaling {
 public:
  Scaling(Kernels& kernels, const DeviceMatrix& matrix);

  arguments::Factors arguments() const;
  /// All blocks of the matrix, scaled, in single precision.
  std::unique_ptr<device::Memory> scale(const DeviceMatrix& matrix) const;
  /// From vectors of the matrix to those of the scaled one and back: residuals and solutions.
  void enter(const void* residual, void* scaled) const;
  void leave(const void* scaled, void* solution) const;
  /// On the host: what becomes of a solution.
  std::vector<double> scaled_solution(std::span<const double> solution) const;

 private:
  Kernels& kernels_;
  std::shared_ptr<const DevicePattern> pattern_;
  std::unique_ptr<device::Memory> offsets_, factors_, inverses_;
};

}  // namespace galerna::algebra
