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

/// visit(n, L_n √(2n + 1), its derivative) at x for n = 0 … degree, from (n + 1) L_{n+1} = (2n + 1) x L_n − n L_{n−1},
/// L'_{n+1} = L'_{n−1} + (2n + 1) L_n.
template <int degree, class V, class F>
void for_each_legendre(const V& x, const F& visit) {
  V below = V(0), value = V(1), slope_below = V(0), slope = V(0);
#pragma unroll
  for (int n = 0; n <= degree; ++n) {
    visit(n, legendre_norm<V>(n) * value, legendre_norm<V>(n) * slope);
    const V above = (number<V>(2 * n + 1) * x * value - number<V>(n) * below) * number<V>(1.0 / (n + 1));
    const V slope_above = slope_below + number<V>(2 * n + 1) * value;
    below = value;
    value = above;
    slope_below = slope;
    slope = slope_above;
  }
}

/// The bounding box of a polytope, with the time slab as its last direction.
template <class L>
struct Box {
  double centre[L::directions], half[L::directions], inverse[L::directions];  ///< 1 / half

  template <class Arguments>
  Box(const Arguments& a, std::int64_t polytope) {
    const double* at = a.mesh.boxes + polytope * 3 * L::dimension;
    for (int d = 0; d < L::dimension; ++d) {
      centre[d] = at[d];
      half[d] = at[L::dimension + d];
      inverse[d] = at[2 * L::dimension + d];
    }
    if constexpr (L::directions > L::dimension) {
      centre[L::dimension] = (a.begin + a.end) / 2;
      half[L::dimension] = (a.end - a.begin) / 2;
      inverse[L::dimension] = 1 / half[L::dimension];
    }
  }
};

/// A batch of points.
template <class L>
struct Points {
  PointValues<L> place[3], time, weight;
  PointValues<L> local[L::directions];  ///< place in the box, −1 … 1
};

/// Points q, or of the pack that begins there. \tparam G double, or a pack of as many as L::Value has
template <class L, class G>
void locate(Points<L>& points, const Box<L>& box, int q, const Array<G, L::dimension>& x, double t) {
  using V = typename L::Value;
#pragma unroll
  for (int d = 0; d < 3; ++d) store_lanes<V>(&points.place[d][q], d < L::dimension ? converted<V>(x[d]) : V(0));
  store_lanes<V>(&points.time[q], number<V>(t));
#pragma unroll
  for (int d = 0; d < L::dimension; ++d)
    store_lanes<V>(&points.local[d][q], converted<V>(G((x[d] - G(box.centre[d])) * G(box.inverse[d]))));
  if constexpr (L::directions > L::dimension)
    store_lanes<V>(&points.local[L::dimension][q],
                   number<V>((t - box.centre[L::dimension]) * box.inverse[L::dimension]));
}

/// Values of the modes at a batch of points: part 0 the value, part 1 + d the derivative in direction d.
template <class L>
struct ModeValues {
  PointValues<L> part[L::parts][L::modes];
};

/// Legendre polynomials and their derivatives in each direction.
template <class L>
struct Lines {
  PointValues<L> value[L::directions][L::factor_degree + 1], slope[L::directions][L::factor_degree + 1];
};

template <class L>
void evaluate_lines(Lines<L>& lines, const Points<L>& points, const Box<L>& box, int count) {
  using V = typename L::Value;
  share_points<L>(L::directions, count, [&](int d, int q) {
    const V x = load_lanes<V>(&points.local[d][q]);
    const V scale = number<V>(box.inverse[d]);
    for_each_legendre<L::factor_degree>(x, [&](int n, const V& value, const V& slope) {
      store_lanes<V>(&lines.value[d][n][q], value);
      store_lanes<V>(&lines.slope[d][n][q], slope * scale);
    });
  });
}

/// \param derivatives whether those are needed, too
template <class Config, class L>
void evaluate_modes(ModeValues<L>& modes, const Lines<L>& lines, int count, bool derivatives = true) {
  using V = typename L::Value;
  constexpr int directions = L::directions;
  share_points<L>(L::modes, count, [&](int j, int q) {
    V value[directions];
#pragma unroll
    for (int d = 0; d < directions; ++d) value[d] = load_lanes<V>(&lines.value[d][Config::mode(d, j)][q]);
    V product = value[0];
#pragma unroll
    for (int d = 1; d < directions; ++d) product = product * value[d];
    store_lanes<V>(&modes.part[0][j][q], product);
    if (!derivatives) return;
#pragma unroll
    for (int k = 0; k < directions; ++k) {
      V slope = load_lanes<V>(&lines.slope[k][Config::mode(k, j)][q]);
#pragma unroll
      for (int d = 0; d < directions; ++d)
        if (d != k) slope = slope * value[d];
      store_lanes<V>(&modes.part[1 + k][j][q], slope);
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
/// CPU: points behind the last one, up to a whole pack, repeat it with weight 0.
/// \param simplex_at(i) corners of simplex i of the list; measure_at(i)
/// \param found(q, i, x, t) is told for every pack of points of the batch in which simplex they lie, and where
/// \return how many points there are in the batch
template <int corners, class L, class SimplexAt, class MeasureAt, class Found>
int points_in(Points<L>& points, const Box<L>& box, const Rule& rule, const Times<L>& times, std::int64_t simplices,
              std::int64_t first, const SimplexAt& simplex_at, const MeasureAt& measure_at, const Found& found) {
  constexpr int d = L::dimension;
  const int instants = times.count(), each = rule.count * instants;
  const std::int64_t all = simplices * each;
  const int count = all - first < L::batch ? int(all - first) : L::batch;
  using V = typename L::Value;
  using Geometry = InDouble<V>;
  // The points of the rule that begin at `point`, as many as a pack has, in one simplex at one time.
  const auto place = [&](int q, std::int64_t simplex, int point, int instant) {
    const double* at = simplex_at(simplex);
    const double t = times.time(instant), weight = measure_at(simplex) * times.weight(instant);
    Array<Geometry, d> x;
#pragma unroll
    for (int i = 0; i < d; ++i) x[i] = Geometry(0);
#pragma unroll
    for (int c = 0; c < corners; ++c) {
      const Geometry share_of_corner = load_lanes<Geometry>(rule.points + c * rule.stride + point);
#pragma unroll
      for (int i = 0; i < d; ++i) x[i] += share_of_corner * Geometry(at[c * d + i]);
    }
    locate(points, box, q, x, t);
    store_lanes<V>(&points.weight[q],
                   converted<V>(Geometry(Geometry(weight) * load_lanes<Geometry>(rule.weights + point))));
    found(q, simplex, x, t);
  };
  if constexpr (L::threads > 1) {
    share<L>(count, [&](int q) {
      const std::int64_t k = first + q;
      place(q, k / each, int(k % each) % rule.count, int(k % each) / rule.count);
    });
  } else {
    // What a pack has beyond the points of its simplex is written over by those of the next one.
    std::int64_t simplex = first / each;
    int instant = int(first % each) / rule.count, point = int(first % each) % rule.count;
    for (int q = 0; q < count;) {
      place(q, simplex, point, instant);
      const int left = rule.count - point, taken = left < L::width ? left : L::width;
      q += taken;
      point += taken;
      if (point < rule.count) continue;
      point = 0;
      if (++instant < instants) continue;
      instant = 0;
      ++simplex;
    }
    // Behind the last point it stands again, with weight 0.
    if (count % L::width != 0) place(count, (all - 1) / each, rule.count, instants - 1);
  }
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
      [&](std::int64_t i) { return a.mesh.simplex_measures[begin + i]; }, [](auto&&...) {});
}

template <class L, class Arguments>
std::int64_t volume_point_count(const Arguments& a, std::int64_t polytope, const Times<L>& times) {
  return (a.mesh.first_simplices[polytope + 1] - a.mesh.first_simplices[polytope]) * a.volume.count * times.count();
}

}  // namespace galerna::kernels::polytopic
