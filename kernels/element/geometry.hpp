/// \file
/// Metric terms of an element (docs/theory.md, Curved elements). Config adds
///   affine   whether they are constant in each element: all of them then follow from the gradients ∇ξ_d, and
///            everything is divided by |J|, so that the mass matrix is the identity;
///   bilinear whether they follow from a map x = A ξ + B η + C ξη + … of a straight quadrilateral, at
///   Operators::volume_point(q, d), side_point(side, q, d);
///   trilinear, where there is such a member, whether they follow from the trilinear map of a straight hexahedron
///            (kernels/line), of which only |J| is known here;
///   Operators::side_normal(side, d)   outward normal of a side of the reference shape, times the side's measure.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/element/trilinear.hpp"
#include "kernels/side_points.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

template <class Config>
concept IsTrilinear = requires {
  Config::trilinear;
};

template <class Config>
class Geometry {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  static constexpr int dimension = Config::Equations::dimension;
  using Gradients = Array<Vector<Config>, dimension>;

  Geometry(const ElementSetArrays& set, const Item& item) : set_(set), item_(item) {
    if constexpr (Config::affine) gradients_ = load_gradients(set.contravariant, 1, 0);
    if constexpr (Config::bilinear)
      for (int k = 0; k < map_.size(); ++k) map_[k] = load<Config>(set.contravariant, item, map_.size(), k);
  }

  /// |J| ∇ξ_d at volume point q; ∇ξ_d where affine.
  Gradients contravariant(int q) const {
    if constexpr (Config::affine)
      return gradients_;
    else if constexpr (Config::bilinear)
      return contravariant_at(V(Operators::volume_point(q, 0)), V(Operators::volume_point(q, 1)));
    else
      return load_gradients(set_.contravariant, Operators::volume_points, q);
  }

  /// |det ∂ξ/∂x| = 1/|J|
  static V determinant(const Gradients& g) {
    if constexpr (dimension == 2)
      return abs(V(g[0][0] * g[1][1] - g[0][1] * g[1][0]));
    else
      return abs(V(g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) +
                   g[0][1] * (g[1][2] * g[2][0] - g[1][0] * g[2][2]) +
                   g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0])));
  }

  /// Outward unit normal times ds at point q of a side; over |J| where affine.
  Vector<Config> normal(int side, int q) const {
    if constexpr (Config::affine) return combined(gradients_, side);
    if constexpr (Config::bilinear) return combined(contravariant_beside(side, q), side);
    Vector<Config> n;
    constexpr int points = all_side_points<Operators>();
    for (int k = 0; k < dimension; ++k)
      n[k] = load<Config>(set_.normals, item_, points * dimension,
                          (first_side_point<Operators>(side) + q) * dimension + k);
    return n;
  }

  /// 1/|J| at volume point q.
  V inverse(int q) const {
    if constexpr (Config::affine)
      return determinant(gradients_);
    else if constexpr (Config::bilinear)
      return reciprocal(determinant(contravariant(q)));
    else if constexpr (IsTrilinear<Config>)
      return trilinear_inverse(q);
    else
      return load<Config>(set_.inverse, item_, Operators::volume_points, q);
  }

  /// ∇ξ_d at point q of a side.
  Gradients side_gradients(int side, int q) const {
    if constexpr (Config::affine) return gradients_;
    if constexpr (Config::bilinear) {
      Gradients g = contravariant_beside(side, q);
      const V inverse = reciprocal(determinant(g));
      for (int d = 0; d < dimension; ++d)
        for (int k = 0; k < dimension; ++k) g[d][k] *= inverse;
      return g;
    }
    return load_gradients(set_.side_gradients, all_side_points<Operators>(), first_side_point<Operators>(side) + q);
  }

  /// ∫ φ_j dx; of straight quadrilaterals for the constant mode only.
  V mean(int j) const {
    if constexpr (Config::bilinear)
      return V(4 * Operators::volume_basis(0, 0)) * abs(V(map_[0] * map_[3] - map_[1] * map_[2]));
    else
      return load<Config>(set_.means, item_, Operators::modes, j);
  }

 private:
  V trilinear_inverse(int q) const {
    constexpr int n = Operators::degree + 1;
    const LineMetric<Config> metric(
        [&](int k) { return load<Config>(set_.contravariant, item_, trilinear_numbers, k); }, 0,
        V(Operators::line_place(q / n % n)), V(Operators::line_place(q % n)), V(1));
    return reciprocal(metric.jacobian(V(Operators::line_place(q / (n * n)))));
  }

  Gradients load_gradients(const void* array, int points, int q) const {
    constexpr int numbers = dimension * dimension;
    Gradients result;
    for (int d = 0; d < dimension; ++d)
      for (int k = 0; k < dimension; ++k)
        result[d][k] = load<Config>(array, item_, points * numbers, q * numbers + d * dimension + k);
    return result;
  }

  /// |J| ∇ξ = (∂y/∂η, −∂x/∂η), |J| ∇η = (−∂y/∂ξ, ∂x/∂ξ) of the bilinear map.
  Gradients contravariant_at(const V& xi, const V& eta) const {
    return {
        {{{map_[3] + map_[5] * xi, -map_[2] - map_[4] * xi}}, {{-map_[1] - map_[5] * eta, map_[0] + map_[4] * eta}}}};
  }
  Gradients contravariant_beside(int side, int q) const {
    return contravariant_at(V(Operators::side_point(side, q, 0)), V(Operators::side_point(side, q, 1)));
  }

  static Vector<Config> combined(const Gradients& gradients, int side) {
    Vector<Config> n;
    for (int k = 0; k < dimension; ++k) {
      n[k] = V(0);
      for (int d = 0; d < dimension; ++d) n[k] += V(Operators::side_normal(side, d)) * gradients[d][k];
    }
    return n;
  }

  const ElementSetArrays& set_;
  const Item& item_;
  Gradients gradients_;  ///< where affine
  Array<V, 6> map_;      ///< where bilinear: A, B, C
};

}  // namespace galerna::kernels
