/// \file
/// Krylov methods on a device, preconditioned by something in single precision. All that decides is in double
/// precision.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "algebra/device_matrix.hpp"

namespace galerna::algebra {

class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// Where an approximate solution z of A z = r stands then, until the next call. Both are in double precision.
  virtual const void* apply(const void* r) = 0;
};

/// y = A x, however that is computed.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual std::int64_t unknowns() const = 0;
  /// y = A x, or with `right_hand_side` y = b − A x; addresses of vectors in double precision.
  virtual void multiply(const void* x, void* y, const void* right_hand_side = nullptr) = 0;
};

/// A matrix is one. Both must outlive it.
class MatrixOperator : public LinearOperator {
 public:
  MatrixOperator(Kernels& kernels, const DeviceMatrix& matrix) : kernels_(kernels), matrix_(matrix) {}
  std::int64_t unknowns() const override { return matrix_.unknowns(); }
  void multiply(const void* x, void* y, const void* right_hand_side) override {
    matrix_.multiply(kernels_, x, y, right_hand_side);
  }

 private:
  Kernels& kernels_;
  const DeviceMatrix& matrix_;
};

struct KrylovOptions {
  double tolerance = 1e-10;  ///< of the residual's norm relative to that of the right-hand side
  /// Of the estimated error's norm relative to that of the solution, beside `tolerance`; infinite: none is estimated.
  double error = std::numeric_limits<double>::infinity();
  int iterations = 200;  ///< at most
  int restart = 30;      ///< GMRES begins anew after so many iterations
  /// How often GMRES takes former vectors out of a new one. Once is enough for small reductions r of the residual: what
  /// rounding leaves of them is about 2^-53/r².
  int passes = 2;
};

struct KrylovReport {
  bool converged = false;
  /// [iteration] relative norm of the residual, that of the start first. The first and the last are norms of b − A x;
  /// between them stands what the recurrence says.
  std::vector<double> residuals;
  /// Estimated error of the solution, relative to it, where one was asked for and the residual is small enough. Where
  /// iterations converged all the same though it is larger than was asked for, rounding keeps it there.
  double error = std::numeric_limits<double>::infinity();
  bool stagnated = false;   ///< rounding stopped it: what the recurrence promised did not come true
  bool indefinite = false;  ///< conjugate gradients met a direction in which the matrix is not positive

  int iterations() const { return static_cast<int>(residuals.size()) - 1; }
  /// "12 iterations, residuals 1.0e+00 1.2e-01 …", for people.
  std::string text() const;
  /// Estimates the error: it is (1 + E + E² + …) z, z the preconditioned residual, E what the preconditioner leaves of
  /// an error, here the contraction. \param preconditioned norm of z \param solution norm; of zero the error is
  /// absolute
  void estimate_error(double preconditioned, double solution);

 private:
  /// How much smaller an iteration made the residual, as a mean of the last ones; below 1.
  double contraction() const;
};

/// Solves A x = b by conjugate gradients in the form that lets the preconditioner be not quite linear (G. H. Golub, Q.
/// Ye, SIAM J. Sci. Comput. 21 (1999), 1305–1320). \param b, x vectors in double precision; x holds the start
KrylovReport conjugate_gradients(Kernels& kernels, const DeviceMatrix& matrix, Preconditioner& preconditioner,
                                 device::Memory& b, device::Memory& x, const KrylovOptions& options);

/// Solves A x = b by GMRES, preconditioned from the right, which keeps the preconditioned vectors (Y. Saad, SIAM J.
/// Sci. Comput. 14 (1993), 461–469).
KrylovReport operator_gmres(Kernels& kernels, LinearOperator& matrix, Preconditioner& preconditioner, device::Memory& b,
                            device::Memory& x, const KrylovOptions& options);
/// The same for a matrix.
KrylovReport gmres(Kernels& kernels, const DeviceMatrix& matrix, Preconditioner& preconditioner, device::Memory& b,
                   device::Memory& x, const KrylovOptions& options);

}  // namespace galerna::algebra
