#include "dg/run/reductions.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "dg/run/set_uploads.hpp"
#include "kernels/step_totals.hpp"

namespace galerna::dg {
namespace {

constexpr int control_threads = 256;  // of a thread block

/// Thread blocks that look at so many limits and blocks of elements: each thread at a few of them, and each thread of
/// the last one at no more than one share.
int control_groups(std::int64_t limits, std::int64_t blocks) {
  constexpr std::int64_t limits_a_thread = 8, blocks_a_thread = 2;
  const auto groups = [](std::int64_t count, std::int64_t each) { return 1 + (count - 1) / (each * control_threads); };
  const std::int64_t wanted = std::max(groups(limits, limits_a_thread), groups(blocks, blocks_a_thread));
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, control_threads));
}

/// Bytes of what a thread block finds.
constexpr std::size_t share_bytes =
    sizeof(kernels::Totals<kernels::StepSums<kernels::most_variables>, kernels::ErrorSums<kernels::most_variables>>);

}  // namespace

std::vector<int> vectors_among(const std::vector<std::string>& variables) {
  std::vector<int> first;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::string& name = variables[v];
    const auto stem = [](const std::string& of) {
      return of.substr(0, of.size() - std::min<std::size_t>(2, of.size()));
    };
    const bool continues = v > 0 && (name.ends_with("_y") || name.ends_with("_z")) &&
                           variables[v - 1] == stem(name) + (name.ends_with("_y") ? "_x" : "_y");
    first.push_back(continues ? first.back() : static_cast<int>(v));
  }
  return first;
}

Reductions::Reductions(device::Launcher& launcher, const Spec& spec, std::vector<ElementSet>& sets,
                       const StateArrays& states, const Ranks* ranks)
    : launcher_(launcher), device_(launcher.device()), sets_(sets), states_(states), ranks_(ranks) {
  control_ = allocate_cleared(device_, "control", sizeof(kernels::Control));
  const ElementSet& last = sets_.back();
  block_count_ = last.first_block + last.blocks.count;
  step_limit_count_ = last.first_group + last.groups;
  if (spec.limiter && spec.limiter->watches_sides())
    for (const ElementSet& set : sets_) {
      first_side_group_.push_back(step_limit_count_);
      step_limit_count_ += monitor_groups(set.blocks, 0, device_.kind());
    }
  loses_means_ = spec.limiter || spec.filters();
  error_rows_ = 2 + 3 * spec.variable_count();  // behind ChangeArguments::partials
  const auto rows = static_cast<std::size_t>(error_rows_ + (spec.error_control ? 6 * spec.variable_count() : 0));
  vectors_ = vectors_among(spec.variables);
  const std::string purpose = "reductions over blocks";
  step_limits_ = allocate_cleared(device_, purpose, static_cast<std::size_t>(step_limit_count_) * sizeof(double));
  partials_ = allocate_cleared(device_, purpose, rows * static_cast<std::size_t>(block_count_) * sizeof(double));
  integrals_ = allocate_cleared(device_, purpose, static_cast<std::size_t>(spec.variable_count()) * sizeof(double));
  if (device_.kind() == device::Kind::cuda) {
    const auto groups = static_cast<std::size_t>(control_groups(step_limit_count_, block_count_));
    shares_ = allocate_cleared(device_, purpose, groups * share_bytes);
    arrived_ = allocate_cleared(device_, purpose, sizeof(int));
    if (ranks_) make_rank_totals();
  }
  if (!spec.local_steps) return;
  for (ElementSet& set : sets)
    set.element_limits = allocate_cleared(device_, "steps of elements",
                                          static_cast<std::size_t>(set.blocks.padded() * bytes_of(spec.precision)));
}

double* Reductions::partials_of(const ElementSet& set) const {
  return static_cast<double*>(address(partials_)) + set.first_block;
}

double* Reductions::errors() const {
  return static_cast<double*>(address(partials_)) + error_rows_ * block_count_;
}

/// Rows of kernels::RankTotals: an inbox has the totals of each rank twice.
void Reductions::make_rank_totals() {
  constexpr std::size_t entry = kernels::entry_factor * sizeof(double), line = 128;
  constexpr std::size_t room = (kernels::entry_factor * share_bytes + line - 1) / line * line;
  const auto ranks = static_cast<std::size_t>(ranks_->team.size());
  const std::string purpose = "totals of other ranks";
  inboxes_ = std::make_unique<Inboxes>(device_, ranks_->team, 2 * ranks * room, purpose);
  const auto keep = [&](const auto& values) {
    return rank_totals_.emplace_back(upload(device_, purpose, values))->address();
  };
  std::vector<std::byte*> inboxes;
  for (std::size_t rank = 0; rank < ranks; ++rank) inboxes.push_back(inboxes_->of(static_cast<int>(rank)));
  kernels::RankTotals totals{};
  totals.rank = ranks_->team.rank();
  totals.ranks = ranks_->team.size();
  totals.room = static_cast<int>(room / entry);
  totals.count = static_cast<unsigned*>(keep(std::vector<unsigned>{0}));
  totals.inboxes = static_cast<kernels::CountedNumber<double>* const*>(keep(inboxes));
  // Where padding fills a group of the monitor, it has numbers behind those of the elements.
  std::vector<std::int64_t> elements(ranks_->part.whole.begin(), ranks_->part.whole.end());
  elements.resize(elements.size() + static_cast<std::size_t>(sets_.back().blocks.padded()) -
                      static_cast<std::size_t>(sets_.back().blocks.items),
                  ranks_->elements());
  totals.elements = static_cast<const std::int64_t*>(keep(elements));
  keep(std::vector<kernels::RankTotals>{totals});  // the last one
}

double Reductions::least_limit(std::span<const double> limits) const {
  if (!ranks_) return *std::min_element(limits.begin(), limits.end());
  // The first element of the part that is not admissible need not be the first one of the whole mesh.
  const std::vector<mesh::Index>& whole = ranks_->part.whole;
  double least = std::numeric_limits<double>::max();
  for (const double limit : limits) {
    const std::int64_t bad = kernels::bad_element_of(limit);
    if (bad < 0)
      least = std::min(least, limit);
    else if (bad < static_cast<std::int64_t>(whole.size()))  // or else it is padding of the last one
      least = std::min(least, kernels::bad_element_code(whole[static_cast<std::size_t>(bad)]));
  }
  return ranks_->team.minimum(least);
}

void Reductions::join_limits() const {
  launcher_.call([this, limits = static_cast<double*>(address(step_limits_))] {
    const std::span<double> all(limits, static_cast<std::size_t>(step_limit_count_));
    std::fill(all.begin(), all.end(), least_limit(all));
  });
}

void Reductions::join_lost_means() const {
  launcher_.call([this] { control()->mean_lost = ranks_->team.maximum(control()->mean_lost); });
}

void Reductions::join_partials(int first, int maxima, int sums) const {
  double* rows = static_cast<double*>(address(partials_)) + first * block_count_;
  launcher_.call([this, rows, maxima, sums] { join_rows(*ranks_, rows, block_count_, maxima, sums); });
}

template <class Arguments>
void Reductions::launch(const ElementSet& set, const std::string& entry, const Arguments& arguments) const {
  launcher_.launch(entry + set.label, range_of(set.blocks, device_.kind()), arguments);
}

/// By so many thread blocks, or in one call.
template <class Arguments>
void Reductions::launch_groups(const std::string& entry, const Arguments& arguments, int groups) const {
  const int items = device_.kind() == device::Kind::cuda ? groups * control_threads : 1;
  launcher_.launch(entry, {items, control_threads}, arguments);
}

kernels::Control Reductions::read_control() const {
  kernels::Control control;
  device_.read(&control, *control_, sizeof control);
  return control;
}

void Reductions::write_control(const kernels::Control& control) const {
  device_.write(*control_, &control, sizeof control);
}

kernels::MonitorArguments Reductions::watch_of(const ElementSet& set, device::Memory& state,
                                               bool sets_local_steps) const {
  kernels::MonitorArguments a{};
  a.state = states_.part(state, set);
  a.diameters = address(set.diameters_array);
  a.step_limits = static_cast<double*>(address(step_limits_)) + set.first_group;
  a.first_element = set.first_element;
  a.element_limits = sets_local_steps ? address(set.element_limits) : nullptr;
  a.corner_viscosity = address(set.corner_viscosity);
  return a;
}

void Reductions::monitor(device::Memory& state, const double* tiles, bool sets_local_steps) const {
  launcher_.for_each(sets_, [&](const ElementSet& set) {
    kernels::MonitorArguments a = watch_of(set, state, sets_local_steps);
    a.operators = set.products ? static_cast<const double*>(address(set.products)) : tiles;
    launcher_.launch("monitor" + set.label, set.monitor_range, a);
    if (first_side_group_.empty()) return;
    a.step_limits =
        static_cast<double*>(address(step_limits_)) + first_side_group_[static_cast<std::size_t>(&set - sets_.data())];
    launch(set, "side_monitor", a);
  });
}

void Reductions::control_step(const std::string& entry, bool monitored, int stages, bool changed, bool embedded) const {
  const int variables = static_cast<int>(vectors_.size());
  if (ranks_ && !inboxes_) {
    if (monitored) join_limits();
    if (loses_means_ && entry != "begin_step") join_lost_means();
    if (changed) join_partials(0, 2, variables);
    if (embedded) join_partials(error_rows_, 0, 2 * variables);
  }
  kernels::ControlArguments a{};
  a.ranks = inboxes_ ? static_cast<const kernels::RankTotals*>(rank_totals_.back()->address()) : nullptr;
  const auto* partials = static_cast<const double*>(address(partials_));
  a.control = control();
  a.shares = static_cast<double*>(address(shares_));
  a.arrived = static_cast<int*>(address(arrived_));
  a.step_limits = static_cast<const double*>(address(step_limits_));
  a.step_limit_count = step_limit_count_;
  a.monitored = monitored;
  a.change = changed ? partials : nullptr;
  a.error = embedded ? errors() : nullptr;
  a.blocks = block_count_;
  a.elements = ranks_ ? ranks_->elements() : sets_.back().first_element + sets_.back().blocks.items;
  a.coefficients = ranks_ ? ranks_->coefficients(variables) : states_.degrees_of_freedom();
  a.stages = stages;
  std::copy(vectors_.begin(), vectors_.end(), a.vectors);
  a.groups = 1;
  if (device_.kind() == device::Kind::cuda)
    a.groups = control_groups(monitored ? step_limit_count_ : 0, changed || embedded ? block_count_ : 0);
  launch_groups(entry, a, a.groups);
}

void Reductions::change(device::Memory& state, device::Memory& previous) const {
  launcher_.for_each(sets_, [&](const ElementSet& set) {
    if (!set.determinants)
      launch(set, "change",
             kernels::ElementChangeArguments{states_.part(state, set), states_.part(previous, set), arrays_of(set),
                                             partials_of(set), block_count_, control(), address(set.element_limits)});
    else
      launch(set, "change",
             kernels::ChangeArguments{states_.part(state, set), states_.part(previous, set), address(set.determinants),
                                      partials_of(set), block_count_, control(), address(set.element_limits)});
  });
}

void Reductions::embedded_error(device::Memory& state, device::Memory& candidate, device::Memory& error) const {
  launcher_.for_each(sets_, [&](const ElementSet& set) {
    launch(set, "embedded_error",
           kernels::EmbeddedArguments{states_.part(state, set), states_.part(candidate, set), states_.part(error, set),
                                      errors() + set.first_block, block_count_, control(), set.blocks.items});
  });
}

void Reductions::embedded_commit(device::Memory& state, device::Memory& candidate) const {
  launcher_.for_each(sets_, [&](const ElementSet& set) {
    launch(set, "embedded_commit",
           kernels::EmbeddedArguments{states_.part(state, set), states_.part(candidate, set), nullptr, nullptr,
                                      block_count_, control(), set.blocks.items});
  });
}

void Reductions::accumulate(device::Memory& state, device::Memory& integral) const {
  launcher_.for_each(sets_, [&](const ElementSet& set) {
    launch(set, "accumulate",
           kernels::AverageArguments{states_.part(state, set), states_.part(integral, set), control()});
  });
}

std::vector<double> Reductions::integrals(device::Memory& state) const {
  launcher_.for_each(sets_, [&](const ElementSet& set) {
    if (!set.determinants)
      launch(
          set, "integrals",
          kernels::ElementIntegralArguments{states_.part(state, set), arrays_of(set), partials_of(set), block_count_});
    else
      launch(set, "integrals",
             kernels::IntegralArguments{states_.part(state, set), address(set.determinants), partials_of(set),
                                        block_count_});
  });
  if (ranks_) join_rows(*ranks_, device_, *partials_, block_count_, 0, static_cast<int>(vectors_.size()));
  const kernels::IntegralSumArguments sums{static_cast<const double*>(address(partials_)), block_count_,
                                           static_cast<double*>(address(integrals_))};
  launch_groups("integral_sums", sums, 1);
  return read_numbers(device_, integrals_.get());
}

std::int64_t Reductions::first_inadmissible(device::Memory& state, const double* tiles) const {
  monitor(state, tiles, false);
  std::vector<double> limits(static_cast<std::size_t>(step_limit_count_));
  device_.read(limits.data(), *step_limits_, limits.size() * sizeof(double));
  return kernels::bad_element_of(least_limit(limits));
}

}  // namespace galerna::dg
