/// \file
/// Gradients with the lifting of jumps by BR2 (viscous.hpp), as slices. Jumps are taken through the points of sides;
/// what a side's jumps add inside the element is linear in them, and depends on the basis.
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/general/basis.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

/// [direction]
template <class Case>
using PartGradients = Array<Part<Case>, Case::Equations::dimension>;

/// [direction][variable]
template <class Case>
using StateGradients = Array<State<Case>, Case::Equations::dimension>;

/// |J|^{-½} at a point where 1/|J| is given; 1 where affine, since normals are over |J| there.
template <class Case>
typename Case::Value root_of(const typename Case::Value& inverse) {
  if constexpr (Case::affine)
    return typename Case::Value(1);
  else
    return positive_sqrt(inverse);
}

/// `components` numbers of a slice at each point of all sides, counted through. With a dense basis in shared memory, if
/// they fit. \tparam number tells those apart that a kernel needs at once.
template <class Case, int components, int number = 0>
class SideParts {
 public:
  static constexpr int points = all_side_points<typename Case::Operators>();
  Part<Case> at(int point, int component = 0) const { return parts_.at(point * components + component); }
  void set(int point, int component, const Part<Case>& part) { parts_.set(point * components + component, part); }

 private:
  static constexpr int size = points * components;
  static constexpr bool shared = !Case::tensor && shared_bytes_of<Case>(size) <= shared_parts_bytes;
  PartArray<Case, size, shared, number> parts_;
};

/// u⁻
template <class Case>
using InsideParts = SideParts<Case, 1, 1>;

/// ½ (u⁺ − u⁻), to which the normal of the side belongs where affine; else |J|^{-½} n ds ½ (u⁺ − u⁻).
template <class Case>
using Jumps = SideParts<Case, Case::affine ? 1 : Case::Equations::dimension>;

/// Of a jump `half` = ½ (u⁺ − u⁻): what of it is lifted with the basis φ_j/√|J|, [component].
template <class Case>
Array<Part<Case>, Case::Equations::dimension> jump_vector(const Part<Case>& half, const Geometry<Case>& geometry,
                                                          int side, int q) {
  using V = typename Case::Value;
  const Vector<Case> normal = geometry.normal(side, q);
  V scale = V(1);
  if constexpr (!Case::affine) scale = root_of<Case>(geometry.determinant(geometry.side_gradients(side, q)));
  Array<Part<Case>, Case::Equations::dimension> vector;
  for (int d = 0; d < vector.size(); ++d) {
    vector[d] = zero_part<Case>();
    add_product<Case>(vector[d], scale * normal[d], half);
  }
  return vector;
}

/// Sets the jumps at a batch of points from those `halves` = ½ (u⁺ − u⁻).
template <class Case, class Points>
void set_jumps(Jumps<Case>& jumps, Points batch, const Array<Part<Case>, Points::count>& halves,
               const Geometry<Case>& geometry) {
  using Operators = typename Case::Operators;
  for_each_number<Points::count>([&](int k) {
    const int at = Points::first + k;
    if constexpr (Case::affine) {
      jumps.set(at, 0, halves[k]);
    } else {
      const auto vector = jump_vector<Case>(halves[k], geometry, side_at<Operators>(at), point_on_side<Operators>(at));
      for (int d = 0; d < vector.size(); ++d) jumps.set(at, d, vector[d]);
    }
  });
}

/// ½ (u⁺ − u⁻) at a batch of points, on the boundary u_b − u⁻.
template <class Case, class Points>
Array<Part<Case>, Points::count> half_jumps(const GeneralArguments& a, const Slice<Case>& slice, Points batch,
                                            const Array<Part<Case>, Points::count>& inside) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  Array<Part<Case>, Points::count> halves;
  for_each_number<Points::count>([&](int k) {
    const int at = Points::first + k;
    const SideSlots<Case> slots(a, slice.item, side_at<Operators>(at));
    const Part<Case> opposite =
        gather_part<Case>(slots.arrays().traces, slice, slots.opposite(point_on_side<Operators>(at)));
    for (int v = 0; v < opposite.size(); ++v) halves[k][v] = number<V>(0.5) * (opposite[v] - inside[k][v]);
  });
  return halves;
}

/// z[k] += factors[k] Σ_i L(k, i) jump_i at points k, from the points i of a side; `lift` makes the sums with the jump
/// at each of the latter.
template <class Case, int count, class Lift>
void add_lifting(Array<PartGradients<Case>, count>& z, const Array<typename Case::Value, count>& factors,
                 const Jumps<Case>& jumps, const Geometry<Case>& geometry, int side, const Lift& lift) {
  const int first = first_side_point<typename Case::Operators>(side);
  const auto lifted = [&](int component) { return lift([&](int i) { return jumps.at(first + i, component); }); };
  if constexpr (Case::affine) {
    const auto sums = lifted(0);
    const Vector<Case> normal = geometry.normal(side, 0);
    for (int k = 0; k < count; ++k)
      for (int d = 0; d < z[k].size(); ++d) add_product<Case>(z[k][d], factors[k] * normal[d], sums[k]);
  } else {
    for (int d = 0; d < z[0].size(); ++d) {
      const auto sums = lifted(d);
      for (int k = 0; k < count; ++k) add_product<Case>(z[k][d], factors[k], sums[k]);
    }
  }
}

/// Σ_d ∇ξ_d ∂u/∂ξ_d
template <class Case>
PartGradients<Case> physical_gradient(const typename Geometry<Case>::Gradients& gradients,
                                      const PartGradients<Case>& reference) {
  PartGradients<Case> result;
  for (int k = 0; k < result.size(); ++k) {
    result[k] = zero_part<Case>();
    for (int d = 0; d < reference.size(); ++d) add_product<Case>(result[k], gradients[d][k], reference[d]);
  }
  return result;
}

/// u and z = ∇u + Σ_e r_e at a batch of points, [point] and [point][direction].
template <class Case, int count>
struct ValuesAndGradients {
  Array<Part<Case>, count> u;
  Array<PartGradients<Case>, count> z;
};

/// ∇ξ_d and |J|^{-½} at volume points.
template <class Case>
struct PointMetric {
  typename Geometry<Case>::Gradients gradients;
  typename Case::Value root;

  PointMetric(const Geometry<Case>& geometry, int q) : gradients(geometry.contravariant(q)), root(1) {
    if constexpr (!Case::affine) {
      const auto inverse = geometry.inverse(q);
      root = root_of<Case>(inverse);
      for (auto& gradient : gradients.values)
        for (auto& component : gradient.values) component *= inverse;
    }
  }
};

/// Gradients inside an element with a tensor basis: r_e needs the jumps at the ends of two lines only.
template <class Case>
class TensorGradient {
 public:
  /// \param halves ½ (u⁺ − u⁻) at points of sides.
  template <class Points>
  void add(Points batch, const Array<Part<Case>, Points::count>& halves, const Geometry<Case>& geometry) {
    set_jumps<Case>(jumps_, batch, halves, geometry);
  }

  /// When all jumps were added.
  void finish(const Basis<Case>&, const Geometry<Case>&) {}

  template <class Points>
  ValuesAndGradients<Case, Points::count> at(Points batch, const Basis<Case>& basis,
                                             const Geometry<Case>& geometry) const {
    constexpr int dimension = Case::Equations::dimension;
    Array<Array<Part<Case>, Points::count>, dimension> reference;
    for (int d = 0; d < dimension; ++d) reference[d] = basis.derivatives(batch, d);
    ValuesAndGradients<Case, Points::count> result;
    result.u = basis.values(batch);
    Array<typename Case::Value, Points::count> roots;
    for_each_number<Points::count>([&](int k) {
      const PointMetric<Case> metric(geometry, Points::first + k);
      roots[k] = metric.root;
      PartGradients<Case> at;
      for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
      result.z[k] = physical_gradient<Case>(metric.gradients, at);
    });
    for_each_number<Case::Operators::sides>([&](int side) {
      add_lifting<Case>(result.z, roots, jumps_, geometry, side,
                        [&](const auto& jump) { return Basis<Case>::lift(batch, side, jump); });
    });
    return result;
  }

 private:
  Jumps<Case> jumps_;
};

/// Gradients inside an element with any other basis, as polynomials themselves: their modes, and of Σ_e r_e √|J|. Where
/// derivatives have no modes they are evaluated at the points.
template <class Case>
class DenseGradient {
 public:
  static constexpr int dimension = Case::Equations::dimension, modes = Case::Operators::modes;
  static constexpr bool modal = HasDerivativeModes<typename Case::Operators>;
  using V = typename Case::Value;

  DenseGradient() {
    unrolled<dimension>(
        [&](int d) { for_each_number<modes>([&](int j) { lifted_[d][j] = reference_[d][j] = zero_part<Case>(); }); });
  }

  template <class Points>
  void add(Points batch, const Array<Part<Case>, Points::count>& halves, const Geometry<Case>& geometry) {
    using Operators = typename Case::Operators;
    Array<Array<Part<Case>, Points::count>, dimension> jumps;
    for_each_number<Points::count>([&](int k) {
      const int side = side_at<Operators>(Points::first + k), q = point_on_side<Operators>(Points::first + k);
      const auto vector = jump_vector<Case>(halves[k], geometry, side, q);
      for (int d = 0; d < dimension; ++d) {
        jumps[d][k] = zero_part<Case>();
        add_product<Case>(jumps[d][k], V(weight_on_side<Operators>(side, q)), vector[d]);
      }
    });
    for_each_number<modes>([&](int j) {
      for_each_number<Points::count>([&](int k) {
        const int side = side_at<Operators>(Points::first + k), q = point_on_side<Operators>(Points::first + k);
        const V number = V(Operators::side_basis(side, q, j));
        unrolled<dimension>([&](int d) { add_product<Case>(lifted_[d][j], number, jumps[d][k]); });
      });
    });
  }

  /// When all jumps were added.
  void finish([[maybe_unused]] const Basis<Case>& basis, [[maybe_unused]] const Geometry<Case>& geometry) {
    if constexpr (modal)
      unrolled<dimension>([&](int d) {
        const SliceModes<Case> derivative = basis.derivative(d);
        if constexpr (Case::affine) {
          const auto gradients = geometry.contravariant(0);
          for_each_number<Case::Operators::derivative_modes>([&](int j) {
            unrolled<dimension>([&](int i) { add_product<Case>(lifted_[i][j], gradients[d][i], derivative[j]); });
          });
        } else {
          reference_[d] = derivative;
        }
      });
  }

  template <class Points>
  ValuesAndGradients<Case, Points::count> at(Points batch, const Basis<Case>& basis,
                                             const Geometry<Case>& geometry) const {
    ValuesAndGradients<Case, Points::count> result;
    if constexpr (modal && Case::affine) {
      const auto values = basis.template values_with<dimension>(batch, [&](int d, int j) { return lifted_[d][j]; });
      result.u = values[0];
      for (int k = 0; k < Points::count; ++k)
        for (int d = 0; d < dimension; ++d) result.z[k][d] = values[1 + d][k];
    } else {
      constexpr int polynomials = modal ? 2 * dimension : dimension;
      const auto values = basis.template values_with<polynomials>(
          batch, [&](int i, int j) { return i < dimension ? lifted_[i][j] : reference_[i - dimension][j]; });
      result.u = values[0];
      [[maybe_unused]] Array<Array<Part<Case>, Points::count>, dimension> derivatives;
      if constexpr (!modal) unrolled<dimension>([&](int d) { derivatives[d] = basis.derivatives(batch, d); });
      for_each_number<Points::count>([&](int k) {
        const PointMetric<Case> metric(geometry, Points::first + k);
        PartGradients<Case> reference;
        for (int d = 0; d < dimension; ++d) {
          if constexpr (modal)
            reference[d] = values[1 + dimension + d][k];
          else
            reference[d] = derivatives[d][k];
        }
        result.z[k] = physical_gradient<Case>(metric.gradients, reference);
        for (int d = 0; d < dimension; ++d) add_product<Case>(result.z[k][d], metric.root, values[1 + d][k]);
      });
    }
    return result;
  }

 private:
  Array<SliceModes<Case>, dimension> lifted_;     ///< where affine, z itself in the end
  Array<SliceModes<Case>, dimension> reference_;  ///< ∂u/∂ξ_d, where not affine
};

template <class Case, bool viscous, bool tensor>
struct GradientOf {
  struct Type {};
};
template <class Case>
struct GradientOf<Case, true, false> {
  using Type = DenseGradient<Case>;
};
template <class Case>
struct GradientOf<Case, true, true> {
  using Type = TensorGradient<Case>;
};

/// Gradients inside an element; empty without viscosity.
template <class Case>
using VolumeGradient = typename GradientOf<Case, Case::viscous, Case::tensor>::Type;

}  // namespace galerna::kernels
