/// \file
/// Metric terms at the points of a tile of tile/warp_tile.hpp: of straight elements the same at all points, of curved
/// ones read as they are needed.
#pragma once

#include "kernels/side_sum.hpp"
#include "kernels/tile/warp_tile.hpp"

namespace galerna::kernels {

/// At the thread's two points of eight of the sides: outward unit normals, and ds; over |J| of straight elements.
template <class Config, bool affine = Config::affine>
class SideMetric {
 public:
  using DirectionVector = Array<typename Config::Real, Config::Equations::dimension>;

  template <class Tile>
  SideMetric(const Tile& tile, int n) {
    const int side = tile.side(n);
    normal_ = tile.normals().unit(side);
    length_ = tile.normals().length(side);
  }
  DirectionVector normal(int) const { return normal_; }
  typename Config::Real length(int) const { return length_; }

 private:
  DirectionVector normal_;
  typename Config::Real length_;
};

/// Of curved elements: n ds.
template <class Config, class Tile>
Array<Array<double, Config::Equations::dimension>, 2> normals_of(const Tile& tile, int n) {
  Array<Array<double, Config::Equations::dimension>, 2> normals;
#pragma unroll
  for (int k = 0; k < normals[0].size(); ++k) {
    const auto two = tile.two_metric_at(Tile::rows.normals(n) + 64 * k);
    normals[0][k] = two[0];
    normals[1][k] = two[1];
  }
  return normals;
}

template <class Config>
class SideMetric<Config, false> {
 public:
  using DirectionVector = Array<double, Config::Equations::dimension>;

  template <class Tile>
  SideMetric(const Tile& tile, int n) : normals_(normals_of<Config>(tile, n)) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      double square = 0;
#pragma unroll
      for (int k = 0; k < DirectionVector::size(); ++k) square += normals_[odd][k] * normals_[odd][k];
      lengths_[odd] = positive_sqrt(square);
      const double inverse = reciprocal(lengths_[odd]);
#pragma unroll
      for (int k = 0; k < DirectionVector::size(); ++k) normals_[odd][k] *= inverse;
    }
  }
  DirectionVector normal(int odd) const {
    return normals_[odd];
  }
  double length(int odd) const {
    return lengths_[odd];
  }

 private:
  Array<DirectionVector, 2> normals_;
  Array<double, 2> lengths_;
};

/// At the thread's two volume points of eight: ∇ξ_d, times |J| of curved elements.
template <class Tile, bool affine = Tile::affine>
class VolumeMetric {
 public:
  using DirectionVector = typename Tile::DirectionVector;

  VolumeMetric(const Tile& tile, int) : tile_(tile) {}
  DirectionVector along(int, int d) const { return tile_.gradient(d); }

 private:
  const Tile& tile_;
};

template <class Tile>
class VolumeMetric<Tile, false> {
 public:
  using DirectionVector = typename Tile::DirectionVector;
  static constexpr int dimension = DirectionVector::size();

  VolumeMetric(const Tile& tile, int n) {
    constexpr Columns points = Tile::sizes.volume_points();
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const double* metric = tile.metric_at(Tile::rows.contravariant(2 * n + odd));
#pragma unroll
      for (int k = 0; k < dimension * dimension; ++k) along_[odd][k / dimension][k % dimension] = metric[32 * k];
    }
  }
  DirectionVector along(int odd, int d) const {
    return along_[odd][d];
  }

 private:
  Array<Array<DirectionVector, dimension>, 2> along_;
};

/// The change of the modes from their integrals: by the weight-adjusted inverse of the mass matrix, and a constant that
/// makes the change of the solution's integral right (docs/theory.md, Mass matrix).
template <class Config, class Tile, class Operators>
void divide_by_mass(WarpResidual<Config>& residual, const Tile& tile, const Operators& operators) {
  constexpr auto sizes = Tile::sizes;
  constexpr MetricRows rows = Tile::rows;
  constexpr Columns points = sizes.volume_points(), modes = sizes.modes();
  constexpr int variables = Config::Equations::variables;
  constexpr bool staged = sizes.stage_takes_residual();
  const auto mean = residual[0][0];  // of the constant mode in the first thread of an element
  if constexpr (staged) tile.stage_residual(residual);
  WarpResidual<Config> change;
#pragma unroll
  for (int m = 0; m < change.size(); ++m) change[m] = zero_block<variables>();
#pragma unroll 1
  for (int n = 0; n < points.eights(); ++n) {
    Array<double, 2> inverses;
#pragma unroll
    for (int odd = 0; odd < 2; ++odd)
      inverses[odd] = points.has(n, odd) ? *tile.metric_at(rows.inverses(2 * n + odd)) : 0;
    auto values = zero_block<variables>();
#pragma unroll
    for (int i = 0; i < modes.fours(); ++i) {
      const double right = operators(sizes.values(), n * modes.fours() + i);
      if constexpr (staged)
        multiply_add(values, tile.staged_residual(i), right);
      else
        multiply_add(values, residual[i / 2][i % 2], right);
    }
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
#pragma unroll
      for (int v = 0; v < variables; ++v) values[odd][v] *= inverses[odd];
#pragma unroll
      for (int m = 0; m < change.size(); ++m)
        multiply_add(change[m], values[odd], operators(sizes.projection(), m * points.fours() + 2 * n + odd));
    }
  }
  const bool first = tile.part() == 0;
  double missing[variables];
#pragma unroll
  for (int v = 0; v < variables; ++v) missing[v] = first ? mean[v] * (1 / Config::Operators::volume_basis(0, 0)) : 0;
#pragma unroll
  for (int i = 0; i < modes.fours(); ++i) {
    const double factor = *tile.metric_at(rows.means(i));
#pragma unroll
    for (int v = 0; v < variables; ++v) missing[v] -= factor * change[i / 2][i % 2][v];
  }
  const double inverse = first ? *tile.metric_at(rows.inverse_mean()) : 0;
#pragma unroll
  for (int v = 0; v < variables; ++v) {
    change[0][0][v] += side_sum<4>(missing[v]) * inverse;
  }
  residual = change;
}

}  // namespace galerna::kernels
