#include "dg/blocks.hpp"

namespace galerna::dg {
namespace {

/// [item][k] -> [block][k][lane]
template <class T, class Source>
std::vector<T> blocked(const Blocks& blocks, std::int64_t n, const Source& source) {
  std::vector<T> result(static_cast<std::size_t>(blocks.padded() * n));
  for (std::int64_t block = 0; block < blocks.count; ++block)
    for (std::int64_t k = 0; k < n; ++k)
      for (int lane = 0; lane < blocks.lanes; ++lane)
        result[static_cast<std::size_t>((block * n + k) * blocks.lanes + lane)] =
            static_cast<T>(source(block * blocks.lanes + lane, k));
  return result;
}

template <class T>
std::unique_ptr<device::Memory> upload(device::Device& device, const std::vector<T>& values) {
  auto memory = device.allocate(std::max<std::size_t>(1, values.size() * sizeof(T)));
  if (!values.empty()) device.write(*memory, values.data(), values.size() * sizeof(T));
  return memory;
}

template <class T>
void write(device::Device& device, const Blocks& blocks, const std::vector<double>& values, std::int64_t n,
           device::Memory& to) {
  const auto packed = blocked<T>(blocks, n, [&](std::int64_t lane, std::int64_t k) {
    return values[static_cast<std::size_t>(blocks.item(lane) * n + k)];
  });
  device.write(to, packed.data(), packed.size() * sizeof(T));
}

template <class T>
std::vector<double> read(device::Device& device, const Blocks& blocks, device::Memory& from, std::int64_t n) {
  std::vector<T> packed(static_cast<std::size_t>(blocks.padded() * n));
  device.read(packed.data(), from, packed.size() * sizeof(T));
  std::vector<double> values(static_cast<std::size_t>(blocks.items * n));
  for (std::int64_t item = 0; item < blocks.items; ++item)
    for (std::int64_t k = 0; k < n; ++k)
      values[static_cast<std::size_t>(item * n + k)] = static_cast<double>(
          packed[static_cast<std::size_t>((item / blocks.lanes * n + k) * blocks.lanes + item % blocks.lanes)]);
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

int bytes_of(device::Precision precision) {
  return precision == device::Precision::single_precision ? 4 : 8;
}

std::unique_ptr<device::Memory> upload_numbers(device::Device& device, device::Precision precision,
                                               const std::vector<double>& values) {
  if (precision == device::Precision::double_precision) return upload(device, values);
  return upload(device, std::vector<float>(values.begin(), values.end()));
}

void write_blocked(device::Device& device, device::Precision precision, const Blocks& blocks,
                   const std::vector<double>& values, std::int64_t n, device::Memory& to) {
  if (precision == device::Precision::double_precision)
    write<double>(device, blocks, values, n, to);
  else
    write<float>(device, blocks, values, n, to);
}

std::unique_ptr<device::Memory> upload_blocked(device::Device& device, device::Precision precision,
                                               const Blocks& blocks, const std::vector<double>& values,
                                               std::int64_t n) {
  auto memory = device.allocate(static_cast<std::size_t>(blocks.padded() * n * bytes_of(precision)));
  write_blocked(device, precision, blocks, values, n, *memory);
  return memory;
}

std::vector<double> read_blocked(device::Device& device, device::Precision precision, const Blocks& blocks,
                                 device::Memory& from, std::int64_t n) {
  return precision == device::Precision::double_precision ? read<double>(device, blocks, from, n)
                                                          : read<float>(device, blocks, from, n);
}

std::unique_ptr<device::Memory> upload_integers(device::Device& device, const Blocks& blocks,
                                                const std::vector<std::int32_t>& values, std::int64_t n) {
  return upload(device, blocked<std::int32_t>(blocks, n, [&](std::int64_t lane, std::int64_t k) {
                  return values[static_cast<std::size_t>(lane * n + k)];
                }));
}

}  // namespace galerna::dg
