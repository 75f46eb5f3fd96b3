/// \file
/// Between states, as time stepping has them, and vectors, as linear algebra wants them; differences of right-hand
/// sides (docs/theory.md, Steady states by Newton's method).
#pragma once

#include "kernels/algebra/items.hpp"
#include "kernels/steady/arguments.hpp"

namespace galerna::kernels::steady {

/// A number of a set's part of a state.
struct StateNumber {
  std::int64_t element;
  int variable, mode;
};

inline StateNumber state_number(const SetNumbers& set, std::int64_t i) {
  StateNumber n;
  std::int64_t lane;
  if (set.by_variables) {
    lane = i % set.lanes;
    i /= set.lanes;
    n.mode = static_cast<int>(i % set.modes);
    i /= set.modes;
    n.variable = static_cast<int>(i % set.variables);
    i /= set.variables;
  } else {
    n.variable = static_cast<int>(i % set.variables);
    i /= set.variables;
    lane = i % set.lanes;
    i /= set.lanes;
    n.mode = static_cast<int>(i % set.modes);
    i /= set.modes;
  }
  n.element = i * set.lanes + lane;
  return n;
}

inline std::int64_t in_vector(const SetNumbers& set, const StateNumber& n) {
  return set.in_vectors + (n.element * set.variables + n.variable) * set.modes + n.mode;
}

/// f(position in states, number) for those numbers of the set that are the item's.
template <class F>
void for_state_numbers(const SetNumbers& set, std::int64_t item, const F& f) {
  algebra::for_own_numbers(item, set.padded * set.variables * set.modes,
                           [&](std::int64_t i) { f(set.in_states + i, state_number(set, i)); });
}

/// The element whose copy lies there: padding repeats the last one.
inline std::int64_t element_of(const SetNumbers& set, const StateNumber& n) {
  return n.element < set.elements ? n.element : set.elements - 1;
}

inline void add(const AddArguments& a, std::int64_t item) {
  for_state_numbers(a.set, item, [&](std::int64_t i, const StateNumber& n) {
    const std::int64_t k = in_vector(a.set, {element_of(a.set, n), n.variable, n.mode});
    a.to[i] = a.from[i] + a.factor * a.set.scales[n.variable] * a.direction[k];
  });
}

inline void gather(const GatherArguments& a, std::int64_t item) {
  for_state_numbers(a.set, item, [&](std::int64_t i, const StateNumber& n) {
    if (n.element < a.set.elements) a.to[in_vector(a.set, n)] = a.from[i] / a.set.scales[n.variable];
  });
}

inline void difference(const DifferenceArguments& a, std::int64_t item) {
  for_state_numbers(a.set, item, [&](std::int64_t i, const StateNumber& n) {
    if (n.element >= a.set.elements) return;
    const std::int64_t k = in_vector(a.set, n);
    const double product = a.shift * a.direction[k] - a.factor * (a.changed[i] - a.base[i]) / a.set.scales[n.variable];
    a.to[k] = a.right_hand_side ? a.right_hand_side[k] - product : product;
  });
}

inline void change_column(const ColumnArguments& a, std::int64_t item) {
  for_state_numbers(a.set, item, [&](std::int64_t i, const StateNumber& n) {
    const bool changes = n.variable * a.set.modes + n.mode == a.column &&
                         a.colours[a.set.first_element + element_of(a.set, n)] == a.colour;
    a.to[i] = a.from[i] + (changes ? a.step * a.set.scales[n.variable] : 0);
  });
}

inline void collect_column(const CollectArguments& a, std::int64_t item) {
  for_state_numbers(a.set, item, [&](std::int64_t i, const StateNumber& n) {
    if (n.element >= a.set.elements) return;
    const std::int64_t element = a.set.first_element + n.element, target = a.targets[element];
    const int width = a.widths[element];
    if (target < 0 || a.column >= width) return;
    const int row = n.variable * a.set.modes + n.mode;
    a.values[target + std::int64_t(row) * width + a.column] =
        static_cast<float>(-(a.changed[i] - a.base[i]) / (a.step * a.set.scales[n.variable]));
  });
}

}  // namespace galerna::kernels::steady
