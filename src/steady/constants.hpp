/// \file
/// The coarse part of a preconditioner: corrections that are constant in each element, by sparse factors on the host.
#pragma once

#include <memory>

#include "algebra/direct.hpp"
#include "steady/elimination.hpp"

namespace galerna::steady {

/// z = c + B (r − A c): c solves what r tests with constants, B eliminates (P.-O. Persson, J. Peraire, SIAM J. Sci.
/// Comput. 30 (2008), 2709–2733, with p = 0).
class ConstantsPreconditioner : public algebra::Preconditioner {
 public:
  /// \param fine B, of the same matrix; both must outlive it
  ConstantsPreconditioner(StateVectors& vectors, device::Device& device, const Jacobian& jacobian,
                          EliminationPreconditioner& fine);

  /// Bytes of its factors on the host.
  static std::size_t factor_bytes(const StateVectors& vectors, const Jacobian& jacobian);

  /// Takes constants out of the matrix anew.
  void gather();
  /// Factors of the matrix with `shift` more on its diagonal. Where they are singular there are no corrections.
  void factor(double shift);
  const void* apply(const void* r) override;

 private:
  arguments::ConstantsArguments arguments() const;

  StateVectors& vectors_;
  device::Device& device_;
  const Jacobian& jacobian_;
  EliminationPreconditioner& fine_;
  algebra::BlockMatrix<double> matrix_;  ///< without the shift
  std::unique_ptr<algebra::DirectSolver> solver_;
  double shift_ = 0;
  std::unique_ptr<device::Memory> first_column_, of_constants_, blocks_, constants_, left_, result_;
};

}  // namespace galerna::steady
