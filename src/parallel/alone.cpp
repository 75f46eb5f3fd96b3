#include "parallel/alone.hpp"

#include <algorithm>

namespace galerna::parallel {

void Alone::do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  std::copy(mine.begin(), mine.end(), all.begin());
}

std::vector<Bytes> Alone::do_gather(std::span<const std::byte> mine) {
  return {Bytes(mine.begin(), mine.end())};
}

}  // namespace galerna::parallel
