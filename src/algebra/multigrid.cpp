#include "algebra/multigrid.hpp"

#include <algorithm>

#include "algebra/multigrid_level.hpp"
#include "base/interruption.hpp"

namespace galerna::algebra {

Multigrid::Multigrid(Kernels& kernels, std::span<const GridLevel> levels, const MultigridOptions& options)
    : kernels_(kernels), options_(options), levels_(levels.size()) {
  for (std::size_t l = levels.size(); l-- > 0;)
    levels_[l] = std::make_unique<MultigridLevel>(
        kernels, levels[l], l + 1 < levels.size() ? levels_[l + 1].get() : nullptr, options.smoothing);
  solution_ = kernels.device().allocate(static_cast<std::size_t>(levels_.front()->unknowns()) * sizeof(double),
                                        "vectors of the levels");
  set_matrices(levels);
}

Multigrid::~Multigrid() = default;

void Multigrid::set_matrices(std::span<const GridLevel> levels) {
  graph_.reset();
  for (std::size_t l = levels.size(); l-- > 0;) {
    stop_if_interrupted("setting up multigrid");
    levels_[l]->set_matrix(levels[l].matrix, l + 1 < levels.size() ? levels_[l + 1].get() : nullptr);
  }
  if (levels_.back()->unknowns() <= options_.dense) levels_.back()->invert_matrix(options_.kernel);
  graph_ = kernels_.device().record([&] { cycle(0); });
}

void Multigrid::cycle(std::size_t l) {
  MultigridLevel& level = *levels_[l];
  if (level.inverted()) return level.solve();
  level.smooth(true);
  if (l + 1 < levels_.size()) {
    MultigridLevel& next = *levels_[l + 1];
    level.restrict_to(next);
    cycle(l + 1);
    level.prolongate_from(next);
  }
  level.smooth(false);
}

const void* Multigrid::apply(const void* r) {
  const MultigridLevel& finest = *levels_.front();
  finest.scaling().enter(r, finest.right_hand_side());
  kernels_.device().launch(*graph_);
  finest.scaling().leave(finest.solution(), solution_->address());
  return solution_->address();
}

std::vector<double> Multigrid::eigenvalues() const {
  std::vector<double> result;
  for (const auto& level : levels_) result.push_back(level->eigenvalue());
  return result;
}

}  // namespace galerna::algebra
