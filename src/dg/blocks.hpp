/// \file
/// Arrays on the device in blocks of lanes (layout: kernels/arguments.hpp), in single or double precision.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace galerna::dg {

/// How `items` (elements, boundary faces) are grouped in blocks of `lanes`.
struct Blocks {
  std::int64_t items = 0;
  std::int64_t count = 0;  ///< blocks
  int lanes = 1;

  std::int64_t padded() const { return count * lanes; }
  /// The item that a lane holds: lanes past the end repeat the last item.
  std::int64_t item(std::int64_t lane) const { return lane < items ? lane : items - 1; }
};

/// Blocks for a kind of device: on Cuda rounded up to whole thread blocks of 128, so that no thread is without an
/// element.
Blocks make_blocks(std::int64_t items, device::Kind kind, int lanes);
Blocks make_blocks(std::int64_t items, const device::Device& device, device::Precision precision);

/// Blocks of items on Host, a thread for each item on Cuda.
device::Range range_of(const Blocks& blocks, device::Kind kind);
/// The same where threads of a GPU share elements (kernels/element/thread_group.hpp).
device::Range shared_range_of(const Blocks& blocks, device::Kind kind, int variables);

/// Groups for each of which monitor.hpp writes a number: on Cuda thread blocks, which work on 128 elements, or on 64
/// with tiles.
std::int64_t monitor_groups(const Blocks& elements, int tile, device::Kind kind);

/// Values [item][n] by padded lanes: those of the last item are repeated.
std::vector<std::int32_t> padded(const Blocks& blocks, const std::vector<std::int32_t>& values, std::int64_t n);

/// Bytes of one number.
int bytes_of(device::Precision precision);

/// The address of an array on its device; null where there is no array.
void* address(const std::unique_ptr<device::Memory>& memory);

// Arrays say what they are for (Device::allocate). What goes into large ones is given by a function, which is not
// called for a device that only counts.

/// Device memory, never empty, all bytes 0.
std::unique_ptr<device::Memory> allocate_cleared(device::Device& device, const std::string& purpose, std::size_t bytes);

/// A device array of the values as they are, never empty.
template <class T>
std::unique_ptr<device::Memory> upload(device::Device& device, const std::string& purpose,
                                       const std::vector<T>& values) {
  auto memory = device.allocate(std::max<std::size_t>(1, values.size() * sizeof(T)), purpose);
  if (!values.empty()) device.write(*memory, values.data(), values.size() * sizeof(T));
  return memory;
}

/// A device array of numbers of the precision.
std::unique_ptr<device::Memory> upload_numbers(device::Device& device, const std::string& purpose,
                                               device::Precision precision, const std::vector<double>& values);

/// Writes values [item][k][t] into an existing device array [block][k][lane][t], which begins `offset` bytes behind
/// `to`; t counts numbers that lie `together`.
void write_blocked(device::Device& device, device::Precision precision, const Blocks& blocks,
                   const std::vector<double>& values, std::int64_t n, device::Memory& to, int together = 1,
                   std::size_t offset = 0);

/// Values [item][k][t] of a device array [block][k][lane][t], which begins `offset` bytes behind `from`.
std::vector<double> read_blocked(device::Device& device, device::Precision precision, const Blocks& blocks,
                                 device::Memory& from, std::int64_t n, int together = 1, std::size_t offset = 0);

/// All numbers in double precision of an array; none where it is null.
std::vector<double> read_numbers(device::Device& device, device::Memory* memory);

/// Writes values [padded lane][k] (already padded) into an existing device array [block][k][lane] of 32-bit integers.
void write_integers(device::Device& device, const Blocks& blocks, const std::vector<std::int32_t>& values,
                    std::int64_t n, device::Memory& to);

/// Device array [block][k][lane] from make() = values [item][k], n values for each item.
template <class Make>
std::unique_ptr<device::Memory> upload_blocked(device::Device& device, const std::string& purpose,
                                               device::Precision precision, const Blocks& blocks, std::int64_t n,
                                               const Make& make) {
  auto memory = device.allocate(static_cast<std::size_t>(blocks.padded() * n * bytes_of(precision)), purpose);
  if (device.stores()) write_blocked(device, precision, blocks, make(), n, *memory);
  return memory;
}

/// Device array [block][k][lane] of 32-bit integers, never empty, from make() = values [padded lane][k].
template <class Make>
std::unique_ptr<device::Memory> upload_integers(device::Device& device, const std::string& purpose,
                                                const Blocks& blocks, std::int64_t n, const Make& make) {
  const auto bytes = static_cast<std::size_t>(blocks.padded() * n) * sizeof(std::int32_t);
  auto memory = device.allocate(std::max<std::size_t>(1, bytes), purpose);
  if (device.stores()) write_integers(device, blocks, make(), n, *memory);
  return memory;
}

}  // namespace galerna::dg
