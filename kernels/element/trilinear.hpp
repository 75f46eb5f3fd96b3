/// \file
/// Metric terms of a trilinear map along a line of the reference hexahedron. With y and z the other two coordinates of
/// the line along ξ_d = t, o and p their directions,
///   ∂x/∂ξ_d = A_d + B_do y + B_dp z + C y z,   ∂x/∂ξ_o = A_o + B_op z + (B_do + C z) t,   ∂x/∂ξ_p alike,
/// so that |J| ∇ξ_d, the product of the last two, is a parabola in t, and |J| too.
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/element/arguments.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// \tparam Map map(k) is number k of the element's map (trilinear_numbers)
template <class Config>
class LineMetric {
 public:
  using V = typename Config::Value;
  static_assert(Config::Equations::dimension == 3);

  /// Of `factor` |J| ∇ξ_d.
  template <class Map>
  LineMetric(const Map& map, int d, const V& y, const V& z, const V& factor) {
    const int o = d == 0 ? 1 : 0, p = d == 2 ? 1 : 2;  // B of directions q < r is number 3 + (q + r − 1)
    const auto vector = [&](int number, int k) { return map(3 * number + k); };
    for (int k = 0; k < 3; ++k) {
      const V both = vector(6, k), with_o = vector(2 + d + o, k), with_p = vector(2 + d + p, k),
              across = vector(2 + o + p, k);
      tangent_[k] = vector(d, k) + with_o * y + (with_p + both * y) * z;
      first_[0][k] = vector(o, k) + across * z;
      first_[1][k] = with_o + both * z;
      second_[0][k] = vector(p, k) + across * y;
      second_[1][k] = with_p + both * y;
    }
    // ξ_o and ξ_p follow ξ_d in turn, but for d = 1.
    sign_ = factor * (d == 1 ? -map(trilinear_numbers - 1) : map(trilinear_numbers - 1));
    for (int k = 0; k < 3; ++k) {
      normal_[0][k] = sign_ * product(first_[0], second_[0], k);
      normal_[1][k] = sign_ * (product(first_[0], second_[1], k) + product(first_[1], second_[0], k));
      normal_[2][k] = sign_ * product(first_[1], second_[1], k);
    }
  }

  /// `factor` |J| ∇ξ_d
  Vector<Config> contravariant(const V& t) const {
    Vector<Config> result;
    for (int k = 0; k < 3; ++k) result[k] = normal_[0][k] + (normal_[1][k] + normal_[2][k] * t) * t;
    return result;
  }
  /// Of `factor` |J| ∇ξ_o (which = 0) and `factor` |J| ∇ξ_p (1), o < p.
  Vector<Config> across(int which, const V& t) const {
    Vector<Config> other, result;
    for (int k = 0; k < 3; ++k)
      other[k] = which == 0 ? second_[0][k] + second_[1][k] * t : first_[0][k] + first_[1][k] * t;
    for (int k = 0; k < 3; ++k)
      result[k] = sign_ * (which == 0 ? product(other, tangent_, k) : product(tangent_, other, k));
    return result;
  }
  /// `factor` |J|
  V jacobian(const V& t) const { return dot(tangent_, contravariant(t)); }

 private:
  static V product(const Vector<Config>& a, const Vector<Config>& b, int k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    return a[l] * b[m] - a[m] * b[l];
  }

  Vector<Config> tangent_;
  Array<Vector<Config>, 2> first_, second_;  ///< ∂x/∂ξ_o, ∂x/∂ξ_p: coefficients of 1, t
  V sign_;                                   ///< times `factor`
  Array<Vector<Config>, 3> normal_;          ///< coefficients of 1, t, t²
};

}  // namespace galerna::kernels
