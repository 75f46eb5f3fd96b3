#include "mesh/shared_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "mesh/lattice_values.hpp"

namespace galerna::mesh {

std::vector<CornerWeights> corner_weights(Shape shape, const std::vector<LatticePoint>& points, int steps) {
  const Table linear = lattice_values(shape, 1, points, steps);
  std::vector<CornerWeights> result;
  for (std::size_t p = 0; p < points.size(); ++p) {
    CornerWeights weights;
    int divisor = 0;
    for (const auto& [corner, value] : entries_of(linear, p)) {
      weights.emplace_back(corner, static_cast<int>(std::lround(value * steps * steps)));
      divisor = std::gcd(divisor, weights.back().second);
    }
    for (auto& [corner, weight] : weights) weight /= divisor;
    result.push_back(std::move(weights));
  }
  return result;
}

std::size_t NodePlaceHash::operator()(const NodePlace& place) const {
  std::uint64_t hash = SideKeyHash()(place.corners);
  for (const int weight : place.weights) hash = (hash ^ static_cast<std::uint64_t>(weight)) * 0xff51afd7ed558ccd;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

NodePlace node_place(const CornerWeights& weights, std::span<const Index> corners) {
  std::array<std::pair<Index, int>, 4> pairs;
  pairs.fill({-1, 0});
  for (std::size_t i = 0; i < weights.size(); ++i)
    pairs[i] = {corners[static_cast<std::size_t>(weights[i].first)], weights[i].second};
  std::sort(pairs.begin(), pairs.end());
  NodePlace place;
  for (std::size_t i = 0; i < 4; ++i) std::tie(place.corners[i], place.weights[i]) = pairs[i];
  return place;
}

}  // namespace galerna::mesh
