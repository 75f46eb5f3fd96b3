/// \file
/// A thread's part of the solution on a hexahedron with (p + 1)³ Gauss points, at these and at the ends of the lines
/// through them, line by line (sum factorization); element/tensor.hpp has the same in the plane.
#pragma once

#include "kernels/element/thread_group.hpp"
#include "kernels/line/faces.hpp"
#include "kernels/side_points.hpp"

namespace galerna::kernels {

/// Whether there are the tables of lines (element/tensor.hpp) and the points are those of hexahedra.
template <class Operators>
concept HasHexahedronLines = Operators::sides == 6 && requires {
  Operators::line_mode(0, 0);
};

template <class Config>
class HexahedronPoints {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  static constexpr int n = Operators::degree + 1;
  static_assert(Operators::volume_points == n * n * n && all_side_points<Operators>() == 6 * n * n);

  /// More numbers do not fit into a GPU's registers: compilers take minutes where all of them have names.
  static constexpr bool written_out = n <= 5;

  explicit HexahedronPoints(const PartModes<Config>& coefficients) : u_(coefficients) {
    for_each_line([&](int line) { to_points(Line<>(line / (n * n), line % (n * n), n, n)); });
  }

  template <class Points>
  Array<Part<Config>, Points::count> values(Points batch) const {
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) { result[k] = u_[batch.first + k]; });
    return result;
  }

  /// The points of all sides are counted as [direction][end][line].
  template <class Points>
  Array<Part<Config>, Points::count> side_values(Points batch) const {
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) {
      const int point = batch.first + k, end = point / (n * n) % 2;
      const Line<> line(point / (2 * n * n), point % (n * n), n, n);
      result[k] = zero_part<Config>();
      for_each_term<n>([&](int i) { add_product<Config>(result[k], V(Operators::line_end(end, i)), u_[line.at(i)]); });
    });
    return result;
  }

 private:
  /// Of all directions.
  template <class F>
  static void for_each_line(const F& f) {
    if constexpr (written_out) return for_each_number<3 * n * n>(f);
#ifndef __clang__  // which knows both pragmas, and takes only one
#pragma GCC unroll 1
#endif
#pragma unroll 1
    for (int line = 0; line < 3 * n * n; ++line) f(line);
  }
  /// Modes along a line become values.
  void to_points(const Line<>& line) {
    Array<Part<Config>, n> modes;
    for_each_number<n>([&](int a) { modes[a] = u_[line.at(a)]; });
    for_each_number<n>([&](int i) {
      Part<Config> sum = zero_part<Config>();
      for_each_term<n>([&](int a) { add_product<Config>(sum, V(Operators::line_mode(i, a)), modes[a]); });
      u_[line.at(i)] = sum;
    });
  }

  PartModes<Config> u_;
};

}  // namespace galerna::kernels
