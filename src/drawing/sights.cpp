#include "drawing/sights.hpp"

#include <algorithm>
#include <optional>

#include "analysis/field_sampler.hpp"
#include "base/index.hpp"
#include "base/parallel.hpp"

namespace galerna::drawing {
namespace {

/// Evaluates one field in some cells that show elements of one block.
class Batch {
 public:
  Batch(const analysis::Solution& solution, int block, int field)
      : solution_(solution),
        block_(block),
        field_(solution.fields, std::vector<int>{field}),
        state_(4 * solution.variables.size()) {
    analysis::piece_of(solution, block);
  }

  void add(const Sight& sight, std::size_t target) {
    points_.push_back(sight.reference);
    positions_.push_back(sight.position);
    targets_.push_back(target);
  }

  void evaluate(const std::function<mesh::Point(std::size_t)>& place, Raster& raster) {
    if (points_.empty()) return;
    const basis::Matrix values =
        basis::basis_values(solution_.mesh->blocks[at(block_)].shape, solution_.degree, points_);
    const Eigen::Index modes = values.cols();
    const std::size_t variables = solution_.variables.size();
    std::vector<mesh::Index> seen = positions_;
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    std::vector<double> room;
    const double* const all = solution_.modes_of(block_, seen, room);
    std::optional<analysis::BlockGradients> gradients;
    if (field_.gradients()) gradients.emplace(solution_, block_, points_);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const auto found = std::lower_bound(seen.begin(), seen.end(), positions_[i]) - seen.begin();
      const double* const of_element = all + found * static_cast<std::ptrdiff_t>(variables) * modes;
      const double* value = values.data() + static_cast<Eigen::Index>(i) * modes;
      const double* c = of_element;
      for (std::size_t v = 0; v < variables; ++v, c += modes) {
        state_[v] = 0;
        for (Eigen::Index mode = 0; mode < modes; ++mode) state_[v] += c[mode] * value[mode];
      }
      if (gradients) gradients->evaluate(positions_[i], static_cast<int>(i), of_element, state_.data() + variables);
      field_.evaluate(place(targets_[i]), solution_.time, state_.data(), solution_.values_of(block_, positions_[i]),
                      &raster.values[targets_[i]]);
      raster.covered[targets_[i]] = 1;
    }
  }

 private:
  const analysis::Solution& solution_;
  int block_;
  analysis::FieldSelection field_;
  std::vector<double> state_;  // variables, then their derivatives
  std::vector<basis::Point> points_;
  std::vector<mesh::Index> positions_;
  std::vector<std::size_t> targets_;
};

}  // namespace

void sample(const analysis::Solution& solution, int field, const std::vector<Sight>& sights,
            const std::function<mesh::Point(std::size_t)>& place, Raster& raster) {
  constexpr std::int64_t cells_at_once = 8192;  // a GPU answers in 50 µs, few elements or many
  in_parallel(std::ssize(sights), cells_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (int block = 0; block < static_cast<int>(solution.mesh->blocks.size()); ++block) {
      Batch batch(solution, block, field);
      for (std::size_t target = at(begin); target < at(end); ++target)
        if (sights[target].position >= 0 && sights[target].block == block) batch.add(sights[target], target);
      batch.evaluate(place, raster);
    }
  });
}

}  // namespace galerna::drawing
