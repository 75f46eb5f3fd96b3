/// \file
/// Metric terms along line `number` of a direction d: of the trilinear map where edges are straight
/// (element/trilinear.hpp), and otherwise those that are stored at the points, as kernels/element/geometry.hpp reads
/// them. o < p are the other two directions. Both classes have
///   along(i)          factor |J| ∇ξ_d at point i of the line,   across(0, i), across(1, i)   of ξ_o and ξ_p
///   jacobian(i)       factor |J|,                               inverse(i)                   1/|J|
///   outward(e)        factor n ds, n outward, at end e for each unit of the reference side
///   end_gradients(e)  ∇ξ_d, ∇ξ_o, ∇ξ_p there,                   end_inverse(e)               1/|J|
#pragma once

#include "kernels/element/geometry.hpp"
#include "kernels/line/team.hpp"

namespace galerna::kernels {

template <class Config>
class TrilinearLine {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;

  TrilinearLine(const LineTeam<Config>& team, const ElementSetArrays&, int direction, int number, const V& factor)
      : map_([&](int k) { return team.map(k); }, direction, V(Operators::line_place(number / n)),
             V(Operators::line_place(number % n)), factor),
        factor_(factor) {}

  Vector<Config> along(int i) const { return map_.contravariant(place(i)); }
  Vector<Config> across(int which, int i) const { return map_.across(which, place(i)); }
  V jacobian(int i) const { return map_.jacobian(place(i)); }
  V inverse(int i) const { return factor_ * reciprocal(jacobian(i)); }
  Vector<Config> outward(int e) const { return times(V(2 * e - 1), map_.contravariant(V(2 * e - 1))); }
  Array<Vector<Config>, 3> end_gradients(int e) const {
    const V t = V(2 * e - 1), inverse = reciprocal(map_.jacobian(t));
    return {
        {times(inverse, map_.contravariant(t)), times(inverse, map_.across(0, t)), times(inverse, map_.across(1, t))}};
  }
  V end_inverse(int e) const { return reciprocal(map_.jacobian(V(2 * e - 1))); }

 private:
  static constexpr int n = Operators::degree + 1;
  static V place(int i) { return V(Operators::line_place(i)); }
  static Vector<Config> times(const V& factor, Vector<Config> vector) {
    for (int k = 0; k < 3; ++k) vector[k] *= factor;
    return vector;
  }

  LineMetric<Config> map_;
  V factor_;
};

template <class Config>
class StoredLine {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;

  StoredLine(const LineTeam<Config>& team, const ElementSetArrays& set, int direction, int number, const V& factor)
      : set_(set), item_(team.item()), direction_(direction), number_(number), factor_(factor) {}

  Vector<Config> along(int i) const { return at_point(i, direction_); }
  Vector<Config> across(int which, int i) const { return at_point(i, other(which)); }
  V jacobian(int i) const { return factor_ * reciprocal(inverse(i)); }
  V inverse(int i) const { return load<Config>(set_.inverse, item_, points, point(i)); }
  /// Those stored have the measure of the reference side, 4.
  Vector<Config> outward(int e) const { return vector(set_.normals, 6 * n * n, end(e), V(0.25) * factor_); }
  Array<Vector<Config>, 3> end_gradients(int e) const {
    const auto gradient = [&](int d) { return vector(set_.side_gradients, 18 * n * n, end(e) * 3 + d, V(1)); };
    return {{gradient(direction_), gradient(other(0)), gradient(other(1))}};
  }
  V end_inverse(int e) const { return Geometry<Config>::determinant(end_gradients(e)); }
  /// What an integral against the Lagrange polynomial of point i adds to the mean (ElementSetArrays::corrections).
  V correction(int i) const { return load<Config>(set_.corrections, item_, points, point(i)); }

 private:
  static constexpr int n = Operators::degree + 1, points = n * n * n;
  int other(int which) const { return which == 0 ? (direction_ == 0 ? 1 : 0) : (direction_ == 2 ? 1 : 2); }
  int point(int i) const { return Line<>(direction_, number_, n, n).at(i); }
  /// Among the points of all sides.
  int end(int e) const {
    const int side = side_of_end(direction_, e);
    return side * n * n + trace_point(side, 0, number_, n);
  }
  Vector<Config> at_point(int i, int d) const {
    return vector(set_.contravariant, 3 * points, point(i) * 3 + d, factor_);
  }
  /// Number `at` of an array of vectors.
  Vector<Config> vector(const void* array, int vectors, int at, const V& factor) const {
    Vector<Config> result;
    for (int k = 0; k < 3; ++k) result[k] = factor * load<Config>(array, item_, vectors * 3, at * 3 + k);
    return result;
  }

  const ElementSetArrays& set_;
  const Item item_;
  int direction_, number_;
  V factor_;
};

template <class Config, bool trilinear>
struct MetricOfLine {
  using Type = StoredLine<Config>;
};
template <class Config>
struct MetricOfLine<Config, true> {
  using Type = TrilinearLine<Config>;
};

template <class Config>
using LineGeometry = typename MetricOfLine<Config, IsTrilinear<Config>>::Type;

}  // namespace galerna::kernels
