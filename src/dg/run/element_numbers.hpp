/// \file
/// Numbers of elements that kernels keep next to the state, on the host.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "dg/blocks.hpp"

namespace galerna::dg {

/// [element of the mesh] by name.
using ElementNumbers = std::map<std::string, std::vector<double>>;

/// All numbers of an array in a precision. Waits.
std::vector<double> read_reals(device::Device& device, device::Memory& memory, device::Precision precision);

/// Appends number k of each element of a set. \param from [block][number][lane] from `first` on
void append_numbers(std::vector<double>& to, const std::vector<double>& from, std::int64_t first, const Blocks& blocks,
                    int numbers, int k);

}  // namespace galerna::dg
