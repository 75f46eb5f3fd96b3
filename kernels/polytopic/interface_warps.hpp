/// \file
/// The two blocks of an interface by one warp, as products of modes over its points on matrix units, for GPUs that have
/// them (kernels/polytopic/interface.hpp has the terms): each lane makes the modes that it multiplies of polynomials in
/// each direction, so that none of them comes to memory.
#pragma once

#include "kernels/matrix_units.hpp"
#include "kernels/polytopic/interface_blocks.hpp"

namespace galerna::kernels::polytopic {

template <class Config, int degree_>
struct InterfaceWarp : Layout<Config, degree_> {
  using Base = Layout<Config, degree_>;
  static constexpr int d = Base::dimension, n = Base::modes;
  /// Modes of each side that a lane makes, and tiles of 16 × 8 modes.
  static constexpr int own = (n + 7) / 8, down = (n + 15) / 16, across = own;
  /// Points evaluated together, from both sides; lanes that read different degrees meet different banks.
  static constexpr int batch = 16, stride = batch + 4;
};

/// What the modes of both sides are made of at a batch of points.
template <class T>
struct InterfaceLines {
  double line[2][T::d][T::degree + 1][T::stride];
  double slope[2][T::d][T::degree + 1][T::stride];  ///< with the component of a n, n out of the first side
  double value_weight[T::stride], half_weight[T::stride], flow_weight[T::stride];
};

/// Points first … first + whole − 1 of the interface, the last ones up to a multiple of four with weight 0.
template <class Config, class T>
void evaluate_interface_lines(InterfaceLines<T>& lines, const PolytopicArguments& a, std::int64_t interface,
                              const Box<T>& box, int side, int all, int first, int whole) {
  constexpr int d = T::d;
  const int q = threadIdx.x % T::batch, number = first + q < all ? first + q : all - 1;
  if (q >= whole) return;
  const std::int64_t begin = a.mesh.first_facets[interface];
  const auto corners = [&](int facet) { return a.mesh.facets + (begin + facet) * (d + 1) * d; };
  const MomentPoint<Config> point = moment_point<Config, d>(a.facet, a.begin, number, corners);
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
  for (int i = 0; i < d; ++i)
    for_each_legendre<T::degree>((point.x[i] - box.centre[i]) * box.inverse[i], [&](int n, double value, double slope) {
      lines.line[side][i][n][q] = value;
      lines.slope[side][i][n][q] = slope * (box.inverse[i] * conormal[i]);
    });
  if (side == 0) return;
  double speed = 0;
  if constexpr (Config::Data::moves) {
    const auto velocity = velocity_at<Config, double>(x);
#pragma unroll
    for (int i = 0; i < d; ++i) speed += velocity[i] * normal[i];
  }
  const double w = first + q < all ? point.weight * a.mesh.facet_measures[(begin + point.simplex) * 3] : 0;
  lines.value_weight[q] = -w * (a.penalty[begin + point.simplex] + (speed < 0 ? -speed : 0));
  lines.half_weight[q] = 0.5 * w;
  lines.flow_weight[q] = -w * speed;
}

/// The sums of a lane, lane = 4 g + t, over points t, t + 4, …
template <class Config, class T>
class InterfaceSums {
 public:
  InterfaceSums() {
#pragma unroll
    for (int k = 0; k < T::own; ++k)
#pragma unroll
      for (int i = 0; i < T::d; ++i) place_[k][i] = Config::mode(i, inside(group() + 8 * k)) * T::stride;
  }

  void add(const InterfaceLines<T>& lines, int count) {
#pragma unroll 1
    for (int q = threadIdx.x % 4; q < count; q += 4) {
      double value[T::own], flux[T::own], upper[T::own], flow[T::own], lower[T::own];
      const double of_value = lines.value_weight[q], half = lines.half_weight[q], of_flow = lines.flow_weight[q];
#pragma unroll
      for (int k = 0; k < T::own; ++k) {
        evaluate(lines, 1, k, q, value[k], flux[k]);
        upper[k] = of_value * value[k] - half * flux[k];
        lower[k] = half * value[k];
        flow[k] = of_flow * value[k];
      }
#pragma unroll
      for (int k = 0; k < T::own; ++k) evaluate(lines, 0, k, q, value[k], flux[k]);
#pragma unroll
      for (int r = 0; r < T::down; ++r) {
        // Rows behind the last one repeat others; what they add up to is not kept.
        const int first = 2 * r, second = 2 * r + 1 < T::own ? 2 * r + 1 : first;
#pragma unroll
        for (int c = 0; c < T::across; ++c) {
          multiply_add(both_[r][c], value[first], value[second], upper[c]);
          multiply_add(both_[r][c], flux[first], flux[second], lower[c]);
          if constexpr (Config::Data::moves) multiply_add(flow_[r][c], value[first], value[second], flow[c]);
        }
      }
    }
  }

  /// f(i, j, entry of the block (first, second), what that of (second, first) has beside)
  template <class F>
  void for_each(const F& f) const {
#pragma unroll
    for (int r = 0; r < T::down; ++r)
#pragma unroll
      for (int c = 0; c < T::across; ++c)
#pragma unroll
        for (int k = 0; k < 4; ++k)
          f(16 * r + group() + k / 2 * 8, 8 * c + 2 * int(threadIdx.x % 4) + k % 2, both_[r][c][k],
            Config::Data::moves ? flow_[r][c][k] : 0.0);
  }

 private:
  static int group() {
    return threadIdx.x % 32 / 4;
  }
  static int inside(int mode) {
    return mode < T::n ? mode : T::n - 1;
  }
  static void multiply_add(double (&sum)[4], double upper, double lower, double right) {
    matrix_multiply_add(sum[0], sum[1], sum[2], sum[3], upper, lower, right);
  }
  /// φ and n·a∇φ
  void evaluate(const InterfaceLines<T>& lines, int side, int k, int q, double& value, double& flux) const {
    double line[T::d];
    value = 1;
    flux = 0;
#pragma unroll
    for (int i = 0; i < T::d; ++i) line[i] = lines.line[side][i][0][place_[k][i] + q];
#pragma unroll
    for (int i = 0; i < T::d; ++i) {
      value *= line[i];
      double slope = lines.slope[side][i][0][place_[k][i] + q];
#pragma unroll
      for (int l = 0; l < T::d; ++l)
        if (l != i) slope *= line[l];
      flux += slope;
    }
  }

  int place_[T::own][T::d];
  double both_[T::down][T::across][4] = {}, flow_[Config::Data::moves ? T::down : 1][T::across][4] = {};
};

/// The blocks of the interfaces of group `group`, for the larger of the degrees of its sides.
template <class Config, int degree>
void interface_warps(const PolytopicArguments& a, std::int64_t group) {
  using T = InterfaceWarp<Config, degree>;
  __shared__ InterfaceLines<T> memory[interface_warps_together];
  InterfaceLines<T>& lines = memory[threadIdx.x / 32];
  const std::int64_t item = group * interface_warps_together + threadIdx.x / 32;
  if (item >= a.count) return;
  const std::int64_t interface = a.list[item];
  const int side = threadIdx.x / T::batch % 2;
  const Box<T> box(a, a.mesh.interfaces[interface * 2 + side]);
  InterfaceSums<Config, T> sums;
  const int all = int(a.mesh.first_facets[interface + 1] - a.mesh.first_facets[interface]) * a.facet.count;
  for (int begin = 0; begin < all; begin += T::batch) {
    const int count = all - begin < T::batch ? all - begin : T::batch, whole = (count + 3) / 4 * 4;
    __syncwarp();
    evaluate_interface_lines<Config>(lines, a, interface, box, side, all, begin, whole);
    __syncwarp();
    sums.add(lines, whole);
  }
  store_interface_blocks<Config>(a, interface, sums);
}

}  // namespace galerna::kernels::polytopic
