#include "dg/run/summaries.hpp"

#include "dg/run/make_cut_exchange.hpp"
#include "kernels/filter/summary_layout.hpp"

namespace galerna::dg {

Summaries::Summaries(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                     const std::vector<ElementSet>& sets, const FaceSets& faces, const StateArrays& states,
                     kernels::Control* control, const Ranks* ranks, const Overlap& overlap, bool between_steps)
    : launcher_(launcher),
      spec_(spec),
      sets_(sets),
      faces_(faces),
      states_(states),
      control_(control),
      overlap_(overlap),
      between_steps_(between_steps),
      offsets_(mesh, spec, sets, faces) {
  device::Device& device = launcher.device();
  summaries_ = allocate_cleared(device, "summaries, by which shocks are found",
                                static_cast<std::size_t>(offsets_.size() * bytes_of(spec.precision)));
  if (ranks) exchange_ = make_cut_exchange(launcher, ranks->team, spec.precision, offsets_.at_cuts());
  if (exchange_ && overlap_.pays()) exchange_->leave_room();
  for (std::size_t b = 0; b < sets.size(); ++b) {
    const Blocks& blocks = sets[b].blocks;
    const int n = 2 * sets[b].operators.sides();
    beyond_.push_back(upload_integers(device, "neighbours, by which shocks are found", blocks, n,
                                      [&] { return padded(blocks, offsets_.beyond(b), n); }));
  }
  for (std::size_t s = 0; s < faces.size(); ++s)
    inside_.push_back(upload_integers(device, "elements at the boundary, for summaries", faces[s].blocks(), 1,
                                      [&] { return padded(faces[s].blocks(), offsets_.inside(s), 1); }));
}

void* Summaries::summaries(std::int64_t first) const {
  return static_cast<char*>(address(summaries_)) + first * bytes_of(spec_.precision);
}

kernels::FilterArguments Summaries::arguments(device::Memory& state, std::size_t b, const SetPart& part) const {
  const ElementSet& set = sets_[b];
  kernels::FilterArguments a{};
  a.state = states_.part(state, set);
  a.summaries = address(summaries_);
  a.own = summaries(offsets_.first_of_set(b));
  a.beyond = static_cast<const std::int32_t*>(address(beyond_[b]));
  a.blocks = set.blocks.count;
  a.elements = set.blocks.items;
  a.control = control_;
  a.mean_lost = &control_->mean_lost;
  a.means = address(set.means);
  a.between_steps = between_steps_;
  a.first_of_launch = static_cast<unsigned>(part.first);
  return a;
}

std::vector<double> Summaries::trouble() const {
  const std::vector<double> all = read_reals(launcher_.device(), *summaries_, spec_.precision);
  std::vector<double> found;
  for (std::size_t b = 0; b < sets_.size(); ++b)
    append_numbers(found, all, offsets_.first_of_set(b), sets_[b].blocks, offsets_.numbers_of_set(b),
                   kernels::summary_of_trouble);
  return found;
}

void Summaries::exchange() const {
  if (exchange_) exchange_->exchange({address(summaries_)});
}

void Summaries::pass(const Launch& launch) const {
  const auto of_part = [&](const ElementSet& set, const SetPart& part) {
    launch(static_cast<std::size_t>(&set - sets_.data()), part);
  };
  if (exchange_ && overlap_.pays()) return overlap_.run([&] { exchange(); }, nullptr, of_part);
  exchange();
  launcher_.for_each(sets_, [&](const ElementSet& set) { of_part(set, overlap_.whole(set)); });
}

void Summaries::sense(device::Memory& state, double abscissa) const {
  const device::Kind kind = launcher_.device().kind();
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    launcher_.launch("summarize" + sets_[b].label, range_of(sets_[b].blocks, kind),
                     kernels::SummaryArguments{states_.part(state, sets_[b]), summaries(offsets_.first_of_set(b)),
                                               address(sets_[b].means), control_, between_steps_});
  });
  for (std::size_t s = 0; s < faces_.size(); ++s)
    if (faces_[s].blocks().count > 0)
      launcher_.launch(
          "boundary_summary" + faces_[s].label(), faces_[s].range(kind),
          kernels::BoundarySummaryArguments{faces_[s].arrays(), address(summaries_),
                                            static_cast<const std::int32_t*>(address(inside_[s])),
                                            summaries(offsets_.first_of_faces(s)), control_, abscissa, between_steps_});
  pass([&](std::size_t b, const SetPart& part) {
    launcher_.launch("sense" + sets_[b].label, range_of(part.blocks, kind), arguments(state, b, part));
  });
}

}  // namespace galerna::dg
