#include "mesh/hilbert.hpp"

#include <algorithm>
#include <array>

namespace galerna::mesh {
namespace {

/// Turns coordinates into the transposed Hilbert index, in place: J. Skilling, "Programming the Hilbert curve", AIP
/// Conference Proceedings 707 (2004), 381–387.
void to_transposed_index(std::array<std::uint32_t, 3>& x, int dimension, int bits) {
  const auto n = static_cast<std::size_t>(dimension);
  const std::uint32_t highest = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::size_t i = 0; i < n; ++i) {
      // Without branches, which nobody could foresee: where x[i] has the bit, x[0] is inverted, else the two change
      // places.
      const std::uint32_t inverted = x[i] & bit ? below : 0, swapped = (x[0] ^ x[i]) & below & ~inverted;
      x[0] ^= swapped | inverted;
      x[i] ^= swapped;
    }
  }
  for (std::size_t i = 1; i < n; ++i) x[i] ^= x[i - 1];
  std::uint32_t gray = 0;
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1)
    if (x[n - 1] & bit) gray ^= bit - 1;
  for (std::size_t i = 0; i < n; ++i) x[i] ^= gray;
}

}  // namespace

std::uint64_t hilbert_key(const Point& point, const Box& box, int dimension) {
  const int bits = dimension == 3 ? 21 : 31;
  double size = 0;
  for (std::size_t k = 0; k < 3; ++k) size = std::max(size, box.upper[k] - box.lower[k]);
  const double cells = static_cast<double>((std::uint64_t{1} << bits) - 1);
  std::array<std::uint32_t, 3> x{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
    const double position = size > 0 ? (point[k] - box.lower[k]) / size : 0;
    x[k] = static_cast<std::uint32_t>(std::clamp(position, 0.0, 1.0) * cells);
  }
  to_transposed_index(x, dimension, bits);
  std::uint64_t key = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) key = key << 1 | (x[k] >> bit & 1);
  return key;
}

}  // namespace galerna::mesh
