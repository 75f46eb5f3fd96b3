/// \file
/// Block matrices on a device.
#pragma once

#include <memory>

#include "algebra/block_matrix.hpp"
#include "algebra/kernels.hpp"

namespace galerna::algebra {

/// Block rows of an operator there.
class DeviceRows {
 public:
  DeviceRows(device::Device& device, std::span<const int> sizes);
  arguments::Rows arguments() const;
  std::int64_t unknowns() const { return unknowns_; }

 private:
  std::int64_t count_, unknowns_;
  std::unique_ptr<device::Memory> first_, row_of_;
};

/// A pattern there, which matrices of different precisions share.
class DevicePattern {
 public:
  DevicePattern(device::Device& device, BlockPattern pattern);

  const BlockPattern& on_host() const { return pattern_; }
  const DeviceRows& rows() const { return rows_; }
  std::int64_t unknowns() const { return rows_.unknowns(); }
  /// Of y = A x; values and vectors are left to the caller.
  arguments::ProductArguments product() const;

 private:
  BlockPattern pattern_;
  DeviceRows rows_;
  int column_threads_;
  std::unique_ptr<device::Memory> begins_, columns_, offsets_;
};

/// A matrix in double precision.
struct DeviceMatrix {
  std::shared_ptr<const DevicePattern> pattern;
  std::shared_ptr<device::Memory> values;  ///< BlockPattern::value_count()

  std::int64_t unknowns() const { return pattern->unknowns(); }
  /// y = A x, or with `right_hand_side` y = b − A x; addresses of vectors in double precision.
  void multiply(Kernels& kernels, const void* x, void* y, const void* right_hand_side = nullptr) const;
};

DeviceMatrix upload(device::Device& device, const BlockMatrix<double>& matrix);

}  // namespace galerna::algebra
