#include "drawing/streamlines.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "analysis/sampling.hpp"

namespace galerna::drawing {

using analysis::BlockSampler;
using analysis::PointLocator;
using analysis::Solution;

namespace {

using Place = std::array<double, 2>;

Place moved(const Place& p, double length, const Place& direction) {
  return {p[0] + length * direction[0], p[1] + length * direction[1]};
}

double distance(const Place& a, const Place& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

/// Directions of the flow.
class Flow {
 public:
  Flow(const Solution& solution, const PointLocator& locator) : solution_(solution), locator_(locator) {}

  /// Unit vector along the momentum; nothing outside the mesh and where nothing flows.
  std::optional<Place> direction(const Place& place) const {
    const auto point = locator_.find({place[0], place[1], 0});
    if (!point) return {};
    std::vector<double> u;
    BlockSampler(solution_, point->block, {point->reference}).variables(point->position, u);
    const double size = std::hypot(u[1], u[2]);
    if (!(size > 1e-12 * std::abs(u[0]))) return {};
    return Place{u[1] / size, u[2] / size};
  }

  /// One Runge–Kutta step of signed length; nothing where a stage has no direction.
  std::optional<Place> step(const Place& from, double length) const {
    const auto a = direction(from);
    const auto b = a ? direction(moved(from, 0.5 * length, *a)) : std::nullopt;
    const auto c = b ? direction(moved(from, 0.5 * length, *b)) : std::nullopt;
    const auto d = c ? direction(moved(from, length, *c)) : std::nullopt;
    if (!d) return {};
    Place sum;
    for (std::size_t i = 0; i < 2; ++i) sum[i] = ((*a)[i] + 2 * (*b)[i] + 2 * (*c)[i] + (*d)[i]) / 6;
    // At a stagnation point the stages point everywhere, and the line would dance.
    if (std::hypot(sum[0], sum[1]) < 0.5) return {};
    return moved(from, length, sum);
  }

 private:
  const Solution& solution_;
  const PointLocator& locator_;
};

/// Is a place too near to earlier lines? Cells of a window that hold places of lines.
class Occupancy {
 public:
  Occupancy(const Window& window, double spacing)
      : window_(window),
        spacing_(spacing),
        columns_(static_cast<int>(window.width() / spacing) + 1),
        rows_(static_cast<int>(window.height() / spacing) + 1),
        cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  bool near(const Place& p, double least) const {
    const auto [i, j] = cell(p);
    for (int row = std::max(j - 1, 0); row <= std::min(j + 1, rows_ - 1); ++row)
      for (int column = std::max(i - 1, 0); column <= std::min(i + 1, columns_ - 1); ++column)
        for (const Place& other : cells_[index(column, row)])
          if (distance(p, other) < least) return true;
    return false;
  }

  void add(const Streamline& line) {
    for (const Place& p : line) {
      const auto [i, j] = cell(p);
      if (i >= 0 && i < columns_ && j >= 0 && j < rows_) cells_[index(i, j)].push_back(p);
    }
  }

 private:
  std::array<int, 2> cell(const Place& p) const {
    return {static_cast<int>(std::floor((p[0] - window_.x0) / spacing_)),
            static_cast<int>(std::floor((p[1] - window_.y0) / spacing_))};
  }
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  Window window_;
  double spacing_;
  int columns_, rows_;
  std::vector<std::vector<Place>> cells_;
};

/// Half a line from the seed, without it; `stop` ends it. True if it came back to the seed.
bool follow(const Flow& flow, const Place& seed, double length, int most_steps,
            const std::function<bool(const Place&)>& stop, Streamline& line) {
  Place place = seed;
  bool left = false;  // far enough from the seed to come back
  for (int i = 0; i < most_steps; ++i) {
    const auto next = flow.step(place, length);
    if (!next) return false;
    const double away = distance(*next, seed);
    if (left && away < std::abs(length)) {
      line.push_back(seed);
      return true;
    }
    left = left || away > 2 * std::abs(length);
    if (stop(*next)) return false;
    line.push_back(*next);
    place = *next;
  }
  return false;
}

Streamline trace(const Flow& flow, const Place& seed, const StreamlineOptions& options,
                 const std::function<bool(const Place&)>& stop) {
  if (!flow.direction(seed)) return {};
  Streamline forward, backward;
  const bool closed = follow(flow, seed, options.step, options.most_steps, stop, forward);
  if (!closed) follow(flow, seed, -options.step, options.most_steps, stop, backward);
  Streamline line(backward.rbegin(), backward.rend());
  line.push_back(seed);
  line.insert(line.end(), forward.begin(), forward.end());
  return line;
}

}  // namespace

Streamline streamline(const Solution& solution, const PointLocator& locator, const std::array<double, 2>& seed,
                      const StreamlineOptions& options) {
  return trace(Flow(solution, locator), seed, options, [](const Place&) { return false; });
}

std::vector<Streamline> streamlines(const Solution& solution, const Window& window, const StreamlineOptions& options) {
  const PointLocator locator(*solution.mesh);
  const Flow flow(solution, locator);
  Occupancy occupied(window, options.spacing);
  const auto stop = [&](const Place& p) {
    const bool inside = p[0] >= window.x0 && p[0] <= window.x1 && p[1] >= window.y0 && p[1] <= window.y1;
    return !inside || occupied.near(p, 0.5 * options.spacing);
  };
  std::vector<Streamline> lines;
  const int columns = std::max(1, static_cast<int>(window.width() / options.spacing));
  const int rows = std::max(1, static_cast<int>(window.height() / options.spacing));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const Place seed = {window.x0 + (column + 0.5) * window.width() / columns,
                          window.y0 + (row + 0.5) * window.height() / rows};
      if (occupied.near(seed, options.spacing)) continue;
      const Streamline line = trace(flow, seed, options, stop);
      if (line.size() < 2) continue;
      occupied.add(line);
      lines.push_back(line);
    }
  return lines;
}

}  // namespace galerna::drawing
