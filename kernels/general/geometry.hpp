/// \file
/// Metric terms of an element (docs/theory.md, Curved elements). Case adds
///   affine   whether they are constant in each element: all of them then follow from the gradients ∇ξ_d, and
///            everything is divided by |J|, so that the mass matrix is the identity;
///   Operators::side_normal(side, d)   outward normal of a side of the reference shape, times the side's length.
#pragma once

#include "kernels/general/arguments.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

template <class Case>
class Geometry {
 public:
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  static constexpr int dimension = Case::Equations::dimension;
  using Gradients = Array<Vector<Case>, dimension>;

  Geometry(const ElementSetArrays& set, const Item& item) : set_(set), item_(item) {
    if constexpr (Case::affine) gradients_ = load_gradients(1, 0);
  }

  /// |J| ∇ξ_d at volume point q; ∇ξ_d where affine.
  Gradients contravariant(int q) const {
    if constexpr (Case::affine) return gradients_;
    else return load_gradients(Operators::volume_points, q);
  }

  /// Outward unit normal times ds at point q of a side; over |J| where affine.
  Vector<Case> normal(int side, int q) const {
    Vector<Case> n;
    for (int k = 0; k < dimension; ++k) {
      if constexpr (Case::affine) {
        n[k] = V(0);
        for (int d = 0; d < dimension; ++d) n[k] += V(Operators::side_normal(side, d)) * gradients_[d][k];
      } else {
        constexpr int points = Operators::sides * Operators::side_points;
        const int point = side * Operators::side_points + q;
        n[k] = load<Case>(set_.normals, item_, points * dimension, point * dimension + k);
      }
    }
    return n;
  }

  /// 1/|J| at volume point q.
  V inverse(int q) const {
    static_assert(dimension == 2);
    if constexpr (Case::affine)
      return abs(V(gradients_[0][0] * gradients_[1][1] - gradients_[0][1] * gradients_[1][0]));
    else
      return load<Case>(set_.inverse, item_, Operators::volume_points, q);
  }

  /// ∫ φ_j dx; not where affine.
  V mean(int j) const { return load<Case>(set_.means, item_, Operators::modes, j); }

 private:
  Gradients load_gradients(int points, int q) const {
    constexpr int numbers = dimension * dimension;
    Gradients result;
    for (int d = 0; d < dimension; ++d)
      for (int k = 0; k < dimension; ++k)
        result[d][k] = load<Case>(set_.contravariant, item_, points * numbers, q * numbers + d * dimension + k);
    return result;
  }

  const ElementSetArrays& set_;
  const Item& item_;
  [[no_unique_address]] Gradients gradients_;
};

}  // namespace galerna::kernels
