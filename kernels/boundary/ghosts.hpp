/// \file
/// Ghost states at the points of boundary faces, and the flux through them summed over time (for the conservation
/// report) or point by point (for forces on walls).
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// The boundary conditions of a case, in the order of its boundaries.
template <class... Conditions>
struct BoundaryList {
  /// Ghost states of condition number `index` at the points of a face. \param at [point]
  template <class Equations, class States, class Points>
  static States ghosts(int index, const States& inside, const Points& at) {
    States result = inside;
    int position = 0;
    ((position++ == index ? evaluate<Conditions, Equations>(result, inside, at) : (void)0), ...);
    return result;
  }

  /// The same at one point.
  template <class Equations, class State, class Point>
  static State ghost(int index, const State& inside, const Point& at) {
    return ghosts<Equations>(index, Array<State, 1>{inside}, Array<Point, 1>{at})[0];
  }

 private:
  template <class Condition, class Equations, class States, class Points>
  static void evaluate(States& result, const States& inside, const Points& at) {
#pragma unroll
    for (int q = 0; q < States::size(); ++q) result[q] = Condition::template ghost<Equations>(inside[q], at[q]);
  }
};

/// Leaves a state and a flux at a point of a block of boundary faces for those who report them.
template <class Case>
void report_point(void* report, const Item& item, int q, const State<Case>& state, const State<Case>& flux) {
  constexpr int variables = Case::Equations::variables, numbers = Case::Operators::side_points * 2 * variables;
  for (int v = 0; v < variables; ++v) {
    store<Case>(report, item, numbers, 2 * q * variables + v, state[v]);
    store<Case>(report, item, numbers, (2 * q + 1) * variables + v, flux[v]);
  }
}

/// Point q of a block of boundary faces; the normal is the caller's to set.
template <class Case, class Arguments>
FacePoint<typename Case::Value, Case::Equations::dimension> face_point(const Arguments& a, const Item& item, int q) {
  using V = typename Case::Value;
  using Real = typename Case::Real;
  constexpr int dimension = Case::Equations::dimension, points = Case::Operators::side_points;
  FacePoint<V, dimension> at;
  at.time = V(Real(a.control->time + a.abscissa * a.control->dt));
  at.wall_force = {{V(Real(a.control->wall_force_x)), V(Real(a.control->wall_force_y))}};
  for (int d = 0; d < 3; ++d) at.position[d] = load<Case>(a.positions, item, points * 3, q * 3 + d);
  for (int d = 0; d < dimension; ++d)
    at.wall_normal[d] = load<Case>(a.wall_normals, item, points * dimension, q * dimension + d);
  return at;
}

/// Points of straight boundary faces; their outward normal is −∇λ_side / |∇λ_side|, where the gradients of vertices
/// 1 … d are stored and that of vertex 0 is minus their sum. \param codes element · 4 + side.
template <class Case, class Arguments>
Array<FacePoint<typename Case::Value, Case::Equations::dimension>, Case::Operators::side_points> straight_face_points(
    const Arguments& a, const Item& item, const Integers<Case>& codes) {
  using V = typename Case::Value;
  using Real = typename Case::Real;
  constexpr int dimension = Case::Equations::dimension, points = Case::Operators::side_points;
  const Real* gradients = static_cast<const Real*>(a.gradients);
  Vector<Case> normal;
  V square = V(0);
  for (int d = 0; d < dimension; ++d) {
    normal[d] = generate<Case>([&](int i) {
      const int side = codes[i] & 3;
      Real sum = 0;
      for (int k = 0; k < dimension; ++k) {
        const Real g = gradients[offset<Case>(codes[i] >> 2, dimension * dimension, k * dimension + d)];
        sum += side == 0 ? g : (side == k + 1 ? -g : Real(0));
      }
      return sum;
    });
    square += normal[d] * normal[d];
  }
  for (int d = 0; d < dimension; ++d) normal[d] = normal[d] / sqrt(square);

  Array<FacePoint<V, dimension>, points> at;
  for (int q = 0; q < points; ++q) {
    at[q] = face_point<Case>(a, item, q);
    at[q].normal = normal;
  }
  return at;
}

/// \param item a block of boundary faces of one boundary (GPU: one face).
template <class Case>
void ghosts(const GhostArguments& a, const Item& item) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int variables = Equations::variables, points = Operators::side_points;
  const Control& control = *a.control;
  const Integers<Case> codes = load_integers<Case>(a.elements, item, 1, 0);
  SideStates<Case> inside;
  evaluate_neighbour<Case>(inside, a.state, codes, a.side_basis);
  const auto at = straight_face_points<Case>(a, item, codes);
  const SideStates<Case> outside = Case::Boundaries::template ghosts<Equations>(a.conditions[item.block], inside, at);
  if (!control.active) return;
  State<Case> total;
  for (int v = 0; v < variables; ++v) total[v] = V(0);
#pragma unroll
  for (int q = 0; q < points; ++q) {
    store_trace<Case>(a.ghosts, item, q, outside[q]);
    const State<Case> flux = Case::Flux::template flux<Equations>(inside[q], outside[q], at[q].normal);
    if (a.report) report_point<Case>(a.report, item, q, inside[q], flux);
    for (int v = 0; v < variables; ++v) total[v] += V(Operators::side_weight(q)) * flux[v];
  }

  if (a.report) return;
  const V measure = load<Case>(a.measures, item, 1, 0);
  for (int v = 0; v < variables; ++v) {
    const V flux = measure * total[v];
    for (int i = 0; i < LaneTraits<V>::size; ++i) {
      const std::int64_t k = (item.block * variables + v) * Case::width + item.lane + i;
      if (a.first_stage) {
        if (control.accepted) a.total_flux[k] += a.pending_flux[k];
        a.pending_flux[k] = 0;
      }
      a.pending_flux[k] += a.weight * control.dt * double(lane_of(flux, i));
    }
  }
}

}  // namespace galerna::kernels
