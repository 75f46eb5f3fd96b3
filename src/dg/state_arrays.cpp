#include "dg/state_arrays.hpp"

#include <algorithm>

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
  const std::size_t offset =
      set.state_offset + static_cast<std::size_t>(first * part.lanes * values(set) * bytes_of(precision_));
  const int modes = set.operators.modes;
  if (device_.kind() == device::Kind::host)
    return read_blocked(device_, precision_, part, state, values(set), 1, offset);
  return transposed(read_blocked(device_, precision_, part, state, modes, variables_, offset), modes, variables_);
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
