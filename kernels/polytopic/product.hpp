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
/// \tparam n rows and columns of the block
template <class L, int n>
constexpr TileShape<L> tile_shape() {
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

/// What a sum over points is kept in until all of them are in it: on the CPU a pack of sums, unless blocks are so large
/// that they would leave the caches.
template <class L>
constexpr bool sums_are_packs() {
  return L::width > 1 && L::modes * L::modes * int(sizeof(typename L::Value)) <= 1 << 17;
}
template <class L, bool packs>
struct SumType {
  using type = typename L::Real;
};
template <class L>
struct SumType<L, true> {
  using type = typename L::Value;
};
template <class L>
using Sum = typename SumType<L, sums_are_packs<L>()>::type;

template <class L>
typename L::Real total(const Sum<L>& sum) {
  return lane_sum(sum);
}

template <class L>
void add_to(Sum<L>& sum, const typename L::Value& value) {
  if constexpr (sums_are_packs<L>())
    sum += value;
  else
    sum += lane_sum(value);
}

/// add(i, j, sum) for the sums of the batch.
/// \param p, q [part][mode][point], `parts` of them from the pointers on
/// \tparam symmetric whether the sums are; then those on and below the diagonal are made
/// \tparam left_out how many of the first modes are; i and j count those behind
template <class L, bool symmetric, int left_out = 0, class Add>
void add_products(const PointValues<L> (*p)[L::modes], const PointValues<L> (*q)[L::modes], int parts, int count,
                  const Add& add) {
  using V = typename L::Value;
  constexpr int n = L::modes - left_out;
  constexpr TileShape<L> tile = tile_shape<L, n>();
  constexpr int across = n > 0 ? (n + tile.columns - 1) / tile.columns : 1, down = (n + tile.rows - 1) / tile.rows;
  share<L>(across * down, [&](int k) {
    const int row = k / across * tile.rows, column = k % across * tile.columns;
    if (symmetric && column >= row + tile.rows) return;
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
        for (int i = 0; i < tile.rows; ++i)
          left[i] = load_lanes<V>(&p[part][left_out + (row + i < n ? row + i : n - 1)][point]);
#pragma unroll
        for (int j = 0; j < tile.columns; ++j)
          right[j] = load_lanes<V>(&q[part][left_out + (column + j < n ? column + j : n - 1)][point]);
#pragma unroll
        for (int i = 0; i < tile.rows; ++i)
#pragma unroll
          for (int j = 0; j < tile.columns; ++j) sums[i][j] += left[i] * right[j];
      }
#pragma unroll
    for (int i = 0; i < tile.rows; ++i)
#pragma unroll
      for (int j = 0; j < tile.columns; ++j)
        if (row + i < n && column + j < n && (!symmetric || column + j <= row + i))
          add(row + i, column + j, sums[i][j]);
  });
}

/// To add to a block [mode][mode].
template <class L>
auto into(Sum<L>* block) {
  return [block](int i, int j, const typename L::Value& sum) { add_to<L>(block[i * L::modes + j], sum); };
}

/// sums(i) += Σ_q p(i, q) c(q).
template <class L>
void add_integrals(const PointValues<L>* p, const PointValues<L>& c, int count, Sum<L>* sums) {
  using V = typename L::Value;
  share<L>(L::modes, [&](int i) {
    V sum = V(0);
    for (int point = 0; point < count; point += L::width) sum += load_lanes<V>(&p[i][point]) * load_lanes<V>(&c[point]);
    add_to<L>(sums[i], sum);
  });
}

template <class L>
void set_to_zero(Sum<L>* sums, int count) {
  share<L>(count, [&](int k) { sums[k] = Sum<L>(0); });
}

}  // namespace galerna::kernels::polytopic
