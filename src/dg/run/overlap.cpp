#include "dg/run/overlap.hpp"

#include <algorithm>

namespace galerna::dg {
namespace {

/// Inner elements must fill a GPU so many times: a launch more, and its last thread blocks, would cost more than the
/// exchange takes.
constexpr std::int64_t least_rounds = 2;

}  // namespace

SetPart Overlap::part(const ElementSet& set, std::int64_t first, std::int64_t items) const {
  const device::Kind kind = launcher_.device().kind();
  SetPart part;
  part.first = first;
  part.blocks = make_blocks(items, kind, set.blocks.lanes);
  const LaunchRequest launch = {set, part.blocks, spec_, kind};
  part.residual = set.structure->residual_range(launch);
  part.residual.shared_bytes = set.residual_range.shared_bytes;
  if (spec_.diffuses()) part.viscous = set.structure->viscous_range(launch);
  return part;
}

bool Overlap::leaves_room() const {
  return std::any_of(splits_.begin(), splits_.end(), [&](const Split& of) {
    const SetPart& inner = of.inner;
    return inner.blocks.items > 0 && !(inner.residual.resident && (!spec_.diffuses() || inner.viscous.resident));
  });
}

SetPart Overlap::whole(const ElementSet& set) const {
  return part(set, 0, set.blocks.items);
}

Overlap::Split Overlap::split(const ElementSet& set, std::int64_t outer, const std::string& residual) const {
  const std::int64_t first =
      std::min(make_blocks(outer, launcher_.device().kind(), set.blocks.lanes).padded(), set.blocks.items);
  const Split split = {part(set, 0, first), part(set, first, set.blocks.items - first)};
  const device::Range& inner = split.inner.residual;
  const std::int64_t at_once = launcher_.device().items_at_once(*launcher_.kernels().at(residual + set.label), inner);
  if (inner.items == 0 || inner.items < least_rounds * at_once) return {whole(set), {}};
  return split;
}

void Overlap::plan(const std::vector<std::int64_t>& outer, const std::string& residual) {
  if (launcher_.device().kind() == device::Kind::host) return;
  for (std::size_t b = 0; b < sets_.size(); ++b) splits_.push_back(split(sets_[b], outer[b], residual));
  if (std::all_of(splits_.begin(), splits_.end(), [](const Split& of) { return of.inner.blocks.items == 0; }))
    splits_.clear();
}

void Overlap::run(const std::function<void()>& exchange, device::Range SetPart::*range, const Launch& launch) const {
  std::vector<std::size_t> inner;
  std::size_t urgent = device::Device::none_urgent;
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    if (splits_[b].inner.blocks.items == 0) continue;
    inner.push_back(b);
    // Thread blocks that loop must find their places at once, or the GPU waits for the last of them.
    if (urgent == device::Device::none_urgent && range && (splits_[b].inner.*range).resident) urgent = inner.size();
  }
  launcher_.concurrently(
      1 + inner.size(),
      [&](std::size_t k) {
        if (k > 0) return launch(sets_[inner[k - 1]], splits_[inner[k - 1]].inner);
        exchange();
        for (std::size_t b = 0; b < sets_.size(); ++b)
          if (splits_[b].outer.blocks.items > 0) launch(sets_[b], splits_[b].outer);
      },
      urgent);
}

}  // namespace galerna::dg
