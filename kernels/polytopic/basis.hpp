/// \file
/// Legendre polynomials on bounding boxes, and where the points of a batch lie (docs/theory.md, "Polytopes").
#pragma once

#include "kernels/polytopic/team.hpp"

namespace galerna::kernels::polytopic {

/// √(2n + 1), so that L_n √(2n + 1) has mean square 1 over the interval.
template <class V>
constexpr V legendre_norm(int n) {
  constexpr double roots[] = {1,   1.7320508075688772935, 2.2360679774997896964, 2.6457513110645905905,
                              3.0, 3.3166247903553998491, 3.6055512754639892931};
  return V(static_cast<Scalar<V>>(roots[n]));
}

/// The bounding box of a polytope, with the time slab as its last direction.
template <class L>
struct Box {
  double centre[L::directions], half[L::directions];

  template <class Arguments>
  Box(const Arguments& a, std::int64_t polytope) {
    const double* at = a.mesh.boxes + polytope * 2 * L::dimension;
    for (int d = 0; d < L::dimension; ++d) {
      centre[d] = at[d];
      half[d] = at[L::dimension + d];
    }
    if constexpr (L::directions > L::dimension) {
      centre[L::dimension] = (a.begin + a.end) / 2;
      half[L::dimension] = (a.end - a.begin) / 2;
    }
  }
};

/// A batch of points.
template <class L>
struct Points {
  PointValues<L> place[3], time, weight;
  PointValues<L> local[L::directions];  ///< place in the box, −1 … 1
};

template <class L>
void locate(Points<L>& points, const Box<L>& box, int q, const double* x, double t) {
  using Real = typename L::Real;
  for (int d = 0; d < 3; ++d) points.place[d][q] = d < L::dimension ? Real(x[d]) : Real(0);
  points.time[q] = Real(t);
  for (int d = 0; d < L::dimension; ++d) points.local[d][q] = Real((x[d] - box.centre[d]) / box.half[d]);
  if constexpr (L::directions > L::dimension)
    points.local[L::dimension][q] = Real((t - box.centre[L::dimension]) / box.half[L::dimension]);
}

/// Values of the modes at a batch of points: part 0 the value, part 1 + d the derivative in direction d.
template <class L>
struct ModeValues {
  PointValues<L> part[L::parts][L::modes];
};

/// Legendre polynomials and their derivatives in each direction.
template <class L>
struct Lines {
  PointValues<L> value[L::directions][L::degree + 1], slope[L::directions][L::degree + 1];
};

template <class L>
void evaluate_lines(Lines<L>& lines, const Points<L>& points, const Box<L>& box, int count) {
  using V = typename L::Value;
  share_points<L>(L::directions, count, [&](int d, int q) {
    const V x = load_points<V>(&points.local[d][q]);
    const V scale = number<V>(1 / box.half[d]);
    V below = V(0), value = V(1), slope_below = V(0), slope = V(0);
#pragma unroll
    for (int n = 0; n <= L::degree; ++n) {
      store_points<V>(&lines.value[d][n][q], legendre_norm<V>(n) * value);
      store_points<V>(&lines.slope[d][n][q], legendre_norm<V>(n) * slope * scale);
      // (n + 1) L_{n+1} = (2n + 1) x L_n − n L_{n−1}, L'_{n+1} = L'_{n−1} + (2n + 1) L_n
      const V above = (number<V>(2 * n + 1) * x * value - number<V>(n) * below) * number<V>(1.0 / (n + 1));
      const V slope_above = slope_below + number<V>(2 * n + 1) * value;
      below = value;
      value = above;
      slope_below = slope;
      slope = slope_above;
    }
  });
}

/// \param derivatives whether those are needed, too
template <class Case, class L>
void evaluate_modes(ModeValues<L>& modes, const Lines<L>& lines, int count, bool derivatives = true) {
  using V = typename L::Value;
  constexpr int directions = L::directions;
  share_points<L>(L::modes, count, [&](int j, int q) {
    V value[directions];
#pragma unroll
    for (int d = 0; d < directions; ++d) value[d] = load_points<V>(&lines.value[d][Case::mode(d, j)][q]);
    V product = value[0];
#pragma unroll
    for (int d = 1; d < directions; ++d) product = product * value[d];
    store_points<V>(&modes.part[0][j][q], product);
    if (!derivatives) return;
#pragma unroll
    for (int k = 0; k < directions; ++k) {
      V slope = load_points<V>(&lines.slope[k][Case::mode(k, j)][q]);
#pragma unroll
      for (int d = 0; d < directions; ++d)
        if (d != k) slope = slope * value[d];
      store_points<V>(&modes.part[1 + k][j][q], slope);
    }
  });
}

/// The times at which a slab is integrated, or the one time at which formulas are taken.
template <class L>
struct Times {
  const Rule* rule = nullptr;  ///< null: one time
  double begin, end;

  template <class Arguments>
  explicit Times(const Arguments& a) : begin(a.begin), end(a.end) {
    if constexpr (L::directions > L::dimension) rule = &a.time;
  }
  explicit Times(double at) : begin(at), end(at) {}

  int count() const { return rule ? rule->count : 1; }
  double time(int i) const { return rule ? (begin + end) / 2 + (end - begin) / 2 * rule->points[i] : begin; }
  double weight(int i) const { return rule ? (end - begin) * rule->weights[i] : 1; }
};

/// Batch of the points `first` … of a list of simplices (facets) with the rule's points in each, at each of the times.
/// Points behind the last one, up to a whole pack, repeat it with weight 0.
/// \param simplex_at(i) corners of simplex i of the list; measure_at(i)
/// \param found(q, i) is told for every point of the batch in which simplex it lies
/// \return how many points there are in the batch
template <int corners, class L, class SimplexAt, class MeasureAt, class Found>
int points_in(Points<L>& points, const Box<L>& box, const Rule& rule, const Times<L>& times, std::int64_t simplices,
              std::int64_t first, const SimplexAt& simplex_at, const MeasureAt& measure_at, const Found& found) {
  constexpr int d = L::dimension;
  const int instants = times.count(), each = rule.count * instants;
  const std::int64_t all = simplices * each;
  const int count = all - first < L::batch ? int(all - first) : L::batch;
  share<L>((count + L::width - 1) / L::width * L::width, [&](int q) {
    const std::int64_t k = q < count ? first + q : all - 1, simplex = k / each;
    const int point = int(k % each) / instants, instant = int(k % each) % instants;
    const double* at = simplex_at(simplex);
    double x[d] = {};
    for (int c = 0; c < corners; ++c)
      for (int i = 0; i < d; ++i) x[i] += rule.points[point * corners + c] * at[c * d + i];
    locate(points, box, q, x, times.time(instant));
    const double weight = measure_at(simplex) * rule.weights[point] * times.weight(instant);
    points.weight[q] = typename L::Real(q < count ? weight : 0);
    found(q, simplex);
  });
  return count;
}

/// Batch of the points of a polytope's volume.
template <class L, class Arguments>
int volume_points(Points<L>& points, const Arguments& a, std::int64_t polytope, const Box<L>& box,
                  const Times<L>& times, std::int64_t first) {
  constexpr int d = L::dimension;
  const std::int64_t begin = a.mesh.first_simplices[polytope], end = a.mesh.first_simplices[polytope + 1];
  return points_in<d + 1>(
      points, box, a.volume, times, end - begin, first,
      [&](std::int64_t i) { return a.mesh.simplices + (begin + i) * (d + 1) * d; },
      [&](std::int64_t i) { return a.mesh.simplex_measures[begin + i]; }, [](int, std::int64_t) {});
}

template <class L, class Arguments>
std::int64_t volume_point_count(const Arguments& a, std::int64_t polytope, const Times<L>& times) {
  return (a.mesh.first_simplices[polytope + 1] - a.mesh.first_simplices[polytope]) * a.volume.count * times.count();
}

}  // namespace galerna::kernels::polytopic
