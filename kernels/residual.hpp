/// \file
/// Right-hand side of the weak form on affine simplices, and the update of a Runge–Kutta stage (docs/theory.md, Weak
/// form):
///   dc_j/dt = ∫ F(U)·∇φ_j + ∫ S(U) φ_j − Σ_sides ∫ φ_j F*(U⁻, U⁺, n), all over |det J|,
/// the basis being orthonormal on the reference simplex. With the gradients ∇λ_i of the barycentric coordinates, ξ_i =
/// λ_i for i ≥ 1, the contravariant fluxes are F·∇λ_i, and side i, opposite vertex i, has |side| n / |det J| = −s ∇λ_i
/// with s = 1/(d − 1)! (on the reference side of measure 1). Nothing here depends on the orientation of the element.
/// The kernel `residual` is that of a GPU thread with one element; packs/residual.hpp and tile/residual.hpp do the same
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
template <class Config>
Array<Vector<Config>, Config::Equations::dimension + 1> barycentric_gradients(const void* gradients, const Item& item) {
  constexpr int dimension = Config::Equations::dimension;
  using V = typename Config::Value;
  Array<Vector<Config>, dimension + 1> result;
  for (int d = 0; d < dimension; ++d) {
    result[0][d] = V(0);
    for (int i = 0; i < dimension; ++i) {
      result[i + 1][d] = load<Config>(gradients, item, dimension * dimension, i * dimension + d);
      result[0][d] -= result[i + 1][d];
    }
  }
  return result;
}

/// residual[v][j] += the part of ∫ F_v(U)·∇φ_j + ∫ S_v φ_j at `count` volume points from `first` on. Each mode is read
/// once for all of them.
template <class Config, int count>
void add_points(Modes<Config>& residual, const ResidualArguments& a, const Item& item,
                const Array<Vector<Config>, Config::Equations::dimension + 1>& gradients, int first) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int variables = Equations::variables, modes = Operators::modes;
  Array<State<Config>, count> u;
  for (int q = 0; q < count; ++q)
    for (int v = 0; v < variables; ++v) u[q][v] = V(0);
#pragma unroll(Config::unroll_modes)
  for (int j = 0; j < modes; ++j) {
    const State<Config> mode = load_mode<Config>(a.state, item, j);
#pragma unroll
    for (int q = 0; q < count; ++q)
      for (int v = 0; v < variables; ++v) u[q][v] += V(Operators::volume_basis(first + q, j)) * mode[v];
  }
#pragma unroll
  for (int q = 0; q < count; ++q) {
    const auto w = Equations::primitive(u[q]);
    for (int d = 0; d < Equations::dimension; ++d) {
      const State<Config> flux = Equations::flux(u[q], w, gradients[d + 1]);
#pragma unroll
      for (int j = 0; j < modes; ++j)
        for (int v = 0; v < variables; ++v)
          residual[v][j] += V(Operators::weighted_derivative(d, first + q, j)) * flux[v];
    }
    if constexpr (HasSource<Config>) {
      const State<Config> source = source_at<Config>(a, a.nodes, item, first + q, u[q]);
#pragma unroll
      for (int j = 0; j < modes; ++j)
        for (int v = 0; v < variables; ++v)
          residual[v][j] += V(Config::SourcePoints::weighted_basis(first + q, j)) * source[v];
    }
  }
}

/// residual[v][j] += ∫ F_v(U)·∇φ_j + ∫ S_v φ_j
template <class Config>
void add_volume_integral(Modes<Config>& residual, const ResidualArguments& a, const Item& item,
                         const Array<Vector<Config>, Config::Equations::dimension + 1>& gradients) {
  constexpr int points = Config::Operators::volume_points, together = Config::points_together;
  if constexpr (Config::Operators::modes == 1 && !HasSource<Config>) return;
#pragma unroll(Config::unroll_points)
  for (int q = 0; q + together <= points; q += together) add_points<Config, together>(residual, a, item, gradients, q);
  if constexpr (points % together > 0)
    add_points<Config, points % together>(residual, a, item, gradients, points - points % together);
}

/// U at the points of side `side` from the element's own modes.
template <class Config>
void evaluate_side(SideStates<Config>& states, const void* state, const Item& item, int side) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int variables = Config::Equations::variables, modes = Operators::modes;
  for (int q = 0; q < Operators::side_points; ++q)
    for (int v = 0; v < variables; ++v) states[q][v] = V(0);
#pragma unroll(Config::unroll_modes)
  for (int j = 0; j < modes; ++j) {
    const State<Config> mode = load_mode<Config>(state, item, j);
    for (int q = 0; q < Operators::side_points; ++q)
      for (int v = 0; v < variables; ++v) states[q][v] += V(Operators::side_basis(side, q, j)) * mode[v];
  }
}

/// U at the points of a side of other elements, of one in each lane.
template <class Config>
void evaluate_neighbour(SideStates<Config>& states, const void* state, const Integers<Config>& elements,
                        const Integers<Config>& sides, const void* side_basis) {
  using V = typename Config::Value;
  using Real = typename Config::Real;
  using Operators = typename Config::Operators;
  constexpr int variables = Config::Equations::variables, modes = Operators::modes, points = Operators::side_points;
  const Real* table = static_cast<const Real*>(side_basis);
  for (int q = 0; q < points; ++q)
    for (int v = 0; v < variables; ++v) states[q][v] = V(0);
#pragma unroll(Config::unroll_modes)
  for (int j = 0; j < modes; ++j) {
    const State<Config> mode = gather_mode<Config>(state, elements, j);
    for (int q = 0; q < points; ++q) {
      const V basis = generate<Config>([&](int i) { return table[(sides[i] * points + q) * modes + j]; });
      for (int v = 0; v < variables; ++v) states[q][v] += basis * mode[v];
    }
  }
}

/// U beyond side `side`: of the neighbour, or a ghost state.
template <class Config>
void evaluate_outside(SideStates<Config>& states, const ResidualArguments& a, const Item& item, int side) {
  const Integers<Config> codes = load_integers<Config>(a.neighbours, item, Config::Operators::sides, side);
  if (codes[0] >= 0)
    return evaluate_neighbour<Config>(states, a.state, elements_of<Config>(codes), sides_of<Config>(codes),
                                      a.side_basis);
  const Array<std::int64_t, 1> ghost = {trace_offset<Config>(-1 - codes[0], 0)};
  for (int q = 0; q < Config::Operators::side_points; ++q) states[q] = gather_trace<Config>(a.traces, ghost, q);
}

/// Of a side whose barycentric coordinate has this gradient: outward unit normal and |side| / |det J| up to side_scale.
template <class Config>
struct SideNormal {
  Vector<Config> normal;
  typename Config::Value length;

  explicit SideNormal(const Vector<Config>& gradient) {
    using V = typename Config::Value;
    V square = V(0);
    for (int d = 0; d < Vector<Config>::size(); ++d) square += gradient[d] * gradient[d];
    length = positive_sqrt(square);
    const V inverse = reciprocal(length);
    for (int d = 0; d < Vector<Config>::size(); ++d) normal[d] = -gradient[d] * inverse;
  }
};

/// residual[v][j] −= ∫ over side `side` of φ_j F*_v
template <class Config>
void add_side_integral(Modes<Config>& residual, const ResidualArguments& a, const Item& item, int side,
                       const Vector<Config>& gradient) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int variables = Equations::variables;
  const SideNormal<Config> at(gradient);

  SideStates<Config> outside, inside;
  evaluate_outside<Config>(outside, a, item, side);
  evaluate_side<Config>(inside, a.state, item, side);
  for (int q = 0; q < Operators::side_points; ++q) {
    State<Config> flux = Config::Flux::template flux<Equations>(inside[q], outside[q], at.normal);
    const V scale = at.length * V(Operators::side_weight(q) * Operators::side_scale);
    for (int v = 0; v < variables; ++v) flux[v] *= scale;
#pragma unroll
    for (int j = 0; j < Operators::modes; ++j)
      for (int v = 0; v < variables; ++v) residual[v][j] -= V(Operators::side_basis(side, q, j)) * flux[v];
  }
}

/// Modes `first` … `last` − 1 of output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R for the item's element.
template <class Config, int inputs, int outputs, int first, int last>
void update_modes(const Modes<Config>& residual, const StageUpdate& update, const Item& item,
                  const ElementStep<Config>& dt) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  // All loads before the first store: outputs may alias inputs, and the compiler must assume that they do.
  Array<V, inputs> input[last - first][variables];
#pragma unroll
  for (int j = first; j < last; ++j)
#pragma unroll
    for (int i = 0; i < inputs; ++i) {
      const State<Config> mode = load_mode<Config>(update.inputs[i], item, j);
      for (int v = 0; v < variables; ++v) input[j - first][v][i] = mode[v];
    }
#pragma unroll
  for (int k = 0; k < outputs; ++k) {
    const V rhs = dt.times(update.rhs[k]);
#pragma unroll
    for (int j = first; j < last; ++j) {
      State<Config> sum;
      for (int v = 0; v < variables; ++v)
        sum[v] = stage_output<typename Config::Real>(update, k, input[j - first][v], V(rhs * residual[v][j]));
      store_mode<Config>(update.outputs[k], item, j, sum);
    }
  }
}

/// The same for all modes from `first` on, as many at a time as registers hold.
template <class Config, int inputs, int outputs, int first = 0>
void update_stage(const Modes<Config>& residual, const StageUpdate& update, const Item& item,
                  const ElementStep<Config>& dt) {
  constexpr int modes = Config::Operators::modes, together = 4;
  constexpr int last = first + together < modes ? first + together : modes;
  update_modes<Config, inputs, outputs, first, last>(residual, update, item, dt);
  if constexpr (last < modes) update_stage<Config, inputs, outputs, last>(residual, update, item, dt);
}

/// One stage for one element: R(state) and the stage's linear combinations.
template <class Config, int inputs, int outputs>
void residual(const ResidualArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  const auto gradients = barycentric_gradients<Config>(a.gradients, item);
  Modes<Config> residual;
  for (int v = 0; v < variables; ++v)
    for (int j = 0; j < modes; ++j) residual[v][j] = V(0);
#pragma unroll
  for (int side = 0; side < Config::Operators::sides; ++side)
    add_side_integral<Config>(residual, a, item, side, gradients[side]);
  add_volume_integral<Config>(residual, a, item, gradients);
  // Asked last: nothing that is read before has to wait for the answer.
  if (a.control->active)
    update_stage<Config, inputs, outputs>(residual, a.update, item, {*a.control, a.update.element_limits, item});
}

}  // namespace galerna::kernels
