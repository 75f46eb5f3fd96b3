#include "mesh/cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/parallel.hpp"
#include "base/parallel_sort.hpp"
#include "mesh/geometry.hpp"
#include "mesh/hilbert.hpp"
#include "mesh/metis.hpp"
#include "mesh/random.hpp"

namespace galerna::mesh {
namespace {

struct Entry {
  std::uint64_t key;
  Index element;
  auto operator<=>(const Entry&) const = default;
};

/// Elements of all blocks along one curve.
std::vector<Entry> hilbert_order(const Mesh& mesh) {
  const Box box = bounding_box(mesh);
  std::vector<Entry> order(at(mesh.element_count()));
  in_parallel(mesh.element_count(), 4096, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) order[at(e)] = {hilbert_key(centroid(mesh, e), box, mesh.dimension), e};
  });
  sort_in_parallel(order, std::less());
  return order;
}

std::vector<Entry> random_order(const Mesh& mesh) {
  Random random;
  std::vector<Entry> order;
  for (Index e = 0; e < mesh.element_count(); ++e) order.push_back({random.next(), e});
  sort_in_parallel(order, std::less());
  return order;
}

/// [block] checked, or ones.
std::vector<double> checked_weights(const Mesh& mesh, const std::vector<double>& weights) {
  if (weights.empty()) return std::vector<double>(mesh.blocks.size(), 1);
  if (weights.size() != mesh.blocks.size()) throw std::invalid_argument("cut: not one weight for each block");
  for (const double weight : weights)
    if (!(weight > 0) || !std::isfinite(weight)) throw std::invalid_argument("cut: a weight is not positive");
  return weights;
}

/// [element]
std::vector<double> element_weights(const Mesh& mesh, const std::vector<double>& weights) {
  std::vector<double> result;
  result.reserve(at(mesh.element_count()));
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    result.insert(result.end(), at(mesh.blocks[b].size()), weights[b]);
  return result;
}

/// Pieces of equal weight, none of them empty.
std::vector<int> cut_along(const std::vector<Entry>& order, int parts, const std::vector<double>& weights) {
  double total = 0, before = 0;
  for (const Entry& entry : order) total += weights[at(entry.element)];
  std::vector<int> ranks(order.size());
  const auto count = static_cast<Index>(order.size());
  Index rank = -1;
  for (Index i = 0; i < count; ++i) {
    const double weight = weights[at(order[at(i)].element)];
    const auto wanted = static_cast<Index>((before + weight / 2) / total * parts);
    // No rank is left out, neither the next one nor, by the last elements, the last ones.
    rank = std::min({std::max({wanted, rank, parts - count + i}), rank + 1, Index{parts} - 1});
    ranks[at(order[at(i)].element)] = static_cast<int>(rank);
    before += weight;
  }
  return ranks;
}

/// Sides between ranks, of the rank that has most of them.
Index most_cut_sides(const Mesh& mesh, const std::vector<int>& ranks, int parts) {
  std::vector<Index> count(at(parts), 0);
  for (std::size_t f = at(mesh.boundary_faces); f < mesh.faces.size(); ++f) {
    const int left = ranks[at(mesh.faces[f].left.element)], right = ranks[at(mesh.faces[f].right.element)];
    if (left != right) ++count[at(left)], ++count[at(right)];
  }
  return *std::max_element(count.begin(), count.end());
}

/// Whether each rank has elements of each block.
bool all_have_all(const Mesh& mesh, const std::vector<int>& owners, int ranks) {
  auto next = owners.begin();
  for (const ElementBlock& block : mesh.blocks) {
    std::vector<char> has(static_cast<std::size_t>(ranks), 0);
    for (Index e = 0; e < block.size(); ++e) has[static_cast<std::size_t>(*next++)] = 1;
    if (std::count(has.begin(), has.end(), 1) < ranks) return false;
  }
  return true;
}

/// Each block along its Hilbert curve, in the order of which its elements are.
std::vector<int> cut_each_block(const Mesh& mesh, int ranks) {
  std::vector<int> owners;
  for (const ElementBlock& block : mesh.blocks) {
    if (block.size() < ranks)
      throw InputError({}, fmt::format("{} ranks for {} {}: each rank needs elements of each shape and order", ranks,
                                       block.size(), plural_name(block.shape)));
    for (Index e = 0; e < block.size(); ++e) owners.push_back(static_cast<int>(e * ranks / block.size()));
  }
  return owners;
}

}  // namespace

std::vector<int> cut(const Mesh& mesh, int parts, CutMethod method, const std::vector<double>& weights) {
  if (parts < 1) throw std::invalid_argument("cut: a mesh has one part at least");
  if (parts > mesh.element_count())
    throw std::invalid_argument(fmt::format("cut: {} parts are more than {} elements", parts, mesh.element_count()));
  if (method == CutMethod::metis && !has_metis())
    throw InputError({},
                     "this galerna was built without METIS: install libmetis-dev and build it again, or cut meshes "
                     "along the Hilbert curve");
  const std::vector<double> of_blocks = checked_weights(mesh, weights);
  std::optional<std::vector<int>> by_metis;
  if (method == CutMethod::metis || method == CutMethod::automatic) by_metis = cut_by_metis(mesh, parts, of_blocks);
  if (by_metis && method == CutMethod::metis) return *std::move(by_metis);
  const auto order = method == CutMethod::random ? random_order(mesh) : hilbert_order(mesh);
  std::vector<int> ranks = cut_along(order, parts, element_weights(mesh, of_blocks));
  if (by_metis && most_cut_sides(mesh, *by_metis, parts) < most_cut_sides(mesh, ranks, parts))
    return *std::move(by_metis);
  return ranks;
}

double imbalance(const Mesh& mesh, const std::vector<int>& ranks, const std::vector<double>& weights) {
  const std::vector<double> of_elements = element_weights(mesh, checked_weights(mesh, weights));
  std::vector<double> sums(at(*std::max_element(ranks.begin(), ranks.end())) + 1, 0);
  double total = 0;
  for (std::size_t e = 0; e < ranks.size(); ++e) {
    sums[at(ranks[e])] += of_elements[e];
    total += of_elements[e];
  }
  return *std::max_element(sums.begin(), sums.end()) * static_cast<double>(sums.size()) / total - 1;
}

std::vector<int> cut_all_blocks(const Mesh& mesh, int parts) {
  if (mesh.element_count() >= parts)
    if (std::vector<int> owners = cut(mesh, parts); all_have_all(mesh, owners, parts)) return owners;
  return cut_each_block(mesh, parts);
}

}  // namespace galerna::mesh
