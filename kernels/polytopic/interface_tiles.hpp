/// \file
/// The two blocks of an interface as products of modes over its points on matrix units, for GPUs that have them
/// (kernels/polytopic/interface.hpp has the terms).
#pragma once

#include "kernels/polytopic/interface_blocks.hpp"
#include "kernels/polytopic/moments.hpp"

namespace galerna::kernels::polytopic {

template <class Config, int degree_>
struct InterfaceTiles : Layout<Config, degree_> {
  using Base = Layout<Config, degree_>;
  static constexpr int d = Base::dimension, n = Base::modes;
  static constexpr int across = (n + 7) / 8, tiles = (n + 15) / 16 * across, warps = Base::threads / 32,
                       own_tiles = (tiles + warps - 1) / warps;
  static constexpr int batch = n > 35 ? 8 : 16, stride = batch + 4;
};

/// What both sides' modes are made of at a batch of points.
template <class T>
struct InterfaceBatch {
  double line[2][T::d][T::degree + 1][T::stride], slope[2][T::d][T::degree + 1][T::stride];
  double conormal[2][T::d][T::stride];  ///< a n, n out of the first side
  double weight[T::stride], speed[T::stride], penalty[T::stride];
  double left[2][T::n][T::stride];   ///< φ and n·a∇φ of the first side
  double right[2][T::n][T::stride];  ///< of the second, what goes with them; the second is ½ w ψ
};

/// Factors of the modes, and their derivatives, of one side in one direction.
template <class T>
void store_factors(InterfaceBatch<T>& batch, int side, int direction, int q, double x, double scale) {
  for_each_legendre<T::degree>(x, [&](int n, double value, double slope) {
    batch.line[side][direction][n][q] = value;
    batch.slope[side][direction][n][q] = slope * scale;
  });
}

/// Side 0 or 1 of the interface, a part of which each thread evaluates.
template <class T>
struct OwnSide {
  int side, part, q;  ///< part 0: factors; parts − 1: a n and what both sides share; of point q
  static constexpr int parts = T::threads < 4 * T::batch ? 1 : 2;
  Box<T> box;

  OwnSide(const PolytopicArguments& a, std::int64_t interface)
      : side(team_rank() / T::batch % 2),
        part(team_rank() / (2 * T::batch)),
        q(team_rank() % T::batch),
        box(a, a.mesh.interfaces[interface * 2 + side]) {}
};

/// Points first … first + count − 1 of the interface, and three more that fill up fours, of weight 0.
template <class Config, class T>
void evaluate_interface_points(InterfaceBatch<T>& batch, const PolytopicArguments& a, std::int64_t interface, int all,
                               int first, int whole) {
  constexpr int d = T::d;
  const OwnSide<T> own(a, interface);
  if (own.part >= own.parts || own.q >= whole) return;
  const std::int64_t begin = a.mesh.first_facets[interface];
  const Box<T>& box = own.box;
  const int q = own.q, side = own.side, number = first + q < all ? first + q : all - 1;
  const auto corners = [&](int facet) { return a.mesh.facets + (begin + facet) * (d + 1) * d; };
  const MomentPoint<Config> point = moment_point<Config, d>(a.facet, a.begin, number, corners);
  if (own.part == 0)
#pragma unroll
    for (int i = 0; i < d; ++i)
      store_factors(batch, side, i, q, (point.x[i] - box.centre[i]) * box.inverse[i], box.inverse[i]);
  if (own.part != own.parts - 1) return;
  Array<double, d> normal;
  Array<double, 4> x = point.x;
  const double step = side == 0 ? inside_step<T>(box) : -inside_step<T>(box);
#pragma unroll
  for (int i = 0; i < d; ++i) {
    normal[i] = corners(point.simplex)[d * d + i];
    x[i] -= step * normal[i];
  }
  const auto conormal = times_diffusion<d>(diffusion_at<Config, double>(x), normal);
#pragma unroll
  for (int i = 0; i < d; ++i) batch.conormal[side][i][q] = conormal[i];
  if (side == 0) {
    batch.weight[q] = first + q < all ? point.weight * a.mesh.facet_measures[(begin + point.simplex) * 3] : 0;
    batch.penalty[q] = a.penalty[begin + point.simplex];
    return;
  }
  double speed = 0;
  if constexpr (Config::Data::moves) {
    const auto velocity = velocity_at<Config, double>(x);
#pragma unroll
    for (int i = 0; i < d; ++i) speed += velocity[i] * normal[i];
  }
  batch.speed[q] = speed;
}

/// What goes into the products.
template <class Config, class T>
void evaluate_interface_modes(InterfaceBatch<T>& b, int whole) {
  constexpr int d = T::d;
  share<T>(2 * T::n * T::batch, [&](int k) {
    const int q = k % T::batch, part = k / T::batch, side = part / T::n, j = part % T::n;
    if (q >= whole) return;
    double line[d], value = 1, flux = 0;
#pragma unroll
    for (int i = 0; i < d; ++i) {
      line[i] = b.line[side][i][Config::mode(i, j)][q];
      value *= line[i];
    }
#pragma unroll
    for (int i = 0; i < d; ++i) {
      double slope = b.slope[side][i][Config::mode(i, j)][q];
#pragma unroll
      for (int l = 0; l < d; ++l)
        if (l != i) slope *= line[l];
      flux += b.conormal[side][i][q] * slope;
    }
    if (side == 0) {
      b.left[0][j][q] = value;
      b.left[1][j][q] = flux;
      return;
    }
    const double w = b.weight[q], entering = -b.speed[q], inflow = entering > 0 ? entering : 0;
    b.right[0][j][q] = -w * ((b.penalty[q] + inflow) * value + 0.5 * flux);
    b.right[1][j][q] = 0.5 * w * value;
  });
}

/// Sums of the tiles of a warp.
template <class Config, class T>
class InterfaceTileSums {
 public:
  void add(const InterfaceBatch<T>& b, int count) {
    const int g = team_rank() % 32 / 4;
    for (int q = team_rank() % 4; q < count; q += 4)
#pragma unroll
      for (int r = 0; r < T::own_tiles; ++r) {
        if (T::tiles % T::warps != 0 && tile(r) >= T::tiles) break;
        const int upper = inside(row(r) + g), lower = inside(row(r) + g + 8), column = inside(this->column(r) + g);
        const double value[2] = {b.left[0][upper][q], b.left[0][lower][q]};
        matrix_multiply_add(both_[r][0], both_[r][1], both_[r][2], both_[r][3], value[0], value[1],
                            b.right[0][column][q]);
        const double half = b.right[1][column][q];
        matrix_multiply_add(both_[r][0], both_[r][1], both_[r][2], both_[r][3], b.left[1][upper][q],
                            b.left[1][lower][q], half);
        if constexpr (Config::Data::moves)
          matrix_multiply_add(flow_[r][0], flow_[r][1], flow_[r][2], flow_[r][3], value[0], value[1],
                              -2 * b.speed[q] * half);
      }
  }

  /// f(i, j, entry of the block (first, second), what that of (second, first) has beside)
  template <class F>
  void for_each(const F& f) const {
#pragma unroll
    for (int r = 0; r < T::own_tiles; ++r)
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (tile(r) < T::tiles)
          f(row(r) + team_rank() % 32 / 4 + k / 2 * 8, column(r) + 2 * (team_rank() % 4) + k % 2, both_[r][k],
            Config::Data::moves ? flow_[r][k] : 0.0);
  }

 private:
  static int tile(int r) {
    return team_rank() / 32 + r * T::warps;
  }
  static int row(int r) {
    return tile(r) / T::across * 16;
  }
  static int column(int r) {
    return tile(r) % T::across * 8;
  }
  /// Modes behind the last one repeat it; what they add up is not kept.
  static int inside(int mode) {
    return mode < T::n ? mode : T::n - 1;
  }

  double both_[T::own_tiles][4] = {}, flow_[Config::Data::moves ? T::own_tiles : 1][4] = {};
};

/// The blocks of interface list[item], for the larger of the degrees of its sides.
template <class Config, int degree>
void interface_tiles(const PolytopicArguments& a, std::int64_t item) {
  using T = InterfaceTiles<Config, degree>;
  __shared__ InterfaceBatch<T> batch;
  const std::int64_t interface = a.list[item];
  InterfaceTileSums<Config, T> sums;
  const int all = int(a.mesh.first_facets[interface + 1] - a.mesh.first_facets[interface]) * a.facet.count;
  for (int begin = 0; begin < all; begin += T::batch) {
    const int count = all - begin < T::batch ? all - begin : T::batch, whole = (count + 3) / 4 * 4;
    team_sync<T>();
    evaluate_interface_points<Config>(batch, a, interface, all, begin, whole);
    team_sync<T>();
    evaluate_interface_modes<Config>(batch, whole);
    sums.add(batch, whole);
  }
  store_interface_blocks<Config>(a, interface, sums);
}

}  // namespace galerna::kernels::polytopic
