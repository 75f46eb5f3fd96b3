#include "steady/jacobian.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/interruption.hpp"
#include "device/address.hpp"

namespace galerna::steady {
namespace {

constexpr const char* purpose = "blocks of the Jacobian";

/// Of a coefficient, relative to the scale of its variable.
constexpr double column_step = 1e-7;

algebra::BlockPattern pattern_of(const std::vector<int>& sizes, const Couplings& wanted) {
  algebra::BlockPattern pattern;
  pattern.sizes = sizes;
  pattern.rows.push_back(0);
  for (std::size_t e = 0; e < sizes.size(); ++e) {
    std::vector<std::int32_t> columns{static_cast<std::int32_t>(e)};
    if (!wanted.empty()) columns.insert(columns.end(), wanted[e].begin(), wanted[e].end());
    std::sort(columns.begin(), columns.end());
    pattern.columns.insert(pattern.columns.end(), columns.begin(), columns.end());
    pattern.rows.push_back(static_cast<std::int64_t>(pattern.columns.size()));
  }
  algebra::set_offsets(pattern);
  return pattern;
}

}  // namespace

Couplings neighbours(const mesh::Mesh& mesh) {
  Couplings result(at(mesh.element_count()));
  for (const mesh::Face& face : mesh.faces) {
    const mesh::Index left = face.left.element, right = face.right.element;
    if (right < 0 || left == right) continue;
    result[at(left)].push_back(static_cast<std::int32_t>(right));
    result[at(right)].push_back(static_cast<std::int32_t>(left));
  }
  for (std::vector<std::int32_t>& others : result) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
  return result;
}

std::vector<std::int32_t> colours(const Couplings& neighbours, bool apart) {
  std::vector<std::int32_t> result(neighbours.size(), -1);
  std::vector<std::size_t> taken;  // [colour] the last element that must not have it, + 1
  for (std::size_t e = 0; e < neighbours.size(); ++e) {
    const auto take = [&](std::int32_t other) {
      const std::int32_t colour = result[at(other)];
      if (colour < 0) return;
      if (taken.size() <= at(colour)) taken.resize(at(colour) + 1, 0);
      taken[at(colour)] = e + 1;
    };
    for (const std::int32_t other : neighbours[e]) {
      take(other);
      if (!apart) continue;
      for (const std::int32_t further : neighbours[at(other)]) take(further);
    }
    std::int32_t colour = 0;
    while (at(colour) < taken.size() && taken[at(colour)] == e + 1) ++colour;
    result[e] = colour;
  }
  return result;
}

Jacobian::Jacobian(device::Device& device, StateVectors& vectors, const mesh::Mesh& mesh, const Couplings& wanted)
    : vectors_(vectors),
      pattern_(pattern_of(vectors.sizes(), wanted)),
      device_pattern_(device, pattern_),
      values_(device.allocate(at(pattern_.value_count()) * sizeof(float), purpose)) {
  const std::vector<int>& sizes = vectors.sizes();
  const Couplings beside = neighbours(mesh);
  const std::vector<std::int32_t> colour = colours(beside, !wanted.empty());
  colour_count_ = *std::max_element(colour.begin(), colour.end()) + 1;
  columns_ = *std::max_element(sizes.begin(), sizes.end());
  device.clear(*values_);
  colours_ = algebra::upload<std::int32_t>(device, colour, purpose);
  std::vector<std::vector<std::int64_t>> targets(at(colour_count_), std::vector<std::int64_t>(sizes.size(), -1));
  std::vector<std::vector<std::int32_t>> widths(at(colour_count_), std::vector<std::int32_t>(sizes.size(), 0));
  for (std::size_t e = 0; e < sizes.size(); ++e)
    for (std::int64_t k = pattern_.rows[e]; k < pattern_.rows[e + 1]; ++k) {
      const std::int32_t other = pattern_.columns[at(k)];
      targets[at(colour[at(other)])][e] = pattern_.offsets[at(k)];
      widths[at(colour[at(other)])][e] = sizes[at(other)];
    }
  for (int c = 0; c < colour_count_; ++c) {
    targets_.push_back(algebra::upload<std::int64_t>(device, targets[at(c)], purpose));
    widths_.push_back(algebra::upload<std::int32_t>(device, widths[at(c)], purpose));
  }
}

void Jacobian::compute(device::Memory& state, device::Memory& base, device::Memory& work, device::Memory& rate,
                       const std::function<void()>& evaluate) {
  for (int c = 0; c < colour_count_; ++c)
    for (int column = 0; column < columns_; ++column) {
      stop_if_interrupted("the Jacobian's blocks");
      vectors_.change_column(state, {device::address<std::int32_t>(colours_), c, column}, column_step, work);
      evaluate();
      vectors_.collect_column(rate, base, column_step, column, device::address<std::int64_t>(targets_[at(c)]),
                              device::address<std::int32_t>(widths_[at(c)]), device::address<float>(values_));
    }
}

}  // namespace galerna::steady
