#include "dg/run/state_arrays.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace galerna::dg {
namespace {

/// [element][rows][columns] -> [element][columns][rows]
void transpose(double* begin, const double* end, int rows, int columns) {
  std::vector<double> element(static_cast<std::size_t>(rows * columns));
  for (; begin < end; begin += element.size()) {
    std::copy_n(begin, element.size(), element.begin());
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row)
        begin[column * rows + row] = element[static_cast<std::size_t>(row * columns + column)];
  }
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

/// The numbers of one element, from its first one on.
template <class T>
void unpack_one(const T* from, const StateLayout& layout, double* to) {
  const std::int64_t step = layout.lanes * layout.together;
  for (std::int64_t t = 0; t < layout.together; ++t)
    for (std::int64_t k = 0; k < layout.n; ++k) *to++ = static_cast<double>(from[k * step + t]);
}

constexpr std::int64_t bytes_of_piece = std::int64_t{1} << 25;

}  // namespace

std::int64_t StateArrays::degrees_of_freedom() const {
  std::int64_t sum = 0;
  for (const ElementSet& set : sets_) sum += set.blocks.items * values(set);
  return sum;
}

std::size_t StateArrays::bytes() const {
  const ElementSet& last = sets_.back();
  const std::int64_t elements = last.blocks.padded() + last.copies;
  return last.state_offset + static_cast<std::size_t>(elements * values(last) * bytes_of(precision_));
}

std::unique_ptr<device::Memory> StateArrays::allocate(const std::string& purpose) const {
  return allocate_cleared(device_, purpose, bytes());
}

void StateArrays::write(device::Memory& state, const std::vector<double>& coefficients) const {
  std::vector<std::size_t> first = {0};
  for (const ElementSet& set : sets_)
    first.push_back(first.back() + static_cast<std::size_t>(set.blocks.items * values(set)));
  write(state, [&](std::size_t set, mesh::Index begin, mesh::Index end, double* to) {
    const std::int64_t each = values(sets_[set]);
    std::copy_n(coefficients.data() + first[set] + begin * each, (end - begin) * each, to);
  });
}

void StateArrays::write(device::Memory& state, const Fill& fill) const {
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const ElementSet& set = sets_[s];
    const Blocks& all = set.blocks;
    const StateLayout layout = this->layout(set);
    const std::int64_t each = values(set), bytes = all.lanes * each * bytes_of(precision_);
    const std::int64_t blocks_at_once = std::max<std::int64_t>(1, bytes_of_piece / bytes);
    for (std::int64_t block = 0; block < all.count; block += blocks_at_once) {
      const mesh::Index begin = std::min(block * all.lanes, all.items);
      const mesh::Index end = std::min((block + blocks_at_once) * all.lanes, all.items);
      // Lanes past the end repeat the last element, which is with them.
      const mesh::Index first = begin < end ? begin : all.items - 1;
      const Blocks part{std::max(end, first + 1) - first, std::min(blocks_at_once, all.count - block), all.lanes};
      std::vector<double> values_of_part(static_cast<std::size_t>(part.items * each));
      constexpr mesh::Index elements_at_once = 1024;
      in_parallel(part.items, elements_at_once, [&](mesh::Index from, mesh::Index to) {
        double* const values = values_of_part.data() + from * each;
        fill(s, first + from, first + to, values);
        if (layout.together > 1) transpose(values, values + (to - from) * each, variables_, set.operators.modes);
      });
      write_blocked(device_, precision_, part, values_of_part, layout.n, state, static_cast<int>(layout.together),
                    set.state_offset + static_cast<std::size_t>(block * bytes));
    }
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
  const auto [precision, lanes, n, together, offset] = layout(set);
  if (precision_ == device::Precision::double_precision)
    return unpacked(part, reinterpret_cast<const double*>(packed), n, together);
  return unpacked(part, reinterpret_cast<const float*>(packed), n, together);
}

void StateArrays::copy(device::Memory& state, std::byte* to) const {
  device_.read(to, state, bytes());
}

StateLayout StateArrays::layout(const ElementSet& set) const {
  const bool host = device_.kind() == device::Kind::host;
  return {precision_, set.blocks.lanes, host ? values(set) : set.operators.modes, host ? 1 : variables_,
          set.state_offset};
}

void StateLayout::unpack(const std::byte* state, mesh::Index position, double* to) const {
  const std::int64_t first = (position / lanes * n * lanes + position % lanes) * together;
  if (precision == device::Precision::double_precision)
    unpack_one(reinterpret_cast<const double*>(state + offset) + first, *this, to);
  else
    unpack_one(reinterpret_cast<const float*>(state + offset) + first, *this, to);
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
