#include "dg/run/entropy_filter.hpp"

#include "dg/run/limiter.hpp"

namespace galerna::dg {

EntropyFilter::EntropyFilter(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                             const std::vector<ElementSet>& sets, const FaceSets& faces, const StateArrays& states,
                             kernels::Control* control, const Ranks* ranks, const Overlap& overlap)
    : launcher_(launcher),
      spec_(spec),
      sets_(sets),
      summaries_(launcher, mesh, spec, sets, faces, states, control, ranks, overlap, false) {
  for (const ElementSet& set : sets) {
    counts_.push_back(allocate_cleared(launcher.device(), "counts of the filter",
                                       2 * static_cast<std::size_t>(set.blocks.count) * sizeof(double)));
    strengths_.push_back(allocate_cleared(launcher.device(), "strength of the filter",
                                          static_cast<std::size_t>(set.blocks.padded() * bytes_of(spec.precision))));
  }
}

/// A kernel of which threads of a GPU share elements.
void EntropyFilter::pass(const std::string& kernel, device::Memory& state) const {
  summaries_.pass([&](std::size_t b, const SetPart& part) {
    kernels::FilterArguments a = summaries_.arguments(state, b, part);
    a.counts = static_cast<double*>(address(counts_[b]));
    a.strengths = address(strengths_[b]);
    launcher_.launch(kernel + sets_[b].label,
                     shared_range_of(part.blocks, launcher_.device().kind(), spec_.variable_count()), a);
  });
}

void EntropyFilter::summarize(device::Memory& state, double abscissa) {
  summaries_.sense(state, abscissa);
  pass("extremes", state);
  summarized_ = true;
}

void EntropyFilter::before(Phase phase, const StageCall& call) {
  if (phase == Phase::traces && !call.outputs.empty()) summarize(*call.at, call.abscissa);
}

bool EntropyFilter::finish(device::Memory& state, double abscissa, bool /*monitored*/) {
  // An initial state is bounded by itself.
  if (!summarized_) summarize(state, abscissa);
  summarized_ = false;
  pass("filter", state);
  return false;
}

std::vector<device::Memory*> EntropyFilter::sums() const {
  std::vector<device::Memory*> counts;
  for (const auto& of_set : counts_) counts.push_back(of_set.get());
  return counts;
}

ElementNumbers EntropyFilter::fields() const {
  ElementNumbers found = {{"sensor", summaries_.trouble()}};
  std::vector<double>& strengths = found["filter"];
  for (std::size_t b = 0; b < sets_.size(); ++b)
    append_numbers(strengths, read_reals(launcher_.device(), *strengths_[b], spec_.precision), 0, sets_[b].blocks, 1,
                   0);
  // Kernels leave elements alone that are in no trouble.
  for (std::size_t e = 0; e < strengths.size(); ++e)
    if (found["sensor"][e] == 0) strengths[e] = 0;
  return found;
}

std::array<double, 2> EntropyFilter::counts() const {
  return limiter_counts(launcher_.device(), sums());
}

}  // namespace galerna::dg
