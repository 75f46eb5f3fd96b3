/// \file
/// Lines of elements along which a mesh is stretched, and a preconditioner that eliminates along them.
#pragma once

#include <memory>
#include <vector>

#include "algebra/krylov.hpp"
#include "mesh/mesh.hpp"
#include "steady/jacobian.hpp"

namespace galerna::steady {

/// [line] elements, each in one line; most are alone where nothing is stretched.
using Lines = std::vector<std::vector<std::int32_t>>;

/// Lines across the thin direction of elements that are `aspect` times longer than thick, measured from centres to
/// sides at right angles: the nearest pairs first, at most two neighbours each, no rings.
Lines lines_of(const mesh::Mesh& mesh, double aspect = 4);
/// Each element alone.
Lines single_elements(mesh::Index elements);

/// [element] those before and after it in its line.
Couplings couplings_of(const Lines& lines, mesh::Index elements);

/// Solves block tridiagonal systems of a matrix along lines.
class LinePreconditioner : public algebra::Preconditioner {
 public:
  /// \param jacobian with the couplings of the lines; must outlive it
  LinePreconditioner(StateVectors& vectors, device::Device& device, const Jacobian& jacobian, const Lines& lines);

  /// Eliminates in the matrix with `shift` more on its diagonal.
  void factor(double shift);
  const void* apply(const void* r) override;

 private:
  arguments::LineArguments lines() const;

  StateVectors& vectors_;
  const algebra::DeviceMatrix& matrix_;
  std::int64_t count_ = 0, workers_ = 0;
  int largest_ = 0;
  std::unique_ptr<device::Memory> begins_, elements_, diagonals_, lower_, upper_, squares_, inverses_, scratch_,
      pivots_, solution_, work_;
};

}  // namespace galerna::steady
