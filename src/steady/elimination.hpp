/// \file
/// A preconditioner that eliminates elements one after the other, without what would couple new pairs of them.
#pragma once

#include <memory>
#include <vector>

#include "algebra/krylov.hpp"
#include "steady/jacobian.hpp"

namespace galerna::steady {

/// Elements by which level they are eliminated in: those of a level are not coupled to one another.
struct Levels {
  std::vector<std::int32_t> sequence;  ///< elements, level after level
  std::vector<std::int64_t> begins;    ///< [level + 1] in the sequence
};

/// As few levels as keep the order of coupled elements. \param order all elements
Levels levels_of(const Couplings& couplings, const std::vector<std::int32_t>& order);

/// Elements from the far end of their graph to the near one, so that each is coupled to few of those before it (E.
/// Cuthill, J. McKee, Proc. 24th Nat. Conf. ACM (1969), 157–172, reversed).
std::vector<std::int32_t> reverse_cuthill_mckee(const Couplings& couplings);

/// Block ILU(0) with unchanged blocks off the diagonal (kernels/steady/elimination.hpp): of the couplings of lines it
/// is elimination along them, without couplings the inverse of diagonal blocks. In single precision.
class EliminationPreconditioner : public algebra::Preconditioner {
 public:
  /// \param jacobian must outlive it \param couplings those of its pattern \param order of elimination
  EliminationPreconditioner(StateVectors& vectors, device::Device& device, const Jacobian& jacobian,
                            const Couplings& couplings, const std::vector<std::int32_t>& order);

  /// Eliminates in the matrix with `shift` more on its diagonal.
  void factor(double shift);
  const void* apply(const void* r) override;
  int levels() const { return static_cast<int>(levels_.begins.size()) - 1; }

 private:
  arguments::EliminationArguments elimination() const;
  void sweep();
  void prepare_solutions(const Couplings& couplings, const std::vector<std::int32_t>& places,
                         const std::vector<std::int64_t>& squares);
  void solve(const void* r);

  StateVectors& vectors_;
  device::Device& device_;
  algebra::Kernels kernels_;
  const Jacobian& jacobian_;
  Levels levels_;
  std::int64_t workers_ = 0;
  int largest_ = 0;
  int coupled_ = 0;     ///< numbers of the elements that one is coupled to, at most
  unsigned count_ = 0;  ///< of solutions
  std::unique_ptr<device::Memory> sequence_, places_, squares_, inverses_, scratch_, pivots_, result_;
  std::unique_ptr<device::Memory> solution_, work_;      ///< CPU
  std::unique_ptr<device::Memory> rows_, coupled_rows_;  ///< GPU: for solutions
  std::unique_ptr<device::Memory> forward_, backward_;   ///< GPU: numbers with counts
};

}  // namespace galerna::steady
