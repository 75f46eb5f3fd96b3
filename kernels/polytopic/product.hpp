/// \file
/// Sums of products over a batch of points, block(i, j) += Σ_q Σ_part p(part, i, q) q(part, j, q): each thread has
/// tiles of the block in registers.
#pragma once

#include "kernels/polytopic/basis.hpp"

namespace galerna::kernels::polytopic {

template <class L>
struct TileShape {
  int rows, columns;
};

/// GPU: the smallest square of which the team has enough. CPU: what costs least, as tiles of more rows load less, but
/// have more to waste at the block's end.
template <class L>
constexpr TileShape<L> tile_shape() {
  constexpr int n = L::modes;
  if (L::threads > 1) {
    int side = 1;
    while (side < 6 && ((n + side - 1) / side) * ((n + side - 1) / side) > L::threads) ++side;
    return {side, side};
  }
  TileShape<L> best = {1, 1};
  double least = 1e300;
  for (int rows = 1; rows <= 5; ++rows)
    for (int columns = 1; columns <= 4 && rows * columns <= 12; ++columns) {
      const double tiles = double((n + rows - 1) / rows) * ((n + columns - 1) / columns);
      const double cost = tiles * (rows * columns + 0.7 * (rows + columns) + 1);
      if (cost < least) {
        least = cost;
        best = {rows, columns};
      }
    }
  return best;
}

/// \param p, q [part][mode][point], `parts` of them from the pointers on
/// \param block [mode][mode], owned by the team
template <class L>
void add_products(const PointValues<L> (*p)[L::modes], const PointValues<L> (*q)[L::modes], int parts, int count,
                  typename L::Real* block) {
  using V = typename L::Value;
  constexpr int n = L::modes;
  constexpr TileShape<L> tile = tile_shape<L>();
  constexpr int across = (n + tile.columns - 1) / tile.columns, down = (n + tile.rows - 1) / tile.rows;
  share<L>(across * down, [&](int k) {
    const int row = k / across * tile.rows, column = k % across * tile.columns;
    V sums[tile.rows][tile.columns];
#pragma unroll
    for (int i = 0; i < tile.rows; ++i)
#pragma unroll
      for (int j = 0; j < tile.columns; ++j) sums[i][j] = V(0);
    for (int part = 0; part < parts; ++part)
      for (int point = 0; point < count; point += L::width) {
        V left[tile.rows], right[tile.columns];
        // Rows behind the last one repeat it; what they add up is not kept.
#pragma unroll
        for (int i = 0; i < tile.rows; ++i) left[i] = load_points<V>(&p[part][row + i < n ? row + i : n - 1][point]);
#pragma unroll
        for (int j = 0; j < tile.columns; ++j)
          right[j] = load_points<V>(&q[part][column + j < n ? column + j : n - 1][point]);
#pragma unroll
        for (int i = 0; i < tile.rows; ++i)
#pragma unroll
          for (int j = 0; j < tile.columns; ++j) sums[i][j] += left[i] * right[j];
      }
#pragma unroll
    for (int i = 0; i < tile.rows; ++i)
#pragma unroll
      for (int j = 0; j < tile.columns; ++j)
        if (row + i < n && column + j < n) block[(row + i) * n + column + j] += lane_sum(sums[i][j]);
  });
}

/// sums(i) += Σ_q p(i, q) c(q).
template <class L>
void add_integrals(const PointValues<L>* p, const PointValues<L>& c, int count, typename L::Real* sums) {
  using V = typename L::Value;
  share<L>(L::modes, [&](int i) {
    V sum = V(0);
    for (int point = 0; point < count; point += L::width)
      sum += load_points<V>(&p[i][point]) * load_points<V>(&c[point]);
    sums[i] += lane_sum(sum);
  });
}

}  // namespace galerna::kernels::polytopic
