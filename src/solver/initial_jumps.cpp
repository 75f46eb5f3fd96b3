#include "solver/initial_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/index.hpp"
#include "base/parallel.hpp"
#include "base/vectors.hpp"
#include "mesh/geometry.hpp"
#include "solver/degree_sequence.hpp"

namespace galerna::solver {
namespace {

using case_file::Formula;
using mesh::Point;

/// A jump is more than so much of the larger value.
constexpr double least_jump = 0.01;

double difference(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  return size > 0 ? std::abs(a - b) / size : 0;
}

/// Whether a formula jumps between two points at which it has other values: half of the difference is left on an
/// interval that has shrunk to rounding.
bool jumps(const Formula::AtPoint& value, Point a, Point b) {
  const auto at = [&](const Point& x) { return value(x[0], x[1], x[2], 0, nullptr); };
  double left = at(a), right = at(b);
  const double whole = std::abs(right - left);
  for (int halving = 0; halving < 30; ++halving) {
    const Point middle = times(0.5, plus(a, b));
    const double half = at(middle);
    if (std::abs(half - left) > std::abs(right - half))
      b = middle, right = half;
    else
      a = middle, left = half;
    if (!(std::abs(right - left) > 0.5 * whole)) return false;
  }
  return true;
}

class Search {
 public:
  Search(const case_file::Settings& settings, const mesh::Mesh& mesh) : mesh_(mesh) {
    for (const Formula& formula : settings.initial.formulas)
      if (!formula.constant()) values_.push_back(formula.at_point());
  }

  /// How many elements are cut, and the first of them.
  std::pair<mesh::Index, mesh::Index> run() const {
    constexpr std::int64_t piece = 1024;
    const std::int64_t count = values_.empty() ? 0 : mesh_.element_count();
    std::vector<std::pair<mesh::Index, mesh::Index>> found(at((count + piece - 1) / piece), {0, -1});
    in_parallel(count, piece, [&](std::int64_t begin, std::int64_t end) {
      auto& [cut, first] = found[at(begin / piece)];
      for (std::int64_t element = begin; element < end; ++element) {
        if (!is_cut(static_cast<mesh::Index>(element))) continue;
        if (cut++ == 0) first = static_cast<mesh::Index>(element);
      }
    });
    std::pair<mesh::Index, mesh::Index> all{0, -1};
    for (const auto& [cut, first] : found) {
      if (all.first == 0) all.second = first;
      all.first += cut;
    }
    return all;
  }

 private:
  bool is_cut(mesh::Index element) const {
    // Not at the corners: a jump along sides is none inside.
    constexpr double inward = 0.01;
    const Point centre = mesh::centroid(mesh_, element);
    std::vector<Point> points;
    for (const mesh::Index corner : mesh_.corners(element))
      points.push_back(plus(times(1 - inward, mesh_.nodes[at(corner)]), times(inward, centre)));
    return std::any_of(values_.begin(), values_.end(), [&](const auto& value) { return is_cut_in(value, points); });
  }

  static bool is_cut_in(const Formula::AtPoint& value, const std::vector<Point>& points) {
    std::vector<double> u;
    for (const Point& x : points) u.push_back(value(x[0], x[1], x[2], 0, nullptr));
    const auto [least, largest] = std::minmax_element(u.begin(), u.end());
    if (!(difference(*least, *largest) > least_jump)) return false;
    return jumps(value, points[at(least - u.begin())], points[at(largest - u.begin())]);
  }

  const mesh::Mesh& mesh_;
  std::vector<Formula::AtPoint> values_;
};

}  // namespace

std::vector<files::Report::Warning> jump_warnings(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  if (!settings.shock || settings.shock->method == "limiter" || settings.time.seeks_steady()) return {};
  if (degrees_of(settings).front() == 0) return {};
  const auto [count, first] = Search(settings, mesh).run();
  if (count == 0) return {};
  return {{"initial-jump-in-elements",
           "initial",
           fmt::format(
               "the initial state jumps inside {} element{}, such as {}: its polynomials overshoot there by up to a "
               "third of the jump, and that stays in the flow. Put mesh faces on the jump, or smooth it over an "
               "element",
               count, count == 1 ? "" : "s", mesh::place_of(mesh, first)),
           {{"elements", static_cast<double>(count)}}}};
}

}  // namespace galerna::solver
