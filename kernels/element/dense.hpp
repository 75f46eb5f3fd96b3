/// \file
/// A thread's part of the solution on an element whose basis is no product of one-dimensional ones: every value is a
/// sum over all modes. Config::Operators adds
///   side_derivative(side, d, q, j)      ∂φ_j/∂ξ_d
///   lift_to_side(side, q, k)            L of viscous.hpp from point k of a side
///   derivative_entry(e)                 entries of the matrices that make modes of ∂u/∂ξ_d from those of u: number e
///   is in the matrix of d = derivative_direction(e), at row derivative_row(e), column derivative_column(e); not of
///   pyramids, whose rational modes have derivatives that are no combinations of modes
/// where there is viscosity. Points of all sides are counted through (side_points.hpp).
#pragma once

#include "kernels/element/geometry.hpp"
#include "kernels/element/thread_group.hpp"

namespace galerna::kernels {

/// Whether derivatives of modes are combinations of modes.
template <class Operators>
concept HasDerivativeModes = requires {
  Operators::derivative_modes;
};

template <class Config>
class DenseBasis {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  static constexpr int modes = Operators::modes;

  explicit DenseBasis(const PartModes<Config>& coefficients) : c_(coefficients) {
    for_each_mode<Config, modes>([&](int j) { r_[j] = zero_part<Config>(); });
  }

  /// u at volume points.
  template <class Points>
  Array<Part<Config>, Points::count> values(Points batch) const {
    return combine<Points::count>([&](int k, int j) { return Operators::volume_basis(batch.first + k, j); });
  }

  /// u at points of sides.
  template <class Points>
  Array<Part<Config>, Points::count> side_values(Points batch) const {
    return combine<Points::count>([&](int k, int j) { return basis_on_side(batch.first + k, j); });
  }

  /// At volume points u and `count` other polynomials with the modes other(i, j). Each number of the basis is used for
  /// all.
  template <int count, class Points, class Other>
  Array<Array<Part<Config>, Points::count>, count + 1> values_with(Points batch, const Other& other) const {
    Array<Array<Part<Config>, Points::count>, count + 1> sums;
    unrolled<count + 1>([&](int i) { unrolled<Points::count>([&](int k) { sums[i][k] = zero_part<Config>(); }); });
    for_each_mode<Config, modes>([&](int j) {
      unrolled<Points::count>([&](int k) {
        const V number = V(Operators::volume_basis(batch.first + k, j));
        unrolled<count>([&](int i) { add_product<Config>(sums[1 + i][k], number, other(i, j)); });
        add_product<Config>(sums[0][k], number, c_[j]);
      });
    });
    return sums;
  }

  /// Modes of ∂u/∂ξ_d, of which the first Operators::derivative_modes may differ from zero.
  PartModes<Config> derivative(int d) const {
    PartModes<Config> result;
    for_each_mode<Config, modes>([&](int j) { result[j] = zero_part<Config>(); });
    add_derivative<0, Operators::derivative_entries>(result, d);
    return result;
  }

  /// ∂u/∂ξ_d at volume points.
  template <class Points>
  Array<Part<Config>, Points::count> derivatives(Points batch, int d) const {
    auto sums =
        combine<Points::count>([&](int k, int j) { return Operators::weighted_derivative(d, batch.first + k, j); });
    for_each_number<Points::count>([&](int k) {
      const V inverse = V(1 / Operators::volume_weight(batch.first + k));
      for (int v = 0; v < Part<Config>::size(); ++v) sums[k][v] *= inverse;
    });
    return sums;
  }

  /// ∂u/∂ξ_d at points of sides. \param inside u at all of them
  template <class Points, class Inside>
  Array<Part<Config>, Points::count> side_derivatives(Points batch, int d, const Inside&) const {
    return combine<Points::count>([&](int k, int j) {
      return Operators::side_derivative(side_at<Operators>(batch.first + k), d,
                                        point_on_side<Operators>(batch.first + k), j);
    });
  }

  /// += Σ_q w_q ∂φ_j/∂ξ_d f_q over volume points.
  template <class Points>
  void add(Points batch, int d, const Array<Part<Config>, Points::count>& f) {
    spread<Points::count>([&](int k, int j) { return Operators::weighted_derivative(d, batch.first + k, j); }, f);
  }

  /// += Σ_q w_q φ_j f_q over volume points.
  template <class Points>
  void add_values(Points batch, const Array<Part<Config>, Points::count>& f) {
    spread<Points::count>([&](int k, int j) { return Config::SourcePoints::weighted_basis(batch.first + k, j); }, f);
  }

  /// += Σ_q φ_j f_q over points of sides.
  template <class Points>
  void add_sides(Points batch, const Array<Part<Config>, Points::count>& f) {
    spread<Points::count>([&](int k, int j) { return basis_on_side(batch.first + k, j); }, f);
  }

  /// Σ_k L(point q of the side, point k of the side) jump(k)
  template <class Jump>
  static Part<Config> side_lift(int side, int q, const Jump& jump) {
    Part<Config> sum = zero_part<Config>();
    const auto add = [&](int k) { add_product<Config>(sum, V(Operators::lift_to_side(side, q, k)), jump(k)); };
    if constexpr (HasUnlikeSides<Operators>)
      for (int k = 0; k < points_of_side<Operators>(side); ++k) add(k);
    else
      for_each_mode<Config, Operators::side_points>(add);
    return sum;
  }

  /// The change of the coefficients from the integrals that were added: by the weight-adjusted inverse of the mass
  /// matrix, and a constant that makes the change of the solution's integral right (docs/theory.md, Mass matrix).
  const PartModes<Config>& change(const Geometry<Config>& geometry, const GroupThread<Config>&) {
    if constexpr (!Config::affine) divide_by_mass(geometry);
    return r_;
  }

 private:
  /// At a point of all sides.
  static constexpr auto basis_on_side(int point, int j) {
    return Operators::side_basis(side_at<Operators>(point), point_on_side<Operators>(point), j);
  }

  /// The entries first … last − 1, one by one: the compiler must see which modes each joins.
  template <int first, int last>
  void add_derivative(PartModes<Config>& result, int d) const {
    if constexpr (last - first > 1) {
      add_derivative<first, (first + last) / 2>(result, d);
      add_derivative<(first + last) / 2, last>(result, d);
    } else if constexpr (last - first == 1) {
      constexpr int row = Operators::derivative_row(first), column = Operators::derivative_column(first);
      if (Operators::derivative_direction(first) == d)
        add_product<Config>(result[row], V(Operators::derivative_entry(first)), c_[column]);
    }
  }

  template <int count, class Coefficient>
  Array<Part<Config>, count> combine(const Coefficient& coefficient) const {
    return combine<count>(coefficient, c_);
  }

  /// Σ_j coefficient(k, j) c_j
  template <int count, class Coefficient>
  static Array<Part<Config>, count> combine(const Coefficient& coefficient, const PartModes<Config>& c) {
    Array<Part<Config>, count> sums;
    unrolled<count>([&](int k) { sums[k] = zero_part<Config>(); });
    for_each_mode<Config, modes>(
        [&](int j) { unrolled<count>([&](int k) { add_product<Config>(sums[k], V(coefficient(k, j)), c[j]); }); });
    return sums;
  }

  template <int count, class Coefficient>
  void spread(const Coefficient& coefficient, const Array<Part<Config>, count>& f) {
    for_each_mode<Config, modes>([&](int j) {
      Part<Config> sum = r_[j];
      unrolled<count>([&](int k) { add_product<Config>(sum, V(coefficient(k, j)), f[k]); });
      r_[j] = sum;
    });
  }

  void divide_by_mass(const Geometry<Config>& geometry) {
    PartModes<Config> r = r_;
    for_each_mode<Config, modes>([&](int j) { r_[j] = zero_part<Config>(); });
    for_each_batch<Config, Operators::volume_points>([&](auto batch) {
      using Points = decltype(batch);
      const auto basis = [&](int k, int j) { return Operators::volume_basis(batch.first + k, j); };
      Array<Part<Config>, Points::count> values = combine<Points::count>(basis, r);
      unrolled<Points::count>([&](int k) {
        const V factor = V(Operators::volume_weight(batch.first + k)) * geometry.inverse(batch.first + k);
        for (int v = 0; v < Part<Config>::size(); ++v) values[k][v] *= factor;
      });
      spread<Points::count>(basis, values);
    });
    // Of straight quadrilaterals |J| is a combination of the modes, and the change of the integral is right already.
    if constexpr (Config::bilinear && Operators::degree > 0) return;
    for (int v = 0; v < Part<Config>::size(); ++v) {
      V missing = r[0][v] * V(1 / Operators::volume_basis(0, 0));
      for (int j = 0; j < modes; ++j) missing -= geometry.mean(j) * r_[j][v];
      r_[0][v] += missing / geometry.mean(0);
    }
  }

  PartModes<Config> c_, r_;
};

}  // namespace galerna::kernels
