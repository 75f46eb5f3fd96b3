/// \file
/// Multigrid V cycles over levels whose matrices and transfers the caller gives: what a level means is none of its
/// business.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algebra/grid_level.hpp"
#include "algebra/krylov.hpp"

namespace galerna::algebra {

struct MultigridOptions {
  int smoothing = 4;  ///< steps of the smoother before and after the coarse correction, if the level does not say
  int dense = 1000;   ///< the last level's matrix is inverted if it has at most so many unknowns; else smoothed
  std::vector<double> kernel = {};  ///< what the last level's matrix maps to zero, if there is such a vector
};

class MultigridLevel;

/// Smoothing is by Chebyshev polynomials of the fourth kind in block Jacobi (J. Lottes, Numer. Linear Algebra Appl. 30
/// (2023), e2518), which need an upper bound of the eigenvalues only; where flow dominates it is damped block Jacobi.
/// All of a cycle is in single precision, in bases in which the diagonal blocks are ones (kernels/algebra/scaling.hpp).
class Multigrid : public Preconditioner {
 public:
  /// \param levels the finest first. They are not needed any more afterwards.
  Multigrid(Kernels& kernels, std::span<const GridLevel> levels, const MultigridOptions& options);
  ~Multigrid() override;

  /// Other matrices with the same patterns. \param levels whose transfers are not looked at; not needed afterwards
  void set_matrices(std::span<const GridLevel> levels);

  const void* apply(const void* r) override;

  /// [level] estimate of the largest eigenvalue of D⁻¹A
  std::vector<double> eigenvalues() const;

 private:
  void cycle(std::size_t level);

  Kernels& kernels_;
  MultigridOptions options_;
  std::vector<std::unique_ptr<MultigridLevel>> levels_;
  std::unique_ptr<device::Memory> solution_;
  std::unique_ptr<device::Graph> graph_;
};

}  // namespace galerna::algebra
