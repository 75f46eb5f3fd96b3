#include "mesh/hash.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace galerna::mesh {
namespace {

/// FNV-1a (Fowler, Noll, Vo) on 64-bit words, with a shift that brings high bits down.
class Hasher {
 public:
  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3;
    value_ ^= value_ >> 29;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace

std::uint64_t hash(const Mesh& mesh) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(mesh.dimension));
  hasher.add(mesh.nodes.size());
  for (const Point& x : mesh.nodes)
    for (const double coordinate : x) hasher.add(std::bit_cast<std::uint64_t>(coordinate == 0 ? 0.0 : coordinate));
  for (const ElementBlock& block : mesh.blocks) {
    hasher.add(static_cast<std::uint64_t>(block.shape));
    hasher.add(static_cast<std::uint64_t>(block.order));
    std::vector<std::size_t> file_order(static_cast<std::size_t>(block.size()));
    std::iota(file_order.begin(), file_order.end(), std::size_t{0});
    std::sort(file_order.begin(), file_order.end(),
              [&](std::size_t a, std::size_t b) { return block.source[a] < block.source[b]; });
    const auto n = static_cast<std::size_t>(block.nodes_per_element());
    std::vector<Index> nodes(n);
    const bool sorted = is_simplex(block.shape);  // prepare() sorts them by their place
    for (const std::size_t e : file_order) {
      std::copy_n(block.nodes.begin() + static_cast<std::ptrdiff_t>(e * n), n, nodes.begin());
      if (sorted) std::sort(nodes.begin(), nodes.end());
      for (const Index node : nodes) hasher.add(static_cast<std::uint64_t>(node));
    }
  }
  return hasher.value();
}

}  // namespace galerna::mesh
