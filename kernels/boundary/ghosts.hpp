/// \file
/// Ghost states at the points of boundary faces and, with viscosity, the conditions' fluxes; what flows through the
/// faces, summed over time (for the conservation report) or point by point (for forces on walls).
#pragma once

#include "kernels/boundary/faces.hpp"
#include "kernels/boundary/viscous.hpp"
#include "kernels/equations.hpp"

namespace galerna::kernels {

/// The boundary conditions of a case, in the order of its boundaries.
template <class... Conditions>
struct BoundaryList {
  /// The ghost state of condition number `index` at a point.
  template <class Equations, class State, class Point>
  static State ghost(int index, const State& inside, const Point& at) {
    State result = inside;
    int position = 0;
    ((position++ == index ? (void)(result = Conditions::template ghost<Equations>(inside, at)) : (void)0), ...);
    return result;
  }
};

/// The block of slots in which the ghosts of a block of faces lie.
template <class Config>
Item ghost_slots(const GhostArguments& a, const Item& item) {
  const std::int64_t first = a.first_ghost + item.block * Config::width + item.lane;
  return {first / Config::width, int(first % Config::width)};
}

/// Leaves a state and a flux at a point of a block of boundary faces for those who report them.
template <class Config>
void report_point(void* report, const Item& item, int q, const State<Config>& state, const State<Config>& flux) {
  constexpr int variables = Config::Equations::variables, numbers = Config::Operators::side_points * 2 * variables;
  for (int v = 0; v < variables; ++v) {
    store<Config>(report, item, numbers, 2 * q * variables + v, state[v]);
    store<Config>(report, item, numbers, (2 * q + 1) * variables + v, flux[v]);
  }
}

/// Adds the flux through a block of faces, times the weight of the stage, to that of the current step.
/// \param part of it: what goes through the thread's points. \param first whether that step begins
template <class Config>
void add_boundary_flux(const GhostArguments& a, const Item& item, const State<Config>& part, bool first) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  const State<Config> through = sum_of_face<Config>(part);
  if (item.thread != 0) return;
  const V counts = load<Config>(a.faces.counts, item, 1, 0);
  for (int v = 0; v < variables; ++v) {
    const V flux = counts * through[v];
    for (int i = 0; i < LaneTraits<V>::size; ++i) {
      const std::int64_t k = (item.block * variables + v) * Config::width + item.lane + i;
      if (first) {
        if (a.control->accepted) a.total_flux[k] += a.pending_flux[k];
        a.pending_flux[k] = 0;
      }
      a.pending_flux[k] += a.weight * a.control->dt * double(lane_of(flux, i));
    }
  }
}

/// \param item a block of boundary faces of one boundary (GPU: a thread of one face).
template <class Config>
void ghosts(const GhostArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int variables = Equations::variables;
  const InsideStates<Config> states(a, load_integers<Config>(a.faces.slots, item, 1, 0));
  const int condition = a.faces.conditions[item.block];
  const Item ghost = ghost_slots<Config>(a, item);
  // Asked late: nothing that is read before has to wait for the answer.
  if (!a.control->active) return;
  State<Config> through;
  for (int v = 0; v < variables; ++v) through[v] = V(0);
#pragma unroll(Config::stored_traces ? 1 : Operators::side_points)
  for (int q = first_point<Config>(item); q < Operators::side_points; q += face_threads<Config>()) {
    const BoundaryPoint<Config> point(a, item, q);
    const State<Config> inside = states.at(q);
    const State<Config> outside = Config::Boundaries::template ghost<Equations>(condition, inside, point.at);
    store_trace<Config>(a.traces, ghost, q, outside);
    if constexpr (Config::viscous) {
      State<Config> opposite = inside;
      if constexpr (HasViscousFlux<Equations, Equations::dimension>)
        opposite = Config::ViscousBoundaries::template state<Equations>(condition, inside, point.at);
      for (int v = 0; v < variables; ++v) opposite[v] = V(2) * opposite[v] - inside[v];
      store_trace<Config>(a.traces, Item{ghost.block + a.face_count / Config::width, ghost.lane}, q, opposite);
    }
    const State<Config> flux = Config::Flux::template flux<Equations>(inside, outside, point.at.normal);
    if (a.report) report_point<Config>(a.report, item, q, inside, flux);
    for (int v = 0; v < variables; ++v) through[v] += V(Operators::side_weight(q)) * point.length * flux[v];
  }
  if (!a.report) add_boundary_flux<Config>(a, item, through, a.first_stage);
}

/// Viscous fluxes f_b through a block of boundary faces, from the gradients that element/viscous.hpp has left. The
/// ghost trace of F_v·n becomes F_v⁻·n − 2 f_b: half the difference of both sides is f_b then. Artificial viscosity
/// lets nothing through the boundary; without any other one f_b is 0, and the state there is the one inside.
template <class Config>
void boundary_fluxes(const GhostArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int variables = Equations::variables, dimension = Equations::dimension, points = Operators::side_points;
  if (!a.control->active) return;
  const int condition = a.faces.conditions[item.block];
  const Integers<Config> slots = load_integers<Config>(a.faces.slots, item, 1, 0);
  const Item ghost = ghost_slots<Config>(a, item);
  const InsideStates<Config> states(a, slots);
  TraceOffsets<Config> inner;
  for (int i = 0; i < slots.size(); ++i) inner[i] = trace_offset<Config>(slots[i], 0);
  State<Config> through;
  for (int v = 0; v < variables; ++v) through[v] = V(0);
#pragma unroll 1
  for (int q = first_point<Config>(item); q < points; q += face_threads<Config>()) {
    const BoundaryPoint<Config> point(a, item, q);
    State<Config> state = states.at(q), flux;
    for (int v = 0; v < variables; ++v) flux[v] = V(0);
    if constexpr (HasViscousFlux<Equations, Equations::dimension>) {
      state = Config::ViscousBoundaries::template state<Equations>(condition, state, point.at);
      BoundaryGradients<Equations, V> gradients;
      for (int d = 0; d < dimension; ++d)
        for (int v = 0; v < variables; ++v)
          gradients[d][v] =
              load<Config>(a.face_gradients, item, points * dimension * variables, (q * dimension + d) * variables + v);
      flux = Config::ViscousBoundaries::template flux<Equations>(condition, state, gradients, point.at);
    }
    if (a.report) report_point<Config>(a.report, item, q, state, flux);
    State<Config> beyond = gather_trace<Config>(a.viscous_traces, inner, q);
    for (int v = 0; v < variables; ++v) {
      beyond[v] -= V(2) * flux[v];
      through[v] -= V(Operators::side_weight(q)) * point.length * flux[v];
    }
    store_trace<Config>(a.viscous_traces, ghost, q, beyond);
  }
  if (!a.report) add_boundary_flux<Config>(a, item, through, false);
}

}  // namespace galerna::kernels
