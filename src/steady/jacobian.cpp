#include "steady/jacobian.hpp"

#include <algorithm>
#include <queue>
#include <utility>

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
  const std::size_t count = neighbours.size();
  const auto for_others = [&](std::size_t e, const auto& f) {
    for (const std::int32_t other : neighbours[e]) {
      f(at(other));
      if (!apart) continue;
      for (const std::int32_t further : neighbours[at(other)])
        if (at(further) != e) f(at(further));
    }
  };
  std::vector<std::int32_t> result(count, -1);
  std::vector<std::vector<bool>> taken(count);  // [element][colour] by one of the others
  std::vector<std::int64_t> choice(count, 0);   // [element] colours that are taken
  using Entry = std::pair<std::int64_t, std::int64_t>;
  std::priority_queue<Entry> queue;  // colours taken, −element
  for (std::size_t e = 0; e < count; ++e) queue.emplace(0, -static_cast<std::int64_t>(e));
  while (!queue.empty()) {
    const auto [colours_taken, minus_element] = queue.top();
    const std::size_t e = at(-minus_element);
    queue.pop();
    if (result[e] >= 0 || colours_taken != choice[e]) continue;
    const auto colour = static_cast<std::size_t>(std::find(taken[e].begin(), taken[e].end(), false) - taken[e].begin());
    result[e] = static_cast<std::int32_t>(colour);
    for_others(e, [&](std::size_t other) {
      if (result[other] >= 0) return;
      std::vector<bool>& there = taken[other];
      if (there.size() <= colour) there.resize(colour + 1, false);
      if (there[colour]) return;
      there[colour] = true;
      queue.emplace(++choice[other], -static_cast<std::int64_t>(other));
    });
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

kernels::steady::Matrix Jacobian::matrix() const {
  const kernels::algebra::ProductArguments pattern = device_pattern_.product();
  return {pattern.rows, pattern.begins, pattern.columns, pattern.offsets, device::address<float>(values_)};
}

}  // namespace galerna::steady
