/// \file
/// The two blocks of an interface as products of modes over its points on matrix units, for GPUs that have them
/// (kernels/polytopic/interface.hpp has the terms). A thread makes the modes of a side at a point in its registers,
/// from where they come to shared memory once; a warp multiplies whole rows of tiles, so that it reads each mode there
/// once.
#pragma once

#include "kernels/matrix_units.hpp"
#include "kernels/polytopic/moment_point.hpp"

namespace galerna::kernels::polytopic {

template <class Config, int degree_>
struct InterfaceTiles : Layout<Config, degree_> {
  using Base = Layout<Config, degree_>;
  static constexpr int d = Base::dimension, n = Base::modes;
  static constexpr int down = (n + 15) / 16, across = (n + 7) / 8;  ///< tiles of 16 × 8 modes
  static constexpr int warps = interface_warps(n), threads = 32 * warps, own = down / warps;
  static_assert(own * warps == down);
  /// Points evaluated together, from both sides; lanes that read different modes meet different banks.
  static constexpr int batch = 16, stride = batch + 4;
};

/// Of the first side φ and n·a∇φ, n out of it; of the second −w ((σ + max(−b·n, 0)) ψ + ½ n·a∇ψ) and ½ w ψ, which go
/// with them.
template <class T>
struct InterfaceModes {
  double mode[2][2][T::n][T::stride];
  double flow[T::stride];  ///< −2 b·n
};

/// A side of the interface at a point.
template <class T>
struct SidePoint {
  double line[T::d][T::degree + 1], slope[T::d][T::degree + 1];  ///< derivatives times the component of a n
  double speed, weight, penalty;
};

/// \param side 0 or 1 \param box of its polytope \param k number of the point \param there whether it has a weight
template <class Config, class T>
SidePoint<T> side_point(const PolytopicArguments& a, std::int64_t interface, const Box<T>& box, int side, int k,
                        bool there) {
  constexpr int d = T::d;
  const std::int64_t begin = a.mesh.first_facets[interface];
  Array<double, (d + 1) * d> corners;
  const MomentPoint<Config> point = moment_point<Config, d>(
      a.facet, a.begin, k, [&](int facet) -> const auto& {
        return corners = load_pairs<(d + 1) * d>(a.mesh.facets + (begin + facet) * (d + 1) * d);
      });
  SidePoint<T> s;
  s.weight = there ? point.weight * a.mesh.facet_measures[begin + point.simplex] : 0;
  s.penalty = a.penalty[begin + point.simplex];
  Array<double, d> normal;
  Array<double, 4> x = point.x;
  const double step = side == 0 ? inside_step<T>(box) : -inside_step<T>(box);
#pragma unroll
  for (int i = 0; i < d; ++i) {
    normal[i] = corners[d * d + i];
    x[i] -= step * normal[i];
  }
  const auto conormal = times_diffusion<d>(diffusion_at<Config, double>(x), normal);
#pragma unroll
  for (int i = 0; i < d; ++i)
    for_each_legendre<T::degree>((point.x[i] - box.centre[i]) * box.inverse[i], [&](int n, double value, double slope) {
      s.line[i][n] = value;
      s.slope[i][n] = slope * (box.inverse[i] * conormal[i]);
    });
  s.speed = 0;
  if constexpr (Config::Data::moves) {
    const auto velocity = velocity_at<Config, double>(x);
#pragma unroll
    for (int i = 0; i < d; ++i) s.speed += velocity[i] * normal[i];
  }
  return s;
}

/// The number of mode P_m(ξ) P_n(η) P_o(ζ) (basis::box_modes).
constexpr int mode_number(int dimension, int m, int n, int o) {
  const int degree = m + n + o;
  if (dimension == 2) return rest_number(n, m);
  return total_degree_modes(3, degree - 1) + m * (degree + 1) - m * (m - 1) / 2 + n;
}

/// Modes of both sides at points first … first + whole − 1, a part of them by each warp; points behind the last one
/// repeat it with weight 0.
template <class Config, class T>
void evaluate_interface_modes(InterfaceModes<T>& memory, const PolytopicArguments& a, std::int64_t interface,
                              const Box<T>& box, int side, int all, int first, int whole) {
  constexpr int p = T::degree;
  const int q = threadIdx.x % T::batch, warp = threadIdx.x % T::threads / 32;
  if (q >= whole) return;
  const bool there = first + q < all;
  const SidePoint<T> s = side_point<Config, T>(a, interface, box, side, there ? first + q : all - 1, there);
  if (side == 1) memory.flow[q] = -2 * s.speed;
  // What the two functions of a side are made of its value and its flux by.
  const double half = 0.5 * s.weight, jump = s.weight * (s.penalty + (s.speed < 0 ? -s.speed : 0));
  const double values[2] = {side == 0 ? 1 : -jump, side == 0 ? 0 : half},
               fluxes[2] = {side == 0 ? 0 : -half, side == 0 ? 1.0 : 0.0};
  int before = 0;
#pragma unroll
  for (int o = 0; o <= (T::d == 3 ? p : 0); ++o)
#pragma unroll
    for (int n = 0; n <= p - o; ++n) {
      if (before * T::warps / T::n == warp) {
        double value = s.line[1][n], flux = s.slope[1][n];
        if constexpr (T::d == 3) {
          flux = flux * s.line[2][o] + value * s.slope[2][o];
          value *= s.line[2][o];
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          const double of_line = values[k] * value + fluxes[k] * flux, of_slope = fluxes[k] * value;
#pragma unroll
          for (int m = 0; m <= p - o - n; ++m)
            memory.mode[side][k][mode_number(T::d, m, n, o)][q] = of_line * s.line[0][m] + of_slope * s.slope[0][m];
        }
      }
      before += p - o - n + 1;
    }
}

/// What a lane knows of the blocks (first, second), and (second, first), which has the flow beside: that of its side.
struct InterfaceBlock {
  int rows;
  std::int64_t offset;
};

/// The sums of a lane of a warp that has whole rows of tiles, lane = 4 g + t, over points t, t + 4, …
template <class Config, class T>
class InterfaceSums {
 public:
  void add(const InterfaceModes<T>& memory, int count) {
#pragma unroll 1
    for (int q = threadIdx.x % 4; q < count; q += 4) {
      double value[T::own][2], flux[T::own][2];
#pragma unroll
      for (int r = 0; r < T::own; ++r)
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          const int mode = inside(row(r) + 8 * k);
          value[r][k] = memory.mode[0][0][mode][q];
          flux[r][k] = memory.mode[0][1][mode][q];
        }
      [[maybe_unused]] const double flow = memory.flow[q];
#pragma unroll
      for (int c = 0; c < T::across; ++c) {
        const int mode = inside(8 * c + group());
        const double first = memory.mode[1][0][mode][q], second = memory.mode[1][1][mode][q];
#pragma unroll
        for (int r = 0; r < T::own; ++r) {
          multiply_add(both_[r][c], value[r], first);
          multiply_add(both_[r][c], flux[r], second);
          if constexpr (Config::Data::moves) multiply_add(flow_[r][c], value[r], flow * second);
        }
      }
    }
  }

  void store(const PolytopicArguments& a, const InterfaceBlock& own) const {
    const auto of_side = [](auto number, int side) { return __shfl_sync(0xffffffffu, number, side * T::batch); };
    const int rows = int(of_side(own.rows, 0)), columns = int(of_side(own.rows, 1));
    double* upper = static_cast<double*>(a.values) + std::int64_t(of_side(own.offset, 0));
    double* lower = static_cast<double*>(a.values) + std::int64_t(of_side(own.offset, 1));
#pragma unroll
    for (int r = 0; r < T::own; ++r)
#pragma unroll
      for (int c = 0; c < T::across; ++c)
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const int i = row(r) + k / 2 * 8, j = 8 * c + 2 * int(threadIdx.x % 4) + k % 2;
          if (i >= rows || j >= columns) continue;
          upper[i * columns + j] = both_[r][c][k];
          lower[j * rows + i] = both_[r][c][k] + (Config::Data::moves ? flow_[r][c][k] : 0.0);
        }
  }

 private:
  static int group() {
    return threadIdx.x % 32 / 4;
  }
  /// The first of the lane's two rows of tiles.
  static int row(int r) {
    return 16 * (int(threadIdx.x) % T::threads / 32 * T::own + r) + group();
  }
  /// Modes behind the last one repeat it; what they add up is not kept.
  static int inside(int mode) {
    return mode < T::n ? mode : T::n - 1;
  }
  static void multiply_add(double (&sum)[4], const double (&left)[2], double right) {
    matrix_multiply_add(sum[0], sum[1], sum[2], sum[3], left[0], left[1], right);
  }

  double both_[T::own][T::across][4] = {}, flow_[Config::Data::moves ? T::own : 1][T::across][4] = {};
};

/// The blocks of the interfaces of group `group`, for the larger of the degrees of their sides.
template <class Config, int degree>
void interface_tiles(const PolytopicArguments& a, std::int64_t group) {
  using T = InterfaceTiles<Config, degree>;
  constexpr int together = interface_teams(T::n);
  __shared__ InterfaceModes<T> memory[together];
  InterfaceModes<T>& modes = memory[threadIdx.x / T::threads];
  const std::int64_t item = group * together + threadIdx.x / T::threads;
  if (item >= a.count) return;
  const std::int64_t interface = a.list[item];
  const int side = threadIdx.x / T::batch % 2;
  const std::int64_t polytope = a.mesh.interfaces[interface * 2 + side];
  const Box<T> box(a, polytope);
  // Looked up while facets are waited for, not when sums are ready.
  const InterfaceBlock own = {modes_of_degree<Config>(a.mesh.degrees[polytope]),
                              a.interface_blocks[interface * 2 + side]};
  InterfaceSums<Config, T> sums;
  const int all = int(a.mesh.first_facets[interface + 1] - a.mesh.first_facets[interface]) * a.facet.count;
  for (int begin = 0; begin < all; begin += T::batch) {
    const int count = all - begin < T::batch ? all - begin : T::batch, whole = (count + 3) / 4 * 4;
    team_sync<T>();
    evaluate_interface_modes<Config>(modes, a, interface, box, side, all, begin, whole);
    team_sync<T>();
    sums.add(modes, whole);
  }
  sums.store(a, own);
}

}  // namespace galerna::kernels::polytopic
