/// \file
/// Blocks of the derivative of right-hand sides, by differences of columns that do not meet.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "algebra/device_matrix.hpp"
#include "mesh/mesh.hpp"
#include "steady/state_vectors.hpp"

namespace galerna::steady {

/// [element] other elements
using Couplings = std::vector<std::vector<std::int32_t>>;

/// Those beyond its sides, rising.
Couplings neighbours(const mesh::Mesh& mesh);

/// [element] a number such that no two elements of the same one are neighbours; with `apart` such that no element has
/// two neighbours of the same one, nor of its own. Next comes the element that has the fewest left to choose from (D.
/// Brélaz, Commun. ACM 22 (1979), 251–256).
std::vector<std::int32_t> colours(const Couplings& neighbours, bool apart);

/// −dG/du of a right-hand side G in which an element knows of its neighbours only, as a matrix in vectors' units; all
/// its diagonal blocks, and those of the couplings that are asked for.
class Jacobian {
 public:
  /// \param wanted [element] some of its neighbours, rising; empty: diagonal blocks alone
  Jacobian(device::Device& device, StateVectors& vectors, const mesh::Mesh& mesh, const Couplings& wanted);

  /// Right-hand sides that compute() takes.
  long evaluations() const { return colour_count_ * columns_; }
  /// \param base G of the state \param work, rate states for what is in between \param evaluate G of `work`, into
  /// `rate`
  void compute(device::Memory& state, device::Memory& base, device::Memory& work, device::Memory& rate,
               const std::function<void()>& evaluate);
  /// Those of the pattern's blocks, in single precision, on the device.
  device::Memory& values() const { return *values_; }
  /// All of it, as kernels take it.
  kernels::steady::Matrix matrix() const;
  const algebra::BlockPattern& pattern() const { return pattern_; }

 private:
  StateVectors& vectors_;
  algebra::BlockPattern pattern_;
  algebra::DevicePattern device_pattern_;
  std::unique_ptr<device::Memory> values_;
  int colour_count_ = 0, columns_ = 0;
  std::unique_ptr<device::Memory> colours_;
  std::vector<std::unique_ptr<device::Memory>> targets_, widths_;  ///< [colour]
};

}  // namespace galerna::steady
