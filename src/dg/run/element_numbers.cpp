#include "dg/run/element_numbers.hpp"

namespace galerna::dg {
namespace {

template <class Real>
std::vector<double> read_as(device::Device& device, device::Memory& memory) {
  std::vector<Real> values(memory.bytes() / sizeof(Real));
  device.read(values.data(), memory, memory.bytes());
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<double> read_reals(device::Device& device, device::Memory& memory, device::Precision precision) {
  return precision == device::Precision::double_precision ? read_as<double>(device, memory)
                                                          : read_as<float>(device, memory);
}

void append_numbers(std::vector<double>& to, const std::vector<double>& from, std::int64_t first, const Blocks& blocks,
                    int numbers, int k) {
  for (std::int64_t e = 0; e < blocks.items; ++e)
    to.push_back(
        from[static_cast<std::size_t>(first + (e / blocks.lanes * numbers + k) * blocks.lanes + e % blocks.lanes)]);
}

}  // namespace galerna::dg
