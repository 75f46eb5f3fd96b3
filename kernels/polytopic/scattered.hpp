/// \file
/// Assembly as Z. Dong, E. H. Georgoulis, T. Kappas, GPU-accelerated discontinuous Galerkin methods on polytopic meshes
/// (SIAM J. Sci. Comput. 43 (2021), § 3.3 and § 3.4), to measure others beside it: a thread a simplex of a polytope,
/// and a thread a facet and block of the matrix. What they sum goes
///   approach 1: to a slot of its own, with row and column; slots are sorted and equal ones added up,
///   approach 2: to its place in the matrix, found by bisection, by atomic additions.
/// Rows and columns are those of blocks. Slots are sorted by Batcher's bitonic network, where the authors sort single
/// numbers on the host.
#pragma once

#include "kernels/polytopic/moment_point.hpp"

#ifndef __CUDACC_RTC__
#include <atomic>
#endif

namespace galerna::kernels::polytopic {

struct ScatteredArguments {
  PolytopicArguments assembly;
  const std::int64_t* rows;     ///< [polytope + 1] pattern of the matrix
  const std::int32_t* columns;  ///< [block]
  const std::int64_t* offsets;  ///< [block]
  std::int64_t count;           ///< of the launch's items
  std::int64_t polytopes, simplices, inner_facets;
  double* slots;  ///< [number of a block][contribution]; null: atomic additions
  std::int64_t contributions;
  std::int64_t* keys;             ///< [contribution, and up to a power of two] row · 2³² + column
  std::int64_t* ids;              ///< [the same] contributions, in the order of the keys when sorted
  std::int64_t length, distance;  ///< of a stage of the network
};

inline double* block_at(const ScatteredArguments& a, std::int64_t row, std::int64_t column) {
  const std::int64_t begin = a.rows[row];
  const std::int64_t block = begin + last_not_above(a.columns + begin, a.rows[row + 1] - begin, std::int32_t(column));
  return static_cast<double*>(a.assembly.values) + a.offsets[block];
}

inline void add_atomically(double& to, double number) {
#ifdef __CUDACC_RTC__
  atomicAdd(&to, number);
#else
  std::atomic_ref<double>(to).fetch_add(number, std::memory_order_relaxed);
#endif
}

/// What one thread sums: a block, and a part of the right-hand side if it is on the diagonal.
template <class L>
struct Contribution {
  double block[L::modes * L::modes], load[L::modes];
  int rows, columns;

  Contribution(int rows_, int columns_) : rows(rows_), columns(columns_) {
    for (int k = 0; k < rows * columns; ++k) block[k] = 0;
    for (int k = 0; k < rows; ++k) load[k] = 0;
  }

  void deliver(const ScatteredArguments& a, std::int64_t row, std::int64_t column, std::int64_t number) const {
    if (a.slots) {
      a.keys[number] = (row << 32) + column;
      a.ids[number] = number;
      for (int k = 0; k < rows * columns; ++k) a.slots[k * a.contributions + number] = block[k];
      if (row == column)
        for (int k = 0; k < rows; ++k) a.slots[(rows * rows + k) * a.contributions + number] = load[k];
      return;
    }
    double* values = block_at(a, row, column);
    for (int k = 0; k < rows * columns; ++k) add_atomically(values[k], block[k]);
    double* right_hand_side = static_cast<double*>(a.assembly.right_hand_side) + a.assembly.first_unknowns[row];
    if (row == column)
      for (int k = 0; k < rows; ++k) add_atomically(right_hand_side[k], load[k]);
  }
};

/// Of simplex number `item`.
template <class Config, int degree>
void scatter_simplex(const ScatteredArguments& s, std::int64_t item) {
  using L = OneThread<Config, degree>;
  constexpr int d = L::dimension;
  const PolytopicArguments& a = s.assembly;
  const std::int64_t polytope = last_not_above(a.mesh.first_simplices, s.polytopes, item);
  const Box<L> box(a, polytope);
  const int n = modes_of_degree<Config>(a.mesh.degrees[polytope]);
  Contribution<L> sum(n, n);
  for (int q = 0; q < a.volume.count; ++q) {
    const auto x = point_of_simplex<d, d + 1>(a.volume, q, a.mesh.simplices + item * (d + 1) * d, a.begin);
    const double w = a.volume.weights[q] * a.mesh.simplex_measures[item];
    const PointModes<Config, L> modes(box, x);
    const auto diffusion = diffusion_at<Config, double>(x);
    const auto velocity = velocity_at<Config, double>(x);
    const double reaction = Config::Data::template reaction<double>(x[0], x[1], x[2], x[3]),
                 source = Config::Data::template source<double>(x[0], x[1], x[2], x[3]);
    for (int j = 0; j < n; ++j) {
      Array<double, d> gradient;
      for (int k = 0; k < d; ++k) gradient[k] = w * modes.gradient[k][j];
      const Array<double, d> flux = times_diffusion<d>(diffusion, gradient);
      double low = w * reaction * modes.value[j];
      for (int k = 0; k < d; ++k) low += velocity[k] * gradient[k];
      for (int i = 0; i < n; ++i) sum.block[i * n + j] += modes.along(flux, i) + low * modes.value[i];
      sum.load[j] += w * source * modes.value[j];
    }
  }
  sum.deliver(s, polytope, polytope, item);
}

/// Of one side's own values on a facet. \param own 2 · facet + side
template <class Config, class L>
void scatter_own_side(const ScatteredArguments& s, std::int64_t own, std::int64_t number) {
  constexpr int d = L::dimension;
  const PolytopicArguments& a = s.assembly;
  const std::int64_t polytope = a.mesh.facet_polytopes[own];
  const Box<L> box(a, polytope);
  const int n = modes_of_degree<Config>(a.mesh.degrees[polytope]);
  Contribution<L> sum(n, n);
  for (int q = 0; q < a.facet.count; ++q) {
    const auto x = point_of_simplex<d, d>(a.facet, q, a.mesh.facets + own / 2 * (d + 1) * d, a.begin);
    const OwnFacetPoint<Config> f = own_facet_point<Config>(a, own, box, {x, a.facet.weights[q], 0});
    const PointTerms<double> terms = point_terms(f);
    const PointModes<Config, L> modes(box, x);
    for (int j = 0; j < n; ++j) {
      const double flux = modes.along(f.conormal, j);
      for (int i = 0; i < n; ++i)
        sum.block[i * n + j] += (terms.c0 * modes.value[j] - terms.c1 * flux) * modes.value[i] -
                                terms.c1 * modes.value[j] * modes.along(f.conormal, i);
      sum.load[j] += terms.r0 * modes.value[j] + terms.r1 * flux;
    }
  }
  sum.deliver(s, polytope, polytope, number);
}

/// Of both sides' values, in the row of `side`.
template <class Config, class L>
void scatter_across(const ScatteredArguments& s, std::int64_t facet, int side, std::int64_t number) {
  constexpr int d = L::dimension;
  const PolytopicArguments& a = s.assembly;
  const std::int64_t polytopes[2] = {a.mesh.facet_polytopes[facet * 2 + side],
                                     a.mesh.facet_polytopes[facet * 2 + 1 - side]};
  const Box<L> boxes[2] = {Box<L>(a, polytopes[0]), Box<L>(a, polytopes[1])};
  const int rows = modes_of_degree<Config>(a.mesh.degrees[polytopes[0]]),
            columns = modes_of_degree<Config>(a.mesh.degrees[polytopes[1]]);
  Contribution<L> sum(rows, columns);
  for (int q = 0; q < a.facet.count; ++q) {
    const auto x = point_of_simplex<d, d>(a.facet, q, a.mesh.facets + facet * (d + 1) * d, a.begin);
    const MomentPoint<Config> point = {x, a.facet.weights[q], 0};
    const OwnFacetPoint<Config> here = own_facet_point<Config>(a, facet * 2 + side, boxes[0], point),
                                there = own_facet_point<Config>(a, facet * 2 + 1 - side, boxes[1], point);
    // The flow is taken on the facet's second side.
    const double speed = side == 0 ? -there.speed : here.speed, w = here.point.weight,
                 jump = here.penalty + (speed < 0 ? -speed : 0);
    const PointModes<Config, L> row(boxes[0], x), column(boxes[1], x);
    for (int j = 0; j < columns; ++j) {
      const double value = -w * (jump * column.value[j] - 0.5 * column.along(there.conormal, j)),
                   half = 0.5 * w * column.value[j];
      for (int i = 0; i < rows; ++i)
        sum.block[i * columns + j] += value * row.value[i] + half * row.along(here.conormal, i);
    }
  }
  sum.deliver(s, polytopes[0], polytopes[1], number);
}

/// Of four blocks of each facet between polytopes, then of one of each on the boundary.
template <class Config, int degree>
void scatter_facet(const ScatteredArguments& s, std::int64_t item) {
  using L = OneThread<Config, degree>;
  const std::int64_t number = s.simplices + item, boundary = item - 4 * s.inner_facets;
  if (boundary >= 0) return scatter_own_side<Config, L>(s, 2 * (s.inner_facets + boundary), number);
  const std::int64_t facet = item / 4;
  const int part = int(item % 4);
  if (part < 2) return scatter_own_side<Config, L>(s, 2 * facet + part, number);
  scatter_across<Config, L>(s, facet, part - 2, number);
}

/// Contributions that fill up a power of two come last.
inline void fill_keys(const ScatteredArguments& s, std::int64_t item) {
  s.keys[s.contributions + item] = std::int64_t(1) << 62;
  s.ids[s.contributions + item] = s.contributions + item;
}

/// One stage of the network: pairs at `distance` in pieces of `length`, which ascend and descend by turns.
inline void sort_stage(const ScatteredArguments& s, std::int64_t item) {
  const std::int64_t low = item / s.distance * 2 * s.distance + item % s.distance, high = low + s.distance;
  const bool ascending = (low & s.length) == 0;
  const std::int64_t key[2] = {s.keys[low], s.keys[high]}, id[2] = {s.ids[low], s.ids[high]};
  const bool larger = key[0] > key[1] || (key[0] == key[1] && id[0] > id[1]);
  if (larger != ascending) return;
  s.keys[low] = key[1];
  s.keys[high] = key[0];
  s.ids[low] = id[1];
  s.ids[high] = id[0];
}

/// Adds up equal keys: thread `item` those that begin there, in their order.
template <class Config>
void add_duplicates(const ScatteredArguments& s, std::int64_t item) {
  const std::int64_t key = s.keys[item];
  if (item > 0 && s.keys[item - 1] == key) return;
  const PolytopicArguments& a = s.assembly;
  const std::int64_t row = key >> 32, column = key & 0xffffffff;
  const int rows = modes_of_degree<Config>(a.mesh.degrees[row]),
            columns = modes_of_degree<Config>(a.mesh.degrees[column]);
  std::int64_t end = item + 1;
  while (end < s.contributions && s.keys[end] == key) ++end;
  const auto sum = [&](int k) {
    double total = 0;
    for (std::int64_t at = item; at < end; ++at) total += s.slots[k * s.contributions + s.ids[at]];
    return total;
  };
  double* values = block_at(s, row, column);
  for (int k = 0; k < rows * columns; ++k) values[k] = sum(k);
  if (row != column) return;
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[row];
  for (int k = 0; k < rows; ++k) right_hand_side[k] = sum(rows * rows + k);
}

}  // namespace galerna::kernels::polytopic
