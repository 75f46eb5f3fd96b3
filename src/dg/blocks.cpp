#include "dg/blocks.hpp"

#include <memory>

#include "base/parallel.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {
namespace {

/// Blocks that a thread takes at a time: some ten thousand numbers.
std::int64_t blocks_in_piece(const Blocks& blocks, std::int64_t numbers) {
  return std::max<std::int64_t>(1, 32768 / (blocks.lanes * std::max<std::int64_t>(1, numbers)));
}

/// Calls visit(index of the number in [block][k][lane][t], padded lane, index in [k][t]) for all numbers, from any
/// thread.
template <class Visit>
void for_each_number(const Blocks& blocks, std::int64_t n, int together, const Visit& visit) {
  const std::int64_t numbers = n * together;
  in_parallel(blocks.count, blocks_in_piece(blocks, numbers), [&](std::int64_t begin, std::int64_t end) {
    auto at = static_cast<std::size_t>(begin * blocks.lanes * numbers);
    for (std::int64_t block = begin; block < end; ++block)
      for (std::int64_t k = 0; k < n; ++k)
        for (int lane = 0; lane < blocks.lanes; ++lane)
          for (int t = 0; t < together; ++t) visit(at++, block * blocks.lanes + lane, k * together + t);
  });
}

template <class T>
void write(device::Device& device, const Blocks& blocks, const std::vector<double>& values, std::int64_t n,
           device::Memory& to, int together, std::size_t offset) {
  const auto numbers = static_cast<std::size_t>(blocks.padded() * n * together);
  const auto packed = std::make_unique_for_overwrite<T[]>(numbers);
  for_each_number(blocks, n, together, [&](std::size_t at, std::int64_t lane, std::int64_t k) {
    packed[at] = static_cast<T>(values[static_cast<std::size_t>(blocks.item(lane) * n * together + k)]);
  });
  device.write(to, packed.get(), numbers * sizeof(T), offset);
}

template <class T>
std::vector<double> read(device::Device& device, const Blocks& blocks, device::Memory& from, std::int64_t n,
                         int together, std::size_t offset) {
  const auto numbers = static_cast<std::size_t>(blocks.padded() * n * together);
  const auto packed = std::make_unique_for_overwrite<T[]>(numbers);
  device.read(packed.get(), from, numbers * sizeof(T), offset);
  std::vector<double> values(static_cast<std::size_t>(blocks.items * n * together));
  for_each_number(blocks, n, together, [&](std::size_t at, std::int64_t lane, std::int64_t k) {
    if (lane < blocks.items)
      values[static_cast<std::size_t>(lane * n * together + k)] = static_cast<double>(packed[at]);
  });
  return values;
}

}  // namespace

Blocks make_blocks(std::int64_t items, device::Kind kind, int lanes) {
  Blocks blocks;
  blocks.items = items;
  blocks.lanes = lanes;
  blocks.count = (items + lanes - 1) / lanes;
  constexpr int blocks_in_thread_block = 128 / 32;
  if (kind == device::Kind::cuda)
    blocks.count = (blocks.count + blocks_in_thread_block - 1) / blocks_in_thread_block * blocks_in_thread_block;
  return blocks;
}

Blocks make_blocks(std::int64_t items, const device::Device& device, device::Precision precision) {
  return make_blocks(items, device.kind(), device.lanes(precision));
}

device::Range range_of(const Blocks& blocks, device::Kind kind) {
  if (kind == device::Kind::cuda) return {blocks.padded(), 128};
  return {blocks.count, 1};
}

device::Range shared_range_of(const Blocks& blocks, device::Kind kind, int variables) {
  if (kind != device::Kind::cuda) return range_of(blocks, kind);
  return {blocks.padded() * kernels::threads_per_element(variables), kernels::group_block};
}

std::int64_t monitor_groups(const Blocks& elements, int tile, device::Kind kind) {
  if (kind == device::Kind::host) return elements.count;
  return elements.padded() / (tile > 0 ? 64 : 128);
}

std::vector<std::int32_t> padded(const Blocks& blocks, const std::vector<std::int32_t>& values, std::int64_t n) {
  std::vector<std::int32_t> result = values;
  result.reserve(static_cast<std::size_t>(blocks.padded() * n));
  for (std::int64_t lane = blocks.items; lane < blocks.padded(); ++lane)
    for (std::int64_t k = 0; k < n; ++k) result.push_back(values[static_cast<std::size_t>(blocks.item(lane) * n + k)]);
  return result;
}

int bytes_of(device::Precision precision) {
  return precision == device::Precision::single_precision ? 4 : 8;
}

void* address(const std::unique_ptr<device::Memory>& memory) {
  return memory ? memory->address() : nullptr;
}

std::unique_ptr<device::Memory> allocate_cleared(device::Device& device, const std::string& purpose,
                                                 std::size_t bytes) {
  auto memory = device.allocate(std::max<std::size_t>(bytes, 8), purpose);
  device.clear(*memory);
  return memory;
}

std::unique_ptr<device::Memory> upload_numbers(device::Device& device, const std::string& purpose,
                                               device::Precision precision, const std::vector<double>& values) {
  if (precision == device::Precision::double_precision) return upload(device, purpose, values);
  return upload(device, purpose, std::vector<float>(values.begin(), values.end()));
}

void write_blocked(device::Device& device, device::Precision precision, const Blocks& blocks,
                   const std::vector<double>& values, std::int64_t n, device::Memory& to, int together,
                   std::size_t offset) {
  if (precision == device::Precision::double_precision)
    write<double>(device, blocks, values, n, to, together, offset);
  else
    write<float>(device, blocks, values, n, to, together, offset);
}

std::vector<double> read_blocked(device::Device& device, device::Precision precision, const Blocks& blocks,
                                 device::Memory& from, std::int64_t n, int together, std::size_t offset) {
  return precision == device::Precision::double_precision ? read<double>(device, blocks, from, n, together, offset)
                                                          : read<float>(device, blocks, from, n, together, offset);
}

void write_integers(device::Device& device, const Blocks& blocks, const std::vector<std::int32_t>& values,
                    std::int64_t n, device::Memory& to) {
  std::vector<std::int32_t> packed(static_cast<std::size_t>(blocks.padded() * n));
  for_each_number(blocks, n, 1, [&](std::size_t at, std::int64_t lane, std::int64_t k) {
    packed[at] = values[static_cast<std::size_t>(lane * n + k)];
  });
  device.write(to, packed.data(), packed.size() * sizeof(std::int32_t));
}

std::vector<double> read_numbers(device::Device& device, device::Memory* memory) {
  std::vector<double> values(memory ? memory->bytes() / sizeof(double) : 0);
  if (memory) device.read(values.data(), *memory, memory->bytes());
  return values;
}

}  // namespace galerna::dg
