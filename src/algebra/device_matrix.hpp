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

/// What BlockPattern says of blocks, there; shared by those who need it.
struct DeviceBlocks {
  std::shared_ptr<device::Memory> rows, columns, offsets;
  std::int64_t value_count = 0;
};
DeviceBlocks upload(device::Device& device, const BlockPattern& pattern);
/// \param sizes [block row]
BlockPattern download(device::Device& device, const std::vector<int>& sizes, const DeviceBlocks& blocks);

/// A pattern there, which matrices of different precisions share.
class DevicePattern {
 public:
  DevicePattern(device::Device& device, std::vector<int> sizes, DeviceBlocks blocks);
  DevicePattern(device::Device& device, const BlockPattern& pattern)
      : DevicePattern(device, pattern.sizes, upload(device, pattern)) {}

  /// [block row]
  const std::vector<int>& sizes() const { return sizes_; }
  std::int64_t value_count() const { return blocks_.value_count; }
  BlockPattern on_host(device::Device& device) const { return download(device, sizes_, blocks_); }
  const DeviceRows& rows() const { return rows_; }
  std::int64_t unknowns() const { return rows_.unknowns(); }
  /// Of y = A x; values and vectors are left to the caller.
  arguments::ProductArguments product() const;

 private:
  std::vector<int> sizes_;
  DeviceBlocks blocks_;
  DeviceRows rows_;
  int column_threads_;
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
