/// \file
/// Moments Σ_q w_f(x_q) L_k(x_q) of a few functions w_f over points of a polytope, as products [k × q] [q × f] on
/// matrix units: warps share the moments, each sums its own over all points.
#pragma once

#include "kernels/matrix_units.hpp"
#include "kernels/polytopic/moment_point.hpp"

namespace galerna::kernels::polytopic {

template <class Config, int degree_>
struct MomentLayout : Layout<Config, degree_> {
  using Base = Layout<Config, degree_>;
  static constexpr int d = Base::dimension, highest = 2 * degree_, count = total_degree_modes(d, highest);
  static constexpr int warps = Base::threads / 32, tiles = (count + 15) / 16, own_tiles = (tiles + warps - 1) / warps;
  static constexpr int tensor = d * (d + 1) / 2;
  /// Functions of a volume: a, c, f and, if there is one, b.
  static constexpr int volume_fields = tensor + 2 + (Config::Data::moves ? d : 0);
  static constexpr int column_tiles = (volume_fields + 7) / 8;
  /// Points evaluated together; fewer where the pair of matrices of the eigenvalue leaves little room.
  static constexpr int batch = Base::modes > 35 ? 16 : 32;
  /// Lanes that read four points of eight moments meet different banks.
  static constexpr int stride = batch + 4;
};

template <class L>
struct MomentBatch {
  double line[L::d][L::highest + 1][L::stride];  ///< Legendre polynomials in each direction
  double field[8 * L::column_tiles][L::stride];
};

template <class L>
union MomentMemory {
  MomentBatch<L> batch;
  double moment[8][L::count];
};

template <class L>
void store_line(MomentBatch<L>& batch, int direction, int q, double x) {
  double below = 0, value = 1;
#pragma unroll
  for (int n = 0; n <= L::highest; ++n) {
    batch.line[direction][n][q] = value;
    const double above = ((2 * n + 1) * x * value - n * below) * (1.0 / (n + 1));
    below = value;
    value = above;
  }
}

/// The sums of a lane of a warp: of moments g and g + 8 of each of its tiles, g = lane / 4, functions 2t and 2t + 1,
/// t = lane % 4.
template <class Config, class L, int column_tiles>
class MomentSums {
 public:
  MomentSums() {
#pragma unroll
    for (int r = 0; r < L::own_tiles; ++r)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int k = row(r, half);
#pragma unroll
        for (int direction = 0; direction < L::d; ++direction)
          line_[r][half][direction] = k < L::count ? Config::template moment<L::degree>(direction, k) * L::stride : 0;
      }
  }

  /// \param count points, a multiple of four
  void add(const MomentBatch<L>& batch, int count) {
    for (int q = team_rank() % 4; q < count; q += 4) {
      double right[column_tiles];
#pragma unroll
      for (int c = 0; c < column_tiles; ++c) right[c] = batch.field[8 * c + team_rank() % 32 / 4][q];
#pragma unroll
      for (int r = 0; r < L::own_tiles; ++r) {
        if (L::tiles % L::warps != 0 && tile(r) >= L::tiles) break;
        double left[2];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          left[half] = batch.line[0][0][line_[r][half][0] + q];
#pragma unroll
          for (int direction = 1; direction < L::d; ++direction)
            left[half] *= batch.line[direction][0][line_[r][half][direction] + q];
        }
#pragma unroll
        for (int c = 0; c < column_tiles; ++c)
          matrix_multiply_add(sum_[r][c][0], sum_[r][c][1], sum_[r][c][2], sum_[r][c][3], left[0], left[1], right[c]);
      }
    }
  }

  /// Functions 8 c, 8 c + 1, … to memory.
  void store(MomentMemory<L>& memory, int c) const {
    team_sync<L>();
#pragma unroll
    for (int r = 0; r < L::own_tiles; ++r)
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (const int moment = row(r, k / 2); moment < L::count)
          memory.moment[2 * (team_rank() % 4) + k % 2][moment] = sum_[r][c][k];
    team_sync<L>();
  }

 private:
  static int tile(int r) {
    return team_rank() / 32 + r * L::warps;
  }
  static int row(int r, int half) {
    return 16 * tile(r) + team_rank() % 32 / 4 + 8 * half;
  }

  int line_[L::own_tiles][2][L::d];
  double sum_[L::own_tiles][column_tiles][4] = {};
};

/// Adds the moments of functions over `all` points. \param point_at(k) \param fields(point, q) puts the functions, with
/// the weight, where they belong; weight 0 repeats a point
template <class L, class Sums, class PointAt, class Fields>
void add_points(MomentMemory<L>& memory, Sums& sums, const Box<L>& box, int all, const PointAt& point_at,
                const Fields& fields) {
  for (int first = 0; first < all; first += L::batch) {
    const int count = all - first < L::batch ? all - first : L::batch, whole = (count + 3) / 4 * 4;
    team_sync<L>();
    share<L>((L::d + 1) * L::batch, [&](int k) {
      const int part = k / L::batch, q = k % L::batch;
      if (q >= whole) return;
      auto point = point_at(q < count ? first + q : all - 1);
      if (part < L::d)
        store_line(memory.batch, part, q, (point.x[part] - box.centre[part]) * box.inverse[part]);
      else
        fields(point, q, q < count ? 1.0 : 0.0);
    });
    sums.add(memory.batch, whole);
  }
}

}  // namespace galerna::kernels::polytopic
