/// \file
/// Ghost states at the points of boundary faces from the traces inside, and the flux through the faces summed over
/// time, or point by point for those who report it.
#pragma once

#include "kernels/boundary/ghosts.hpp"
#include "kernels/boundary/viscous.hpp"
#include "kernels/general/arguments.hpp"

namespace galerna::kernels {

/// Where and when the points of a block of boundary faces lie; `length` is ds.
template <class Case>
struct BoundaryPoints {
  using V = typename Case::Value;
  static constexpr int dimension = Case::Equations::dimension, points = Case::Operators::side_points;
  FacePoint<V, dimension> at;
  V length;

  BoundaryPoints(const GeneralGhostArguments& a, const Item& item, int q) : at(face_point<Case>(a, item, q)) {
    for (int d = 0; d < dimension; ++d)
      at.normal[d] = load<Case>(a.normals, item, points * dimension, q * dimension + d);
    length = sqrt(dot(at.normal, at.normal));
    for (int d = 0; d < dimension; ++d) at.normal[d] = at.normal[d] / length;
  }
};

/// Slots of the traces inside a block of boundary faces, and of the ghosts.
template <class Case>
struct BoundarySlots {
  TraceOffsets<Case> inside;
  Item ghost;

  BoundarySlots(const GeneralGhostArguments& a, const Item& item) {
    const std::int64_t first = a.first_ghost + item.block * Case::width + item.lane;
    ghost = {first / Case::width, int(first % Case::width)};
    const Integers<Case> slots = load_integers<Case>(a.slots, item, 1, 0);
    for (int i = 0; i < slots.size(); ++i) inside[i] = trace_offset<Case>(slots[i], 0);
  }
};

/// Adds the flux through a block of faces, times the weight of the stage, to that of the current step.
template <class Case>
void add_boundary_flux(const GeneralGhostArguments& a, const Item& item, const State<Case>& through, bool first) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
  const V counts = load<Case>(a.counts, item, 1, 0);
  for (int v = 0; v < variables; ++v) {
    const V flux = counts * through[v];
    for (int i = 0; i < LaneTraits<V>::size; ++i) {
      const std::int64_t k = (item.block * variables + v) * Case::width + item.lane + i;
      if (first) {
        if (a.control->accepted) a.total_flux[k] += a.pending_flux[k];
        a.pending_flux[k] = 0;
      }
      a.pending_flux[k] += a.weight * a.control->dt * double(lane_of(flux, i));
    }
  }
}

/// \param item a block of boundary faces of one boundary (GPU: one face).
template <class Case>
void general_ghosts(const GeneralGhostArguments& a, const Item& item) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int variables = Equations::variables;
  if (!a.control->active) return;
  const int condition = a.conditions[item.block];
  const BoundarySlots<Case> slots(a, item);
  State<Case> through;
  for (int v = 0; v < variables; ++v) through[v] = V(0);
#pragma unroll 1
  for (int q = 0; q < Operators::side_points; ++q) {
    const BoundaryPoints<Case> point(a, item, q);
    const State<Case> inside = gather_trace<Case>(a.traces, slots.inside, q);
    const State<Case> outside = Case::Boundaries::template ghost<Equations>(condition, inside, point.at);
    store_trace<Case>(a.traces, slots.ghost, q, outside);
    if constexpr (Case::viscous) {
      State<Case> opposite = Case::ViscousBoundaries::template state<Equations>(condition, inside, point.at);
      for (int v = 0; v < variables; ++v) opposite[v] = V(2) * opposite[v] - inside[v];
      store_trace<Case>(a.traces, Item{slots.ghost.block + a.faces / Case::width, slots.ghost.lane}, q, opposite);
    }
    const State<Case> flux = Case::Flux::template flux<Equations>(inside, outside, point.at.normal);
    if (a.report) report_point<Case>(a.report, item, q, inside, flux);
    for (int v = 0; v < variables; ++v) through[v] += V(Operators::side_weight(q)) * point.length * flux[v];
  }
  if (!a.report) add_boundary_flux<Case>(a, item, through, a.first_stage);
}

/// Viscous fluxes f_b through a block of boundary faces, from the gradients that general/viscous.hpp has left. The
/// ghost trace of F_v·n becomes F_v⁻·n − 2 f_b: half the difference of both sides is f_b then.
template <class Case>
void boundary_fluxes(const GeneralGhostArguments& a, const Item& item) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int variables = Equations::variables, dimension = Equations::dimension, points = Operators::side_points;
  if (!a.control->active) return;
  const int condition = a.conditions[item.block];
  const BoundarySlots<Case> slots(a, item);
  State<Case> through;
  for (int v = 0; v < variables; ++v) through[v] = V(0);
#pragma unroll 1
  for (int q = 0; q < points; ++q) {
    const BoundaryPoints<Case> point(a, item, q);
    const State<Case> inside = gather_trace<Case>(a.traces, slots.inside, q);
    const State<Case> state = Case::ViscousBoundaries::template state<Equations>(condition, inside, point.at);
    BoundaryGradients<Equations, V> gradients;
    for (int d = 0; d < dimension; ++d)
      for (int v = 0; v < variables; ++v)
        gradients[d][v] =
            load<Case>(a.face_gradients, item, points * dimension * variables, (q * dimension + d) * variables + v);
    const State<Case> flux = Case::ViscousBoundaries::template flux<Equations>(condition, state, gradients, point.at);
    if (a.report) report_point<Case>(a.report, item, q, state, flux);
    State<Case> beyond = gather_trace<Case>(a.viscous_traces, slots.inside, q);
    for (int v = 0; v < variables; ++v) {
      beyond[v] -= V(2) * flux[v];
      through[v] -= V(Operators::side_weight(q)) * point.length * flux[v];
    }
    store_trace<Case>(a.viscous_traces, slots.ghost, q, beyond);
  }
  if (!a.report) add_boundary_flux<Case>(a, item, through, false);
}

}  // namespace galerna::kernels
