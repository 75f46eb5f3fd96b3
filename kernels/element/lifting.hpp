/// \file
/// Gradients with the lifting of jumps by BR2 (viscous.hpp), by the threads of a group. Jumps are taken through the
/// points of sides; what a side's jumps add inside the element is linear in them, and depends on the basis.
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/element/basis.hpp"
#include "kernels/element/sides.hpp"

namespace galerna::kernels {

/// [direction]
template <class Config>
using PartGradients = Array<Part<Config>, Config::Equations::dimension>;

/// [direction][variable]
template <class Config>
using StateGradients = Array<State<Config>, Config::Equations::dimension>;

/// |J|^{-½} at a point where 1/|J| is given; 1 where affine, since normals are over |J| there.
template <class Config>
typename Config::Value root_of(const typename Config::Value& inverse) {
  if constexpr (Config::affine)
    return typename Config::Value(1);
  else
    return positive_sqrt(inverse);
}

/// `components` numbers of a thread at each point of all sides, counted through. With a dense basis in shared memory,
/// if they fit. \tparam number tells those apart that a kernel needs at once.
template <class Config, int components, int number = 0>
class SideParts {
 public:
  static constexpr int points = all_side_points<typename Config::Operators>();
  Part<Config> at(int point, int component = 0) const { return parts_.at(point * components + component); }
  void set(int point, int component, const Part<Config>& part) { parts_.set(point * components + component, part); }

 private:
  static constexpr int size = points * components;
  static constexpr bool shared = !Config::tensor && shared_bytes_of<Config>(size) <= shared_parts_bytes;
  PartArray<Config, size, shared, number> parts_;
};

/// u⁻
template <class Config>
using InsideParts = SideParts<Config, 1, 1>;

/// ½ (u⁺ − u⁻), to which the normal of the side belongs where affine; else |J|^{-½} n ds ½ (u⁺ − u⁻).
template <class Config>
using Jumps = SideParts<Config, Config::affine ? 1 : Config::Equations::dimension>;

/// Of a jump `half` = ½ (u⁺ − u⁻): what of it is lifted with the basis φ_j/√|J|, [component].
template <class Config>
Array<Part<Config>, Config::Equations::dimension> jump_vector(const Part<Config>& half,
                                                              const Geometry<Config>& geometry, int side, int q) {
  using V = typename Config::Value;
  const Vector<Config> normal = geometry.normal(side, q);
  V scale = V(1);
  if constexpr (!Config::affine) scale = root_of<Config>(geometry.determinant(geometry.side_gradients(side, q)));
  Array<Part<Config>, Config::Equations::dimension> vector;
  for (int d = 0; d < vector.size(); ++d) {
    vector[d] = zero_part<Config>();
    add_product<Config>(vector[d], scale * normal[d], half);
  }
  return vector;
}

/// Sets the jumps at a batch of points from those `halves` = ½ (u⁺ − u⁻).
template <class Config, class Points>
void set_jumps(Jumps<Config>& jumps, Points batch, const Array<Part<Config>, Points::count>& halves,
               const Geometry<Config>& geometry) {
  using Operators = typename Config::Operators;
  for_each_number<Points::count>([&](int k) {
    const int at = batch.first + k;
    if constexpr (Config::affine) {
      jumps.set(at, 0, halves[k]);
    } else {
      const auto vector =
          jump_vector<Config>(halves[k], geometry, side_at<Operators>(at), point_on_side<Operators>(at));
      for (int d = 0; d < vector.size(); ++d) jumps.set(at, d, vector[d]);
    }
  });
}

/// ½ (u⁺ − u⁻) at a batch of points, on the boundary u_b − u⁻.
template <class Config, class Points>
Array<Part<Config>, Points::count> half_jumps(const ElementArguments& a, const GroupThread<Config>& thread,
                                              Points batch, const Array<Part<Config>, Points::count>& inside) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  Array<Part<Config>, Points::count> halves;
  for_each_number<Points::count>([&](int k) {
    const int at = batch.first + k;
    const SideSlots<Config> slots(a, thread.item, side_at<Operators>(at));
    const Part<Config> opposite =
        gather_part<Config>(slots.arrays().traces, thread, slots.opposite(point_on_side<Operators>(at)));
    for (int v = 0; v < opposite.size(); ++v) halves[k][v] = number<V>(0.5) * (opposite[v] - inside[k][v]);
  });
  return halves;
}

/// z[k] += factors[k] Σ_i L(k, i) jump_i at points k, from the points i of a side; `lift` makes the sums with the jump
/// at each of the latter.
template <class Config, int count, class Lift>
void add_lifting(Array<PartGradients<Config>, count>& z, const Array<typename Config::Value, count>& factors,
                 const Jumps<Config>& jumps, const Geometry<Config>& geometry, int side, const Lift& lift) {
  const int first = first_side_point<typename Config::Operators>(side);
  const auto lifted = [&](int component) { return lift([&](int i) { return jumps.at(first + i, component); }); };
  if constexpr (Config::affine) {
    const auto sums = lifted(0);
    const Vector<Config> normal = geometry.normal(side, 0);
    for (int k = 0; k < count; ++k)
      for (int d = 0; d < z[k].size(); ++d) add_product<Config>(z[k][d], factors[k] * normal[d], sums[k]);
  } else {
    for (int d = 0; d < z[0].size(); ++d) {
      const auto sums = lifted(d);
      for (int k = 0; k < count; ++k) add_product<Config>(z[k][d], factors[k], sums[k]);
    }
  }
}

/// Σ_d ∇ξ_d ∂u/∂ξ_d
template <class Config>
PartGradients<Config> physical_gradient(const typename Geometry<Config>::Gradients& gradients,
                                        const PartGradients<Config>& reference) {
  PartGradients<Config> result;
  for (int k = 0; k < result.size(); ++k) {
    result[k] = zero_part<Config>();
    for (int d = 0; d < reference.size(); ++d) add_product<Config>(result[k], gradients[d][k], reference[d]);
  }
  return result;
}

/// u and z = ∇u + Σ_e r_e at a batch of points, [point] and [point][direction].
template <class Config, int count>
struct ValuesAndGradients {
  Array<Part<Config>, count> u;
  Array<PartGradients<Config>, count> z;
};

/// ∇ξ_d and |J|^{-½} at volume points.
template <class Config>
struct PointMetric {
  typename Geometry<Config>::Gradients gradients;
  typename Config::Value root;

  PointMetric(const Geometry<Config>& geometry, int q) : gradients(geometry.contravariant(q)), root(1) {
    if constexpr (!Config::affine) {
      const auto inverse = geometry.inverse(q);
      root = root_of<Config>(inverse);
      for (auto& gradient : gradients.values)
        for (auto& component : gradient.values) component *= inverse;
    }
  }
};

/// Gradients inside an element with a tensor basis: r_e needs the jumps at the ends of two lines only.
template <class Config>
class TensorGradient {
 public:
  /// \param halves ½ (u⁺ − u⁻) at points of sides.
  template <class Points>
  void add(Points batch, const Array<Part<Config>, Points::count>& halves, const Geometry<Config>& geometry) {
    set_jumps<Config>(jumps_, batch, halves, geometry);
  }

  /// When all jumps were added.
  void finish(const Basis<Config>&, const Geometry<Config>&) {}

  template <class Points>
  ValuesAndGradients<Config, Points::count> at(Points batch, const Basis<Config>& basis,
                                               const Geometry<Config>& geometry) const {
    constexpr int dimension = Config::Equations::dimension;
    Array<Array<Part<Config>, Points::count>, dimension> reference;
    for (int d = 0; d < dimension; ++d) reference[d] = basis.derivatives(batch, d);
    ValuesAndGradients<Config, Points::count> result;
    result.u = basis.values(batch);
    Array<typename Config::Value, Points::count> roots;
    for_each_number<Points::count>([&](int k) {
      const PointMetric<Config> metric(geometry, batch.first + k);
      roots[k] = metric.root;
      PartGradients<Config> at;
      for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
      result.z[k] = physical_gradient<Config>(metric.gradients, at);
    });
    for_each_number<Config::Operators::sides>([&](int side) {
      add_lifting<Config>(result.z, roots, jumps_, geometry, side,
                          [&](const auto& jump) { return Basis<Config>::lift(batch, side, jump); });
    });
    return result;
  }

 private:
  Jumps<Config> jumps_;
};

/// Gradients inside an element with any other basis, as polynomials themselves: their modes, and of Σ_e r_e √|J|. Where
/// derivatives have no modes, or in loops, which leave no zeros of matrices out, they are evaluated at the points.
template <class Config>
class DenseGradient {
 public:
  static constexpr int dimension = Config::Equations::dimension, modes = Config::Operators::modes;
  static constexpr bool modal = HasDerivativeModes<typename Config::Operators> && !in_loops<Config>();
  using V = typename Config::Value;

  DenseGradient() {
    unrolled<dimension>([&](int d) {
      for_each_mode<Config, modes>([&](int j) { lifted_[d][j] = reference_[d][j] = zero_part<Config>(); });
    });
  }

  template <class Points>
  void add(Points batch, const Array<Part<Config>, Points::count>& halves, const Geometry<Config>& geometry) {
    using Operators = typename Config::Operators;
    Array<Array<Part<Config>, Points::count>, dimension> jumps;
    for_each_number<Points::count>([&](int k) {
      const int side = side_at<Operators>(batch.first + k), q = point_on_side<Operators>(batch.first + k);
      const auto vector = jump_vector<Config>(halves[k], geometry, side, q);
      for (int d = 0; d < dimension; ++d) {
        jumps[d][k] = zero_part<Config>();
        add_product<Config>(jumps[d][k], V(weight_on_side<Operators>(side, q)), vector[d]);
      }
    });
    for_each_mode<Config, modes>([&](int j) {
      for_each_number<Points::count>([&](int k) {
        const int side = side_at<Operators>(batch.first + k), q = point_on_side<Operators>(batch.first + k);
        const V number = V(Operators::side_basis(side, q, j));
        unrolled<dimension>([&](int d) { add_product<Config>(lifted_[d][j], number, jumps[d][k]); });
      });
    });
  }

  /// When all jumps were added.
  void finish([[maybe_unused]] const Basis<Config>& basis, [[maybe_unused]] const Geometry<Config>& geometry) {
    if constexpr (modal)
      unrolled<dimension>([&](int d) {
        const PartModes<Config> derivative = basis.derivative(d);
        if constexpr (Config::affine) {
          const auto gradients = geometry.contravariant(0);
          for_each_number<Config::Operators::derivative_modes>([&](int j) {
            unrolled<dimension>([&](int i) { add_product<Config>(lifted_[i][j], gradients[d][i], derivative[j]); });
          });
        } else {
          reference_[d] = derivative;
        }
      });
  }

  template <class Points>
  ValuesAndGradients<Config, Points::count> at(Points batch, const Basis<Config>& basis,
                                               const Geometry<Config>& geometry) const {
    ValuesAndGradients<Config, Points::count> result;
    if constexpr (modal && Config::affine) {
      const auto values = basis.template values_with<dimension>(batch, [&](int d, int j) { return lifted_[d][j]; });
      result.u = values[0];
      for (int k = 0; k < Points::count; ++k)
        for (int d = 0; d < dimension; ++d) result.z[k][d] = values[1 + d][k];
    } else {
      constexpr int polynomials = modal ? 2 * dimension : dimension;
      const auto values = basis.template values_with<polynomials>(
          batch, [&](int i, int j) { return i < dimension ? lifted_[i][j] : reference_[i - dimension][j]; });
      result.u = values[0];
      [[maybe_unused]] Array<Array<Part<Config>, Points::count>, dimension> derivatives;
      if constexpr (!modal) unrolled<dimension>([&](int d) { derivatives[d] = basis.derivatives(batch, d); });
      for_each_number<Points::count>([&](int k) {
        const PointMetric<Config> metric(geometry, batch.first + k);
        PartGradients<Config> reference;
        for (int d = 0; d < dimension; ++d) {
          if constexpr (modal)
            reference[d] = values[1 + dimension + d][k];
          else
            reference[d] = derivatives[d][k];
        }
        result.z[k] = physical_gradient<Config>(metric.gradients, reference);
        for (int d = 0; d < dimension; ++d) add_product<Config>(result.z[k][d], metric.root, values[1 + d][k]);
      });
    }
    return result;
  }

 private:
  Array<PartModes<Config>, dimension> lifted_;     ///< where affine, z itself in the end
  Array<PartModes<Config>, dimension> reference_;  ///< ∂u/∂ξ_d, where not affine
};

template <class Config, bool viscous, bool tensor>
struct GradientOf {
  struct Type {};
};
template <class Config>
struct GradientOf<Config, true, false> {
  using Type = DenseGradient<Config>;
};
template <class Config>
struct GradientOf<Config, true, true> {
  using Type = TensorGradient<Config>;
};

/// Gradients inside an element; empty without viscosity.
template <class Config>
using VolumeGradient = typename GradientOf<Config, Config::viscous, Config::tensor>::Type;

}  // namespace galerna::kernels
