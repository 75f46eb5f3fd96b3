/// \file
/// The largest eigenvalue of S v = λ K v by a grid of lanes of a GPU, each with a tile of both matrices in its
/// registers: where one thread has no room for them (kernels/polytopic/team_eigenvalue.hpp has the steps).
#pragma once

#include "kernels/polytopic/team_eigenvalue.hpp"
#include "kernels/side_sum.hpp"

namespace galerna::kernels::polytopic {

/// Lane `across` · r + c has rows r, r + down, … and columns c, c + across, … of n × n matrices.
template <int n>
struct LaneGrid {
  static constexpr int lanes = eigenvalue_lanes(n + 1), down = lanes < 64 ? 4 : 8, across = lanes / down;
  static constexpr int rows = (n + down - 1) / down, columns = (n + across - 1) / across;
  static constexpr int padded = down * rows > across* columns ? down* rows : across* columns;
  /// Of a group, with one grid or, where that is less than a warp, several.
  static constexpr int threads = lanes < 32 ? 32 : lanes, grids = threads / lanes;
};

/// What the lanes show each other: of every second step, so that one barrier a step is enough.
template <int n>
struct GridWork {
  double column[2][2][LaneGrid<n>::padded], product[2][LaneGrid<n>::padded];
  double inverse[LaneGrid<n>::padded], diagonal[n], off_diagonal[n];
};

/// All lanes of a warp go the same way, whatever their matrices are, so that barriers may be of the warp.
template <int n>
class EigenvalueGrid {
 public:
  using G = LaneGrid<n>;

  EigenvalueGrid(const MatrixPair<n>& pair, GridWork<n>& work) : w_(work) {
    double scale = 0;
    for (int i = 0; i < n; ++i) scale = max(scale, pair.lower(i, i));
    least_pivot_ = 1e-12 * scale;
#pragma unroll
    for (int r = 0; r < G::rows; ++r)
#pragma unroll
      for (int c = 0; c < G::columns; ++c) {
        const bool inside = row(r) < n && column(c) < n;
        k_[r][c] = inside ? pair.k(row(r), column(c)) : 0;
        s_[r][c] = inside ? pair.s(row(r), column(c)) : 0;
      }
    // Where columns of the lanes go on behind their rows nothing else is written, but read.
    for (int i = G::down * G::rows + lane(); i < G::padded; i += G::lanes)
      for (int parity = 0; parity < 2; ++parity)
        work.column[parity][0][i] = work.column[parity][1][i] = work.product[parity][i] = 0;
  }

  /// S ← L⁻¹ S L⁻ᵀ with K = L Lᵀ, as reduce_pair().
  void reduce() {
    for_each_step<n>([&](auto first, int k, bool owner) {
      auto& of_k = w_.column[k % 2][0];
      auto& of_s = w_.column[k % 2][1];
      if (owner)
#pragma unroll
        for (int r = 0; r < G::rows; ++r) {
          of_k[row(r)] = k_[r][first];
          of_s[row(r)] = s_[r][first];
        }
      team_sync<G>();
      const double pivot = of_k[k], corner = of_s[k];
      const double inverse = pivot > least_pivot_ ? 1 / pivot : 0;
      w_.inverse[k] = inverse;
      double factor[G::columns], number[G::columns];
#pragma unroll
      for (int c = 0; c < G::columns; ++c) {
        factor[c] = column(c) > k ? of_k[column(c)] * inverse : 0;
        number[c] = of_s[column(c)];
      }
#pragma unroll
      for (int r = 0; r < G::rows; ++r) {
        const bool ahead = r >= rows_behind(first);
        const double own = ahead && row(r) > k ? of_k[row(r)] * inverse : 0, rest = of_s[row(r)] - own * corner;
#pragma unroll
        for (int c = 0; c < G::columns; ++c) {
          if (ahead) s_[r][c] -= own * number[c];
          if (c >= first) s_[r][c] -= factor[c] * rest;
          if (ahead && c >= first) k_[r][c] -= own * pivot * factor[c];
        }
      }
    });
    team_sync<G>();
    for (int k = lane(); k < n; k += G::lanes) w_.inverse[k] = sqrt(w_.inverse[k]);
    team_sync<G>();
#pragma unroll
    for (int r = 0; r < G::rows; ++r)
#pragma unroll
      for (int c = 0; c < G::columns; ++c)
        if (row(r) < n && column(c) < n) s_[r][c] *= w_.inverse[row(r)] * w_.inverse[column(c)];
  }

  /// S ← a tridiagonal matrix with the same eigenvalues, as tridiagonalize(). Some rows and columns that are done go on
  /// being changed, but are not read again.
  void tridiagonalize() {
    for_each_step<n - 2>([&](auto first, int k, bool owner) {
      auto& of_s = w_.column[k % 2][0];
      auto& product = w_.product[k % 2];
      if (owner)
#pragma unroll
        for (int r = 0; r < G::rows; ++r) of_s[row(r)] = s_[r][first];
      team_sync<G>();
      double across[G::columns], down[G::rows], image[G::rows], square = 0;
#pragma unroll
      for (int c = first; c < G::columns; ++c) {
        across[c] = column(c) > k ? of_s[column(c)] : 0;
        square += across[c] * across[c];
      }
      square = side_sum<G::across>(square);
      const double front = of_s[k + 1], norm = front > 0 ? -sqrt(square) : sqrt(square);
      const double length = square - front * norm, scale = length > 0 ? 1 / length : 0;
#pragma unroll
      for (int c = first; c < G::columns; ++c)
        if (column(c) == k + 1) across[c] -= norm;
#pragma unroll
      for (int r = rows_behind(first); r < G::rows; ++r) {
        down[r] = row(r) > k ? of_s[row(r)] - (row(r) == k + 1 ? norm : 0) : 0;
        image[r] = 0;
#pragma unroll
        for (int c = first; c < G::columns; ++c) image[r] += s_[r][c] * across[c];
        image[r] = scale * side_sum<G::across>(image[r]);
        if (owner) product[row(r)] = image[r];
      }
      if (lane() == 0) w_.off_diagonal[k] = norm;
      team_sync<G>();
      double image_across[G::columns], half = 0;
#pragma unroll
      for (int c = first; c < G::columns; ++c) {
        image_across[c] = product[column(c)];
        half += across[c] * image_across[c];
      }
      half = side_sum<G::across>(half) * (scale / 2);
#pragma unroll
      for (int c = first; c < G::columns; ++c) image_across[c] -= half * across[c];
#pragma unroll
      for (int r = rows_behind(first); r < G::rows; ++r) {
        image[r] -= half * down[r];
#pragma unroll
        for (int c = first; c < G::columns; ++c) s_[r][c] = s_[r][c] - down[r] * image_across[c] - image[r] * across[c];
      }
    });
#pragma unroll
    for (int r = 0; r < G::rows; ++r)
#pragma unroll
      for (int c = 0; c < G::columns; ++c) {
        if (row(r) == column(c) && row(r) < n) w_.diagonal[row(r)] = s_[r][c];
        if (row(r) == n - 1 && column(c) == n - 2) w_.off_diagonal[n - 2] = s_[r][c];
      }
    team_sync<G>();
  }

  /// Of the tridiagonal matrix: each lane tests one number of an interval, until that is as short as rounding allows.
  double largest() {
    double low = w_.diagonal[0], high = low;
    for (int i = 0; i < n; ++i) {
      const double radius = (i > 0 ? abs(w_.off_diagonal[i - 1]) : 0) + (i + 1 < n ? abs(w_.off_diagonal[i]) : 0);
      low = max(low, w_.diagonal[i]);
      high = max(high, w_.diagonal[i] + radius);
    }
    const double bound = high > 0 ? high : 1, unit = 1 / bound;
    low *= unit;
    high = 1 + 1e-15;
    constexpr int width = G::lanes < 32 ? G::lanes : 32, passes = width < 32 ? 14 : 11;
    const int place = team_rank() % 32 / width * width;
    for (int pass = 0; pass < passes; ++pass) {
      const double step = (high - low) * (1.0 / (width + 1));
      const auto passed =
          __ballot_sync(0xffffffffu, all_eigenvalues_below<n>(w_, unit, low + (lane() % width + 1) * step));
      const int above = __popc(passed << (32 - width - place) >> (32 - width));
      const double begin = low;
      low = begin + (width - above) * step;
      if (above > 0) high = begin + (width + 1 - above) * step;
    }
    return high * bound;
  }

 private:
  static int lane() {
    return team_rank() % G::lanes;
  }
  static int row(int r) {
    return lane() / G::across + G::down * r;
  }
  static int column(int c) {
    return lane() % G::across + G::across * c;
  }

  /// Rows of a lane's tile that are done, with all of the matrix's rows that lanes have there, when that column begins.
  static constexpr int rows_behind(int column) {
    return column * G::across / G::down;
  }

  /// step(tile's column, k, whether this lane has matrix column k) for k = 0 … count − 1.
  template <int count, class Step>
  void for_each_step(const Step& step) {
    for_each_number<(count + G::across - 1) / G::across>([&](auto column) {
      constexpr int first = decltype(column)::value * G::across,
                    last = count - first < G::across ? count - first : G::across;
#pragma unroll 1
      for (int c = 0; c < last; ++c) step(column, first + c, lane() % G::across == c);
    });
  }

  GridWork<n>& w_;
  double least_pivot_, k_[G::rows][G::columns], s_[G::rows][G::columns];
};

/// Known to all lanes.
template <int n>
double largest_eigenvalue_by_grid(const MatrixPair<n>& pair, GridWork<n>& work) {
  EigenvalueGrid<n> eigenvalue(pair, work);
  eigenvalue.reduce();
  eigenvalue.tridiagonalize();
  return max(eigenvalue.largest(), 0.0);
}

/// λ of the polytopes of group `group`, whose pairs of matrices moment_volume() has left.
template <class Config, int degree>
void grid_eigenvalues(const PolytopicArguments& a, std::int64_t group) {
  constexpr int n = modes_of_degree<Config>(degree) - 1;
  using G = LaneGrid<n>;
  __shared__ GridWork<n> work[G::grids];
  const int grid = team_rank() / G::lanes;
  const std::int64_t item = group * G::grids + grid;
  // Behind the last one it is found again.
  const std::int64_t taken = item < a.count ? item : a.count - 1;
  const double largest = largest_eigenvalue_by_grid(MatrixPair<n>{a.scratch + taken * n * (n + 1)}, work[grid]);
  if (item < a.count && team_rank() % G::lanes == 0) a.eigenvalues[a.list[item]] = largest;
}

}  // namespace galerna::kernels::polytopic
