/// \file
/// Right-hand side of the weak form on affine simplices, and the update of a Runge–Kutta stage (docs/theory.md, Weak
/// form):
///   dc_j/dt = ∫ F(U)·∇φ_j + ∫ S(U) φ_j − Σ_sides ∫ φ_j F*(U⁻, U⁺, n), all over |det J|,
/// the basis being orthonormal on the reference simplex. With the gradients ∇λ_i of the barycentric coordinates, ξ_i =
/// λ_i for i ≥ 1, the contravariant fluxes are F·∇λ_i, and side i, opposite vertex i, has |side| n / |det J| = −s ∇λ_i
/// with s = 1/(d − 1)! (on the reference side of measure 1). Nothing here depends on the orientation of the element.
/// The kernel `residual` is that of a GPU thread with one element; batch/residual.hpp and tile/residual.hpp do the same
/// for blocks of elements on the CPU and on matrix units.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/element_step.hpp"
#include "kernels/side_code.hpp"
#include "kernels/source.hpp"
#include "kernels/state.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

/// ∇λ_0 … ∇λ_d of the item's element; ∇λ_0 = −Σ ∇λ_i.
template <class Case>
Array<Vector<Case>, Case::Equations::dimension + 1> barycentric_gradients(const void* gradients, const Item& item) {
  constexpr int dimension = Case::Equations::dimension;
  using V = typename Case::Value;
  Array<Vector<Case>, dimension + 1> result;
  for (int d = 0; d < dimension; ++d) {
    result[0][d] = V(0);
    for (int i = 0; i < dimension; ++i) {
      result[i + 1][d] = load<Case>(gradients, item, dimension * dimension, i * dimension + d);
      result[0][d] -= result[i + 1][d];
    }
  }
  return result;
}

/// residual[v][j] += the part of ∫ F_v(U)·∇φ_j + ∫ S_v φ_j at `count` volume points from `first` on. Each mode is read
/// once for all of them.
template <class Case, int count>
void add_points(Modes<Case>& residual, const ResidualArguments& a, const Item& item,
                const Array<Vector<Case>, Case::Equations::dimension + 1>& gradients, int first) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int variables = Equations::variables, modes = Operators::modes;
  Array<State<Case>, count> u;
  for (int q = 0; q < count; ++q)
    for (int v = 0; v < variables; ++v) u[q][v] = V(0);
#pragma unroll(Case::unroll_modes)
  for (int j = 0; j < modes; ++j) {
    const State<Case> mode = load_mode<Case>(a.state, item, j);
#pragma unroll
    for (int q = 0; q < count; ++q)
      for (int v = 0; v < variables; ++v) u[q][v] += V(Operators::volume_basis(first + q, j)) * mode[v];
  }
#pragma unroll
  for (int q = 0; q < count; ++q) {
    const auto w = Equations::primitive(u[q]);
    for (int d = 0; d < Equations::dimension; ++d) {
      const State<Case> flux = Equations::flux(u[q], w, gradients[d + 1]);
#pragma unroll
      for (int j = 0; j < modes; ++j)
        for (int v = 0; v < variables; ++v)
          residual[v][j] += V(Operators::weighted_derivative(d, first + q, j)) * flux[v];
    }
    if constexpr (HasSource<Case>) {
      const State<Case> source = source_at<Case>(a, a.nodes, item, first + q, u[q]);
#pragma unroll
      for (int j = 0; j < modes; ++j)
        for (int v = 0; v < variables; ++v)
          residual[v][j] += V(Case::SourcePoints::weighted_basis(first + q, j)) * source[v];
    }
  }
}

/// residual[v][j] += ∫ F_v(U)·∇φ_j + ∫ S_v φ_j
template <class Case>
void add_volume_integral(Modes<Case>& residual, const ResidualArguments& a, const Item& item,
                         const Array<Vector<Case>, Case::Equations::dimension + 1>& gradients) {
  constexpr int points = Case::Operators::volume_points, together = Case::points_together;
  if constexpr (Case::Operators::modes == 1 && !HasSource<Case>) return;
#pragma unroll(Case::unroll_points)
  for (int q = 0; q + together <= points; q += together) add_points<Case, together>(residual, a, item, gradients, q);
  if constexpr (points % together > 0)
    add_points<Case, points % together>(residual, a, item, gradients, points - points % together);
}

/// U at the points of side `side` from the element's own modes.
template <class Case>
void evaluate_side(SideStates<Case>& states, const void* state, const Item& item, int side) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int variables = Case::Equations::variables, modes = Operators::modes;
  for (int q = 0; q < Operators::side_points; ++q)
    for (int v = 0; v < variables; ++v) states[q][v] = V(0);
#pragma unroll(Case::unroll_modes)
  for (int j = 0; j < modes; ++j) {
    const State<Case> mode = load_mode<Case>(state, item, j);
    for (int q = 0; q < Operators::side_points; ++q)
      for (int v = 0; v < variables; ++v) states[q][v] += V(Operators::side_basis(side, q, j)) * mode[v];
  }
}

/// U at the points of a side of other elements, of one in each lane.
template <class Case>
void evaluate_neighbour(SideStates<Case>& states, const void* state, const Integers<Case>& elements,
                        const Integers<Case>& sides, const void* side_basis) {
  using V = typename Case::Value;
  using Real = typename Case::Real;
  using Operators = typename Case::Operators;
  constexpr int variables = Case::Equations::variables, modes = Operators::modes, points = Operators::side_points;
  const Real* table = static_cast<const Real*>(side_basis);
  for (int q = 0; q < points; ++q)
    for (int v = 0; v < variables; ++v) states[q][v] = V(0);
#pragma unroll(Case::unroll_modes)
  for (int j = 0; j < modes; ++j) {
    const State<Case> mode = gather_mode<Case>(state, elements, j);
    for (int q = 0; q < points; ++q) {
      const V basis = generate<Case>([&](int i) { return table[(sides[i] * points + q) * modes + j]; });
      for (int v = 0; v < variables; ++v) states[q][v] += basis * mode[v];
    }
  }
}

/// U beyond side `side`: of the neighbour, or a ghost state.
template <class Case>
void evaluate_outside(SideStates<Case>& states, const ResidualArguments& a, const Item& item, int side) {
  const Integers<Case> codes = load_integers<Case>(a.neighbours, item, Case::Operators::sides, side);
  if (codes[0] >= 0)
    return evaluate_neighbour<Case>(states, a.state, elements_of<Case>(codes), sides_of<Case>(codes), a.side_basis);
  const Array<std::int64_t, 1> ghost = {trace_offset<Case>(-1 - codes[0], 0)};
  for (int q = 0; q < Case::Operators::side_points; ++q) states[q] = gather_trace<Case>(a.traces, ghost, q);
}

/// Of a side whose barycentric coordinate has this gradient: outward unit normal and |side| / |det J| up to side_scale.
template <class Case>
struct SideNormal {
  Vector<Case> normal;
  typename Case::Value length;

  explicit SideNormal(const Vector<Case>& gradient) {
    using V = typename Case::Value;
    V square = V(0);
    for (int d = 0; d < Vector<Case>::size(); ++d) square += gradient[d] * gradient[d];
    length = positive_sqrt(square);
    const V inverse = reciprocal(length);
    for (int d = 0; d < Vector<Case>::size(); ++d) normal[d] = -gradient[d] * inverse;
  }
};

/// residual[v][j] −= ∫ over side `side` of φ_j F*_v
template <class Case>
void add_side_integral(Modes<Case>& residual, const ResidualArguments& a, const Item& item, int side,
                       const Vector<Case>& gradient) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int variables = Equations::variables;
  const SideNormal<Case> at(gradient);

  SideStates<Case> outside, inside;
  evaluate_outside<Case>(outside, a, item, side);
  evaluate_side<Case>(inside, a.state, item, side);
  for (int q = 0; q < Operators::side_points; ++q) {
    State<Case> flux = Case::Flux::template flux<Equations>(inside[q], outside[q], at.normal);
    const V scale = at.length * V(Operators::side_weight(q) * Operators::side_scale);
    for (int v = 0; v < variables; ++v) flux[v] *= scale;
#pragma unroll
    for (int j = 0; j < Operators::modes; ++j)
      for (int v = 0; v < variables; ++v) residual[v][j] -= V(Operators::side_basis(side, q, j)) * flux[v];
  }
}

/// Modes `first` … `last` − 1 of output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R for the item's element.
template <class Case, int inputs, int outputs, int first, int last>
void update_modes(const Modes<Case>& residual, const StageUpdate& update, const Item& item,
                  const ElementStep<Case>& dt) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
  // All loads before the first store: outputs may alias inputs, and the compiler must assume that they do.
  Array<V, inputs> input[last - first][variables];
#pragma unroll
  for (int j = first; j < last; ++j)
#pragma unroll
    for (int i = 0; i < inputs; ++i) {
      const State<Case> mode = load_mode<Case>(update.inputs[i], item, j);
      for (int v = 0; v < variables; ++v) input[j - first][v][i] = mode[v];
    }
#pragma unroll
  for (int k = 0; k < outputs; ++k) {
    const V rhs = dt.times(update.rhs[k]);
#pragma unroll
    for (int j = first; j < last; ++j) {
      State<Case> sum;
      for (int v = 0; v < variables; ++v)
        sum[v] = stage_output<typename Case::Real>(update, k, input[j - first][v], V(rhs * residual[v][j]));
      store_mode<Case>(update.outputs[k], item, j, sum);
    }
  }
}

/// The same for all modes from `first` on, as many at a time as registers hold.
template <class Case, int inputs, int outputs, int first = 0>
void update_stage(const Modes<Case>& residual, const StageUpdate& update, const Item& item,
                  const ElementStep<Case>& dt) {
  constexpr int modes = Case::Operators::modes, together = 4;
  constexpr int last = first + together < modes ? first + together : modes;
  update_modes<Case, inputs, outputs, first, last>(residual, update, item, dt);
  if constexpr (last < modes) update_stage<Case, inputs, outputs, last>(residual, update, item, dt);
}

/// One stage for one element: R(state) and the stage's linear combinations.
template <class Case, int inputs, int outputs>
void residual(const ResidualArguments& a, const Item& item) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  const auto gradients = barycentric_gradients<Case>(a.gradients, item);
  Modes<Case> residual;
  for (int v = 0; v < variables; ++v)
    for (int j = 0; j < modes; ++j) residual[v][j] = V(0);
#pragma unroll
  for (int side = 0; side < Case::Operators::sides; ++side)
    add_side_integral<Case>(residual, a, item, side, gradients[side]);
  add_volume_integral<Case>(residual, a, item, gradients);
  // Asked last: nothing that is read before has to wait for the answer.
  if (a.control->active)
    update_stage<Case, inputs, outputs>(residual, a.update, item, {*a.control, a.update.element_limits, item});
}

}  // namespace galerna::kernels
