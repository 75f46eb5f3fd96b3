#include "analysis/reverse_flow.hpp"

#include <cmath>
#include <limits>

#include "analysis/sampling.hpp"

namespace galerna::analysis {
namespace {

/// The line and the momentum along it.
class Line {
 public:
  Line(const Solution& solution, const PointLocator& locator, const mesh::Point& from, const mesh::Point& to)
      : solution_(solution), locator_(locator), from_(from), to_(to) {
    for (std::size_t d = 0; d < 3; ++d) length_ += (to[d] - from[d]) * (to[d] - from[d]);
    length_ = std::sqrt(length_);
  }

  double length() const { return length_; }

  /// Momentum along the line at the share 0 … 1 of it; nothing outside the mesh.
  std::optional<double> momentum(double share) const {
    mesh::Point place = from_;
    for (std::size_t d = 0; d < 3; ++d) place[d] += share * (to_[d] - from_[d]);
    const auto point = locator_.find(place);
    if (!point) return {};
    std::vector<double> u;
    BlockSampler(solution_, point->block, {point->reference}).variables(point->position, u);
    double sum = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(solution_.mesh->dimension); ++d)
      sum += u[1 + d] * (to_[d] - from_[d]) / length_;
    return sum;
  }

  /// Where between two shares the momentum turns from negative to positive.
  double turn(double low, double high) const {
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      (momentum(middle).value_or(0) < 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

 private:
  const Solution& solution_;
  const PointLocator& locator_;
  mesh::Point from_, to_;
  double length_ = 0;
};

}  // namespace

double reverse_flow_length(const Solution& solution, const PointLocator& locator, const mesh::Point& from,
                           const mesh::Point& to, int count) {
  const Line line(solution, locator, from, to);
  bool reverse = false;
  double last = 0;
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    const std::optional<double> momentum = line.momentum(share);
    if (!momentum) continue;
    if (reverse && *momentum >= 0) return line.length() * line.turn(last, share);
    reverse = reverse || *momentum < 0;
    last = share;
  }
  return reverse ? std::numeric_limits<double>::quiet_NaN() : 0;
}

}  // namespace galerna::analysis
