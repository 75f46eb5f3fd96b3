/// \file
/// Sorting by all threads of the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace galerna {

/// The part [begin, end) of what two sorted halves of `width` items, the second maybe shorter, become together.
/// \param begin, end within the first pair of halves
template <class T, class Less>
void merge_part(const T* from, std::int64_t size, std::int64_t width, std::int64_t begin, std::int64_t end, T* to,
                const Less& less) {
  const std::int64_t halves[] = {std::min(width, size), std::min(2 * width, size)};
  // How many of the first `begin` items come of the first half.
  std::int64_t low = std::max<std::int64_t>(0, begin - (halves[1] - halves[0])), high = std::min(begin, halves[0]);
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (less(from[halves[0] + begin - middle - 1], from[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  std::int64_t first = low, second = halves[0] + begin - low;
  for (std::int64_t k = begin; k < end; ++k) {
    const bool of_second = first == halves[0] || (second < halves[1] && less(from[second], from[first]));
    to[k] = from[of_second ? second++ : first++];
  }
}

/// Sorts by an order in which no two of the items are equal.
template <class T, class Less>
void sort_in_parallel(std::vector<T>& items, const Less& less) {
  constexpr std::int64_t piece = 1 << 15;
  const auto count = static_cast<std::int64_t>(items.size());
  in_parallel(count, piece, [&](std::int64_t begin, std::int64_t end) {
    std::sort(items.begin() + begin, items.begin() + end, less);
  });
  if (count <= piece) return;
  std::vector<T> merged(items.size());
  for (std::int64_t width = piece; width < count; width *= 2) {
    in_parallel(count, piece, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t pair = begin / (2 * width) * 2 * width;
      merge_part(items.data() + pair, count - pair, width, begin - pair, end - pair, merged.data() + pair, less);
    });
    items.swap(merged);
  }
}

}  // namespace galerna
