#include "dg/run/entropy_filter.hpp"

#include "dg/run/limiter.hpp"
#include "dg/run/make_cut_exchange.hpp"

namespace galerna::dg {

EntropyFilter::EntropyFilter(Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                             const std::vector<ElementSet>& sets, const FaceSets& faces, const StateArrays& states,
                             kernels::Control* control, const Ranks* ranks)
    : launcher_(launcher),
      spec_(spec),
      sets_(sets),
      faces_(faces),
      states_(states),
      control_(control),
      offsets_(mesh, spec, sets, faces) {
  device::Device& device = launcher.device();
  summaries_ = allocate_cleared(device, "summaries, for the filter",
                                static_cast<std::size_t>(offsets_.size() * bytes_of(spec.precision)));
  if (ranks) exchange_ = make_cut_exchange(launcher, ranks->team, spec.precision, offsets_.at_cuts());
  for (std::size_t b = 0; b < sets.size(); ++b) {
    const Blocks& blocks = sets[b].blocks;
    const int n = 2 * sets[b].operators.sides();
    of_sets_.push_back({upload_integers(device, "neighbours, for the filter", blocks, n,
                                        [&] { return padded(blocks, offsets_.beyond(b), n); }),
                        allocate_cleared(device, "counts of the filter",
                                         2 * static_cast<std::size_t>(blocks.count) * sizeof(double))});
  }
  for (std::size_t s = 0; s < faces.size(); ++s)
    inside_.push_back(upload_integers(device, "elements at the boundary, for the filter", faces[s].blocks(), 1,
                                      [&] { return padded(faces[s].blocks(), offsets_.inside(s), 1); }));
}

void* EntropyFilter::summaries(std::int64_t first) const {
  return static_cast<char*>(address(summaries_)) + first * bytes_of(spec_.precision);
}

kernels::FilterArguments EntropyFilter::arguments(device::Memory& state, std::size_t b) const {
  const ElementSet& set = sets_[b];
  kernels::FilterArguments a{};
  a.state = states_.part(state, set);
  a.summaries = address(summaries_);
  a.own = summaries(offsets_.first_of_set(b));
  a.beyond = static_cast<const std::int32_t*>(address(of_sets_[b].beyond));
  a.counts = static_cast<double*>(address(of_sets_[b].counts));
  a.blocks = set.blocks.count;
  a.elements = set.blocks.items;
  a.control = control_;
  a.mean_lost = &control_->mean_lost;
  a.means = address(set.means);
  return a;
}

device::Range EntropyFilter::range(std::size_t b, bool shared) const {
  const device::Kind kind = launcher_.device().kind();
  return shared ? shared_range_of(sets_[b].blocks, kind, spec_.variable_count()) : range_of(sets_[b].blocks, kind);
}

void EntropyFilter::exchange() const {
  if (exchange_) exchange_->exchange({address(summaries_)});
}

void EntropyFilter::summarize(device::Memory& state, double abscissa) {
  const device::Kind kind = launcher_.device().kind();
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    launcher_.launch("summarize" + sets_[b].label, range(b, false),
                     kernels::SummaryArguments{states_.part(state, sets_[b]), summaries(offsets_.first_of_set(b)),
                                               address(sets_[b].means), control_});
  });
  for (std::size_t s = 0; s < faces_.size(); ++s)
    if (faces_[s].blocks().count > 0)
      launcher_.launch("boundary_summary" + faces_[s].label(), faces_[s].range(kind),
                       kernels::BoundarySummaryArguments{faces_[s].arrays(), address(summaries_),
                                                         static_cast<const std::int32_t*>(address(inside_[s])),
                                                         summaries(offsets_.first_of_faces(s)), control_, abscissa});
  exchange();
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    launcher_.launch("sense" + sets_[b].label, range(b, false), arguments(state, b));
  });
  exchange();
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    launcher_.launch("extremes" + sets_[b].label, range(b, true), arguments(state, b));
  });
  exchange();
  summarized_ = true;
}

void EntropyFilter::before(Phase phase, const StageCall& call) {
  if (phase == Phase::traces && !call.outputs.empty()) summarize(*call.at, call.abscissa);
}

void EntropyFilter::finish(device::Memory& state, double abscissa) {
  // An initial state is bounded by itself.
  if (!summarized_) summarize(state, abscissa);
  summarized_ = false;
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    launcher_.launch("filter" + sets_[b].label, range(b, true), arguments(state, b));
  });
}

std::vector<device::Memory*> EntropyFilter::sums() const {
  std::vector<device::Memory*> counts;
  for (const SetArrays& arrays : of_sets_) counts.push_back(arrays.counts.get());
  return counts;
}

std::array<double, 2> EntropyFilter::counts() const {
  return limiter_counts(launcher_.device(), sums());
}

}  // namespace galerna::dg
