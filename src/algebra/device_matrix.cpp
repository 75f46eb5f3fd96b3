#include "algebra/device_matrix.hpp"

#include <algorithm>

#include "device/address.hpp"

namespace galerna::algebra {
namespace {

std::vector<std::int32_t> rows_of_unknowns(std::span<const int> sizes) {
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(sizes[i]), static_cast<std::int32_t>(i));
  return rows;
}

/// Of the threads that share a number of a product, how many take columns of one block: the largest power of two that
/// its columns occupy, so that the others find further blocks.
int column_threads(std::span<const int> sizes) {
  const int largest = sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
  int threads = 1;
  while (2 * threads <= std::min(largest / 2, arguments::product_threads)) threads *= 2;
  return threads;
}

template <class T>
std::unique_ptr<device::Memory> upload_pattern(device::Device& device, const std::vector<T>& numbers) {
  return upload<T>(device, numbers, "pattern of the matrix");
}

}  // namespace

DeviceRows::DeviceRows(device::Device& device, std::span<const int> sizes)
    : count_(static_cast<std::int64_t>(sizes.size())) {
  const std::vector<std::int64_t> first = first_unknowns(sizes);
  unknowns_ = first.back();
  first_ = upload_pattern(device, first);
  row_of_ = upload_pattern(device, rows_of_unknowns(sizes));
}

arguments::Rows DeviceRows::arguments() const {
  return {device::address<std::int64_t>(first_), device::address<std::int32_t>(row_of_), count_, unknowns_};
}

DeviceBlocks upload(device::Device& device, const BlockPattern& pattern) {
  return {upload_pattern(device, pattern.rows), upload_pattern(device, pattern.columns),
          upload_pattern(device, pattern.offsets), pattern.value_count()};
}

BlockPattern download(device::Device& device, const std::vector<int>& sizes, const DeviceBlocks& blocks) {
  return {sizes, download<std::int64_t>(device, *blocks.rows), download<std::int32_t>(device, *blocks.columns),
          download<std::int64_t>(device, *blocks.offsets)};
}

DevicePattern::DevicePattern(device::Device& device, std::vector<int> sizes, DeviceBlocks blocks)
    : sizes_(std::move(sizes)),
      blocks_(std::move(blocks)),
      rows_(device, sizes_),
      column_threads_(column_threads(sizes_)) {}

arguments::ProductArguments DevicePattern::product() const {
  return {rows_.arguments(),
          device::address<std::int64_t>(blocks_.rows),
          device::address<std::int32_t>(blocks_.columns),
          device::address<std::int64_t>(blocks_.offsets),
          column_threads_,
          nullptr,
          nullptr,
          nullptr,
          nullptr};
}

void DeviceMatrix::multiply(Kernels& kernels, const void* x, void* y, const void* right_hand_side) const {
  arguments::ProductArguments product = pattern->product();
  product.values = values->address();
  product.right_hand_side = right_hand_side;
  product.x = x;
  product.y = y;
  kernels.product(product, Precision::double_precision);
}

DeviceMatrix upload(device::Device& device, const BlockMatrix<double>& matrix) {
  return {std::make_shared<DevicePattern>(device, matrix.pattern), upload<double>(device, matrix.values, "matrix")};
}

}  // namespace galerna::algebra
