#include "dg/geometry/tile_metric.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "dg/rows/warp_block.hpp"

namespace galerna::dg {
namespace {

using kernels::Columns;

kernels::MetricRows metric_rows(const Operators& o, bool viscous) {
  kernels::MetricRows rows = warp_sizes(o, 1, true).metric_rows();
  rows.viscous = viscous;
  return rows;
}

/// Metric terms of one of eight elements.
class MetricOfTile {
 public:
  /// \param numbers of the eight elements. \param element of these.
  MetricOfTile(double* numbers, int element) : numbers_(numbers), element_(element) {}

  /// f(left operand, thread's number in a row, point or mode), also of those past the last one.
  template <class F>
  void for_each(const Columns& columns, const F& f) const {
    for (int four = 0; four < columns.fours(); ++four)
      for (int t = 0; t < 4; ++t) f(four, 4 * element_ + t, columns.at(four / 2, four % 2, t));
  }
  double& operator()(int place) const { return numbers_[place]; }

 private:
  double* numbers_;
  int element_;
};

}  // namespace

std::int64_t tile_metric_numbers(const Operators& o, bool viscous) {
  return metric_rows(o, viscous).numbers();
}

std::vector<double> tile_metric(const Operators& o, const Metric& metric, bool viscous, std::int64_t padded) {
  const kernels::MetricRows rows = metric_rows(o, viscous);
  const int d = metric.dimension, gradients = d * d, all_side_points = o.first_side_point(o.sides());
  const auto number = [](const std::vector<double>& values, std::int64_t at) {
    return values[static_cast<std::size_t>(at)];
  };
  std::vector<double> result(static_cast<std::size_t>(padded / 8 * rows.numbers()), 0.0);
  const auto put = [&](std::int64_t e) {
    const MetricOfTile to(result.data() + e / 8 * rows.numbers(), static_cast<int>(e % 8));
    const std::int64_t of = std::min<std::int64_t>(e, metric.elements - 1);
    to.for_each(rows.trace_points(), [&](int four, int thread, int at) {
      const int side = rows.side_at(at), last = o.side_rules[static_cast<std::size_t>(side)].size() - 1,
                q = std::min(at - rows.first_point(side), last);
      const std::int64_t point = of * all_side_points + o.first_side_point(side) + q;
      const auto two = [&](int row) -> double& { return to(row + 2 * thread + four % 2); };
      for (int k = 0; k < d; ++k) two(rows.normals(four / 2) + 64 * k) = number(metric.normals, point * d + k);
      if (!viscous) return;
      const double* inverse = metric.side_gradients.data() + point * gradients;
      for (int k = 0; k < gradients; ++k) two(rows.side_gradients(four / 2) + 64 * k) = inverse[k];
      two(rows.side_roots(four / 2)) = std::sqrt(std::abs(Eigen::Map<const Eigen::Matrix3d>(inverse).determinant()));
    });
    // Those past the last point, which meet rows of zeros, are that one once more: all that is computed is finite.
    to.for_each(rows.volume_points(), [&](int four, int thread, int q) {
      const std::int64_t point = of * o.volume.size() + std::min(q, o.volume.size() - 1);
      for (int k = 0; k < gradients; ++k)
        to(rows.contravariant(four) + 32 * k + thread) = number(metric.contravariant, point * gradients + k);
      to(rows.inverses(four) + thread) = number(metric.inverse, point);
    });
    to.for_each(rows.modes(), [&](int four, int thread, int j) {
      if (j < o.modes) to(rows.means(four) + thread) = number(metric.means, of * o.modes + j);
    });
    for (int t = 0; t < 4; ++t)
      to(rows.inverse_mean() + static_cast<int>(e % 8) * 4 + t) = 1 / number(metric.means, of * o.modes);
  };
  in_parallel(padded, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t e = begin; e < end; ++e) put(e);
  });
  return result;
}

}  // namespace galerna::dg
