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
  static constexpr bool moves = Config::Data::moves, reacts = Config::Data::reacts;
  static constexpr MomentSizes sizes = {Base::dimension, degree_, moves};
  static constexpr int d = Base::dimension, highest = sizes.highest(), count = sizes.count(), rest = sizes.rest();
  static constexpr int threads = sizes.threads(), warps = threads / 32, teams = sizes.teams(),
                       columns = sizes.columns();
  /// Up to which degree there are moments of what stands between two gradients.
  static constexpr int highest_of_gradients = highest - 2;
  static constexpr bool apart = sizes.apart();
  static constexpr int tensor = sizes.tensor(), source = tensor, reaction = sizes.reaction(), velocity = reaction + 1;
  static constexpr int volume_fields = sizes.volume_fields(), facet_fields = sizes.facet_fields(),
                       fields = sizes.fields();
  /// Points evaluated together, and the threads that share one.
  static constexpr int batch = sizes.batch(), stride = sizes.stride_of(batch), sharers = threads / batch;

  /// The calling thread's team in its group, and its number there.
  static int team() { return int(threadIdx.x) / threads; }
  static int rank() { return int(threadIdx.x) % threads; }
};

/// For all teams of a group.
template <class L>
void group_sync() {
  if constexpr (L::teams * L::threads == 32)
    __syncwarp();
  else
    __syncthreads();
}

/// Which moments are summed, up to a degree, and of how many functions: first ones up to a degree of their own.
template <int highest_, int fields_, int highest_of_first_ = highest_, int first_fields_ = fields_>
struct MomentSet {
  static constexpr int highest = highest_, fields = fields_, highest_of_first = highest_of_first_,
                       first_fields = first_fields_, column_tiles = (fields + 7) / 8;
};

template <class L>
struct MomentSets {
  static constexpr int low = L::highest_of_gradients, high = L::moves || L::reacts ? L::highest : low;
  using Volume = MomentSet<high, L::volume_fields, L::apart ? low : high, L::apart ? L::source + 1 : L::volume_fields>;
  using NormalFluxes = MomentSet<low, L::tensor>;
  using Facets = MomentSet<L::highest, L::facet_fields>;
};

template <class L>
struct MomentBatch {
  double first[L::highest + 1][L::stride];  ///< Legendre polynomials of the first direction
  double rest[L::rest][L::stride];          ///< of the second, in space times those of the third, by degree
  double field[L::fields][L::stride];
};

/// Shared memory of a group.
template <class L>
union MomentMemory {
  MomentBatch<L> batch[L::teams];
  struct {
    double moment[L::fields][L::count][L::columns];  ///< the last by teams
    double block[L::sizes.staged()];                 ///< by teams, too
  };

  /// As much as the launch has room for.
  static MomentMemory& of_group() {
    static_assert(sizeof(MomentMemory) == L::sizes.bytes());
    extern __shared__ double moment_memory[];
    return *reinterpret_cast<MomentMemory*>(moment_memory);
  }
  MomentBatch<L>& own_batch() { return batch[L::team()]; }
};

/// visit(n, L_n(x)) for n = 0 … highest
template <int highest, class F>
void for_each_polynomial(double x, const F& visit) {
  double below = 0, value = 1;
#pragma unroll
  for (int n = 0; n <= highest; ++n) {
    visit(n, value);
    const double above = (2 * n + 1.0) / (n + 1) * x * value - n / (n + 1.0) * below;
    below = value;
    value = above;
  }
}

/// Of point q, at x in the box. \param part of the threads that share the point
template <class Set, class L>
void store_polynomials(MomentBatch<L>& batch, int q, const Array<double, L::d>& x, int part) {
  if (part == 0) for_each_polynomial<Set::highest>(x[0], [&](int m, double value) { batch.first[m][q] = value; });
  if constexpr (L::d == 2) {
    for_each_polynomial<Set::highest>(x[1], [&](int n, double value) { batch.rest[n][q] = value; });
  } else {
    double second[Set::highest + 1];
    for_each_polynomial<Set::highest>(x[1], [&](int n, double value) { second[n] = value; });
    for_each_polynomial<Set::highest>(x[2], [&](int o, double third) {
      if (o % L::sharers != part) return;
#pragma unroll
      for (int n = 0; n <= Set::highest - o; ++n) batch.rest[rest_number(n, o)][q] = second[n] * third;
    });
  }
}

/// Which tiles of 16 rows, two eights, each warp of a team has.
template <class Rows, int warps, int column_tiles>
struct MomentTiles {
  static constexpr int count = (Rows::eights() + 1) / 2;

  /// Of columns that are wanted of a tile, the first.
  static constexpr int first_column(int tile) { return column_tiles > 1 && !Rows::has_first_columns(2 * tile) ? 1 : 0; }
  static constexpr int columns(int tile) { return column_tiles - first_column(tile); }
  /// One that has least to do before.
  static constexpr int owner(int tile) {
    int work[warps] = {}, warp = 0;
    for (int before = 0; before <= tile; ++before) {
      warp = 0;
      for (int other = 1; other < warps; ++other)
        if (work[other] < work[warp]) warp = other;
      work[warp] += columns(before);
    }
    return warp;
  }
  /// Tiles of 16 × 8 sums that a warp has in its tiles before this one.
  static constexpr int sums_before(int warp, int tile) {
    int sums = 0;
    for (int before = 0; before < tile; ++before)
      if (owner(before) == warp) sums += columns(before);
    return sums;
  }
  static constexpr int most_sums() {
    int most = 0;
    for (int warp = 0; warp < warps; ++warp)
      if (sums_before(warp, count) > most) most = sums_before(warp, count);
    return most;
  }
};

/// The sums of a lane of a warp: of its rows of each of the warp's tiles, functions 2t and 2t + 1, t = lane % 4.
template <class L, class Set>
class MomentSums {
 public:
  using PointSet = Set;

  /// \param count points, a multiple of four
  void add(const MomentBatch<L>& batch, int count) {
    for_own_warp([&](auto warp) {
      for (int q = team_rank() % 4; q < count; q += 4) {
        double right[Set::column_tiles];
#pragma unroll
        for (int c = 0; c < Set::column_tiles; ++c) {
          const int own = 8 * c + team_rank() % 32 / 4;
          // Columns behind the last function repeat it; what they add up to is not kept.
          right[c] = batch.field[own < fields_until(c) ? own : fields_until(c) - 1][q];
        }
        rows_.read(batch, q);
        for_each_tile<decltype(warp)::value>([&](auto tile, auto sums) {
          constexpr int upper = 2 * decltype(tile)::value, first = Tiles::first_column(decltype(tile)::value);
          const double left[2] = {rows_.template value<upper>(batch, q), rows_.template value<upper + 1>(batch, q)};
#pragma unroll
          for (int c = first; c < Set::column_tiles; ++c) {
            double(&sum)[4] = sum_[sums + c - first];
            matrix_multiply_add(sum[0], sum[1], sum[2], sum[3], left[0], left[1], right[c]);
          }
        });
      }
    });
  }

  /// To memory, where the group reads them.
  void store(MomentMemory<L>& memory) const {
    group_sync<L>();
    for_own_warp([&](auto warp) {
      for_each_tile<decltype(warp)::value>([&](auto tile, auto sums) {
        for_each_number<2>([&](auto half) {
          constexpr int eight = 2 * decltype(tile)::value + decltype(half)::value,
                        first = Tiles::first_column(decltype(tile)::value);
          if (!Rows::template exists<eight>()) return;
          const int moment = Rows::template moment<eight>();
#pragma unroll
          for (int c = first; c < Set::column_tiles; ++c)
#pragma unroll
            for (int k = 0; k < 2; ++k) {
              const int field = 8 * c + 2 * (team_rank() % 4) + k;
              if (field < fields_until(c))
                memory.moment[field][moment][L::team()] = sum_[sums + c - first][2 * half + k];
            }
        });
      });
    });
    group_sync<L>();
  }

 private:
  using Rows = typename MomentRowsOf<L::d == 2, L, Set>::Type;
  using Tiles = MomentTiles<Rows, L::warps, Set::column_tiles>;

  /// Functions up to column tile c.
  static constexpr int fields_until(int c) {
    return c + 1 < Set::column_tiles ? Set::first_fields : Set::fields;
  }
  /// f(Number<warp>())
  template <int warp = 0, class F>
  static void for_own_warp(const F& f) {
    if constexpr (warp + 1 < L::warps)
      if (team_rank() / 32 != warp) return for_own_warp<warp + 1>(f);
    f(Number<warp>());
  }
  /// f(tile, first of its sums) for the tiles of a warp.
  template <int warp, class F>
  static void for_each_tile(const F& f) {
    for_each_number<Tiles::count>([&](auto tile) {
      constexpr int number = decltype(tile)::value;
      if constexpr (Tiles::owner(number) == warp) f(tile, Number<Tiles::sums_before(warp, number)>());
    });
  }

  Rows rows_;
  double sum_[Tiles::most_sums()][4] = {};
};

/// Adds the moments of functions over `all` points. \param point_at(k) \param fields(point, q) puts the functions, with
/// the weight, where they belong; weight 0 repeats a point
template <class L, class Sums, class PointAt, class Fields>
void add_points(MomentBatch<L>& batch, Sums& sums, const Box<L>& box, int all, const PointAt& point_at,
                const Fields& fields) {
  const int q = L::rank() % L::batch, part = L::rank() / L::batch;
  for (int first = 0; first < all; first += L::batch) {
    const int count = all - first < L::batch ? all - first : L::batch, whole = (count + 3) / 4 * 4;
    team_sync<L>();
    if (q < whole) {
      auto point = point_at(q < count ? first + q : all - 1);
      Array<double, L::d> local;
#pragma unroll
      for (int k = 0; k < L::d; ++k) local[k] = (point.x[k] - box.centre[k]) * box.inverse[k];
      store_polynomials<typename Sums::PointSet>(batch, q, local, part);
      if (part == L::sharers - 1) fields(point, q, q < count ? 1.0 : 0.0);
    }
    team_sync<L>();
    sums.add(batch, whole);
  }
}

}  // namespace galerna::kernels::polytopic
