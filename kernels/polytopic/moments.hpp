/// \file
/// Moments Σ_q w_f(x_q) L_k(x_q) of a few functions w_f over points of a polytope, as products [k × q] [q × f] on
/// matrix units: warps share the moments, each sums its own over all points.
#pragma once

#include "kernels/matrix_units.hpp"
#include "kernels/polytopic/moment_point.hpp"
#include "kernels/polytopic/moment_rows.hpp"

namespace galerna::kernels::polytopic {

template <class Config, int degree_>
struct MomentLayout : Layout<Config, degree_> {
  using Base = Layout<Config, degree_>;
  static constexpr int d = Base::dimension, highest = 2 * degree_, count = total_degree_modes(d, highest);
  static constexpr int threads = moment_threads(d, Base::modes);
  static constexpr int warps = threads / 32, tiles = (count + 15) / 16, own_tiles = (tiles + warps - 1) / warps;
  static constexpr int tensor = d * (d + 1) / 2;
  /// Functions of a volume: a, c, f and, if there is one, b; of facets: c0, r0, c1 a n, r1 a n (PointTerms).
  static constexpr int volume_fields = tensor + 2 + (Config::Data::moves ? d : 0), facet_fields = 2 + 2 * d;
  static constexpr int fields = volume_fields > facet_fields ? volume_fields : facet_fields;
  static constexpr int column_tiles = (volume_fields + 7) / 8;
  /// Products of polynomials of the directions behind the first.
  static constexpr int rest = d == 2 ? highest + 1 : total_degree_modes(2, highest);
  /// Lanes that read four points of eight moments meet different banks.
  static constexpr int stride_of(int points) { return points + 4; }
  static constexpr bool fits(int points) { return (highest + 1 + rest + fields) * stride_of(points) * 8 <= 48 * 1024; }
  /// Points evaluated together, as many as static shared memory has room for, and the threads that share one.
  static constexpr int batch = threads >= 64 && fits(64) ? 64 : 32, stride = stride_of(batch);
  static constexpr int sharers = threads / batch;
};

template <class L>
struct MomentBatch {
  double first[L::highest + 1][L::stride];  ///< Legendre polynomials of the first direction
  double rest[L::rest][L::stride];          ///< of the second, in space times those of the third as moments of a plane
  double field[L::fields][L::stride];
};

template <class L>
union MomentMemory {
  MomentBatch<L> batch;
  double moment[L::fields][L::count];
};

/// visit(n, L_n(x)) for n = 0 … highest
template <int highest, class F>
void for_each_polynomial(double x, const F& visit) {
  double below = 0, value = 1;
#pragma unroll
  for (int n = 0; n <= highest; ++n) {
    visit(n, value);
    const double above = ((2 * n + 1) * x * value - n * below) * (1.0 / (n + 1));
    below = value;
    value = above;
  }
}

/// Of point q, at x in the box. \param part of the threads that share the point
template <class L>
void store_polynomials(MomentBatch<L>& batch, int q, const Array<double, L::d>& x, int part) {
  if (part == 0) for_each_polynomial<L::highest>(x[0], [&](int m, double value) { batch.first[m][q] = value; });
  if constexpr (L::d == 2) {
    for_each_polynomial<L::highest>(x[1], [&](int n, double value) { batch.rest[n][q] = value; });
  } else {
    double second[L::highest + 1];
    for_each_polynomial<L::highest>(x[1], [&](int n, double value) { second[n] = value; });
    for_each_polynomial<L::highest>(x[2], [&](int o, double third) {
      if (o % L::sharers != part) return;
#pragma unroll
      for (int n = 0; n <= L::highest - o; ++n) batch.rest[moment_row(L::highest, o) + n][q] = second[n] * third;
    });
  }
}

/// The sums of a lane of a warp: of its rows of each of the warp's tiles, functions 2t and 2t + 1, t = lane % 4.
template <class Config, class L, int column_tiles>
class MomentSums {
 public:
  /// \param count points, a multiple of four
  void add(const MomentBatch<L>& batch, int count) {
    for (int q = team_rank() % 4; q < count; q += 4) {
      double right[column_tiles];
#pragma unroll
      for (int c = 0; c < column_tiles; ++c) right[c] = batch.field[column(c)][q];
      rows_.read(batch, q);
#pragma unroll
      for (int r = 0; r < L::own_tiles; ++r) {
        if (L::tiles % L::warps != 0 && tile(r) >= L::tiles) break;
        const double left[2] = {rows_.value(batch, 2 * r, q), rows_.value(batch, 2 * r + 1, q)};
#pragma unroll
        for (int c = 0; c < column_tiles; ++c)
          matrix_multiply_add(sum_[r][c][0], sum_[r][c][1], sum_[r][c][2], sum_[r][c][3], left[0], left[1], right[c]);
      }
    }
  }

  /// To memory, where others read them. \param fields how many of the functions there are
  void store(MomentMemory<L>& memory, int fields) const {
    team_sync<L>();
#pragma unroll
    for (int c = 0; c < column_tiles; ++c)
#pragma unroll
      for (int r = 0; r < L::own_tiles; ++r)
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const int field = 8 * c + 2 * (team_rank() % 4) + k % 2, eight = 2 * r + k / 2;
          if (field < fields && Rows::exists(eight)) memory.moment[field][Rows::moment(eight)] = sum_[r][c][k];
        }
    team_sync<L>();
  }

 private:
  /// Columns behind the last function repeat it; what they add up to is not kept.
  static int column(int c) {
    const int own = 8 * c + team_rank() % 32 / 4;
    return own < L::fields ? own : L::fields - 1;
  }
  static int tile(int r) {
    return team_rank() / 32 + r * L::warps;
  }

  using Rows = typename MomentRowsOf<L::d == 2, Config, L>::Type;
  Rows rows_;
  double sum_[L::own_tiles][column_tiles][4] = {};
};

/// Adds the moments of functions over `all` points. \param point_at(k) \param fields(point, q) puts the functions, with
/// the weight, where they belong; weight 0 repeats a point
template <class L, class Sums, class PointAt, class Fields>
void add_points(MomentMemory<L>& memory, Sums& sums, const Box<L>& box, int all, const PointAt& point_at,
                const Fields& fields) {
  const int q = team_rank() % L::batch, part = team_rank() / L::batch;
  for (int first = 0; first < all; first += L::batch) {
    const int count = all - first < L::batch ? all - first : L::batch, whole = (count + 3) / 4 * 4;
    team_sync<L>();
    if (q < whole) {
      auto point = point_at(q < count ? first + q : all - 1);
      Array<double, L::d> local;
#pragma unroll
      for (int k = 0; k < L::d; ++k) local[k] = (point.x[k] - box.centre[k]) * box.inverse[k];
      store_polynomials(memory.batch, q, local, part);
      if (part == L::sharers - 1) fields(point, q, q < count ? 1.0 : 0.0);
    }
    team_sync<L>();
    sums.add(memory.batch, whole);
  }
}

}  // namespace galerna::kernels::polytopic
