#include "dg/run/state_arrays.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace galerna::dg {
namespace {

/// [element][rows][columns] -> [element][columns][rows]
std::vector<double> transposed(const std::vector<double>& values, int rows, int columns) {
  std::vector<double> result;
  result.reserve(values.size());
  for (std::size_t element = 0; element < values.size(); element += static_cast<std::size_t>(rows * columns))
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row)
        result.push_back(values[element + static_cast<std::size_t>(row * columns + column)]);
  return result;
}

/// Values [item][t][k] of numbers [block][k][lane][t], k < n, t < together.
template <class T>
std::vector<double> unpacked(const Blocks& blocks, const T* packed, std::int64_t n, std::int64_t together) {
  std::vector<double> values(static_cast<std::size_t>(blocks.items * n * together));
  constexpr std::int64_t blocks_at_once = 64;
  in_parallel(blocks.count, blocks_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t lane = begin * blocks.lanes; lane < std::min(end * blocks.lanes, blocks.items); ++lane) {
      const T* from = packed + (lane / blocks.lanes * n * blocks.lanes + lane % blocks.lanes) * together;
      double* to = values.data() + lane * n * together;
      for (std::int64_t t = 0; t < together; ++t)
        for (std::int64_t k = 0; k < n; ++k) *to++ = static_cast<double>(from[k * blocks.lanes * together + t]);
    }
  });
  return values;
}

}  // namespace

std::int64_t StateArrays::degrees_of_freedom() const {
  std::int64_t sum = 0;
  for (const ElementSet& set : sets_) sum += set.blocks.items * values(set);
  return sum;
}

std::size_t StateArrays::bytes() const {
  const ElementSet& last = sets_.back();
  return last.state_offset + static_cast<std::size_t>(last.blocks.padded() * values(last) * bytes_of(precision_));
}

std::unique_ptr<device::Memory> StateArrays::allocate(const std::string& purpose) const {
  return allocate_cleared(device_, purpose, bytes());
}

void StateArrays::write(device::Memory& state, const std::vector<double>& coefficients) const {
  auto begin = coefficients.begin();
  for (const ElementSet& set : sets_) {
    const auto end = begin + set.blocks.items * values(set);
    const std::vector<double> part(begin, end);
    begin = end;
    const int modes = set.operators.modes;
    if (device_.kind() == device::Kind::host)
      write_blocked(device_, precision_, set.blocks, part, values(set), state, 1, set.state_offset);
    else
      write_blocked(device_, precision_, set.blocks, transposed(part, variables_, modes), modes, state, variables_,
                    set.state_offset);
  }
}

/// Of blocks from number `first` on.
std::vector<double> StateArrays::read(device::Memory& state, const ElementSet& set, const Blocks& part,
                                      std::int64_t first) const {
  const std::int64_t bytes_of_lane = values(set) * bytes_of(precision_);
  const auto bytes = static_cast<std::size_t>(part.padded() * bytes_of_lane);
  const auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
  device_.read(packed.get(), state, bytes,
               set.state_offset + static_cast<std::size_t>(first * part.lanes * bytes_of_lane));
  return unpack(packed.get(), set, part);
}

std::vector<double> StateArrays::unpack(const std::byte* packed, const ElementSet& set, const Blocks& part) const {
  const bool host = device_.kind() == device::Kind::host;
  const std::int64_t n = host ? values(set) : set.operators.modes, together = host ? 1 : variables_;
  if (precision_ == device::Precision::double_precision)
    return unpacked(part, reinterpret_cast<const double*>(packed), n, together);
  return unpacked(part, reinterpret_cast<const float*>(packed), n, together);
}

void StateArrays::copy(device::Memory& state, std::byte* to) const {
  device_.read(to, state, bytes());
}

std::vector<double> StateArrays::unpack(const std::byte* copy, const ElementSet& set) const {
  return unpack(copy + set.state_offset, set, set.blocks);
}

std::vector<double> StateArrays::read(device::Memory& state, const ElementSet& set) const {
  return read(state, set, set.blocks, 0);
}

std::vector<double> StateArrays::read(device::Memory& state, const ElementSet& set,
                                      const std::vector<mesh::Index>& positions) const {
  const Blocks one{set.blocks.lanes, 1, set.blocks.lanes};
  std::vector<double> result, block;
  std::int64_t present = -1;
  for (const mesh::Index position : positions) {
    if (position / one.lanes != present) {
      present = position / one.lanes;
      block = read(state, set, one, present);
    }
    const auto begin = block.begin() + position % one.lanes * values(set);
    result.insert(result.end(), begin, begin + values(set));
  }
  return result;
}

std::vector<double> StateArrays::read(device::Memory& state) const {
  std::vector<double> coefficients;
  for (const ElementSet& set : sets_) {
    const std::vector<double> part = read(state, set);
    coefficients.insert(coefficients.end(), part.begin(), part.end());
  }
  return coefficients;
}

}  // namespace galerna::dg
