/// \file
/// What the limiters read of an element and its neighbours.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// The value of the constant basis function, hence mean = mean_scale · mode 0.
template <class Case>
constexpr typename Case::Real mean_scale() {
  return Case::Operators::volume_basis(0, 0);
}

/// Whether the mean of a mode of degree ≥ 1 need not vanish: metric terms are not constant.
template <class Case>
constexpr bool has_weighted_mean() {
  if constexpr (requires { Case::affine; })
    return !Case::affine;
  else
    return false;
}

/// Value k of the elements in an array that has n values for each element.
template <class Case>
typename Case::Value gather(const void* array, const Integers<Case>& elements, std::int64_t n, std::int64_t k) {
  const auto* values = static_cast<const typename Case::Real*>(array);
  return generate<Case>([&](int i) { return values[offset<Case>(elements[i], n, k)]; });
}

template <class Case>
State<Case> gather_mean(const void* state, const Integers<Case>& elements) {
  State<Case> mean = gather_mode<Case>(state, elements, 0);
  for (int v = 0; v < Case::Equations::variables; ++v) mean[v] *= typename Case::Value(mean_scale<Case>());
  return mean;
}

/// The element itself, in each lane.
template <class Case>
Integers<Case> own_elements(const Item& item) {
  Integers<Case> elements;
  for (int i = 0; i < elements.size(); ++i) elements[i] = std::int32_t(item.block * Case::width + item.lane + i);
  return elements;
}

/// Codes of the neighbours across a side (side_code.hpp); negative at a boundary.
template <class Case>
Integers<Case> face_codes(const LimitArguments& a, const Item& item, int side) {
  return load_integers<Case>(a.neighbours, item, Case::Operators::sides, side);
}

/// Elements across a side, or −1 − boundary face.
template <class Case>
Integers<Case> face_neighbours(const LimitArguments& a, const Item& item, int side) {
  Integers<Case> elements = face_codes<Case>(a, item, side);
  for (int i = 0; i < elements.size(); ++i)
    if (elements[i] >= 0) elements[i] = element_of<Case>(elements[i]);
  return elements;
}

/// The same with the element itself in place of boundary faces.
template <class Case>
Integers<Case> inner_elements(const Item& item, const Integers<Case>& elements) {
  Integers<Case> inner = own_elements<Case>(item);
  for (int i = 0; i < inner.size(); ++i)
    if (elements[i] >= 0) inner[i] = elements[i];
  return inner;
}

/// Means of elements; of boundary faces the states that the flow meets there (Case::boundary_bounds), else the
/// element's own mean.
template <class Case>
State<Case> bounding_mean(const LimitArguments& a, const Item& item, const Integers<Case>& elements) {
  State<Case> mean = gather_mean<Case>(a.state, inner_elements<Case>(item, elements));
  if constexpr (!Case::boundary_bounds) return mean;
  bool boundary = false;
  for (int i = 0; i < elements.size(); ++i) boundary = boundary || elements[i] < 0;
  if (!boundary) return mean;
  constexpr int variables = Case::Equations::variables;
  const auto* states = static_cast<const typename Case::Real*>(a.boundary_means);
  for (int v = 0; v < variables; ++v)
    mean[v] = generate<Case>([&](int i) {
      return elements[i] < 0 ? states[offset<Case>(-1 - elements[i], variables, v)] : lane_of(mean[v], i);
    });
  return mean;
}

/// Calls f(elements) for each slot of the elements and boundary faces around a vertex.
template <class Case, class F>
void for_each_around(const LimitArguments& a, const Item& item, int vertex, const F& f) {
  constexpr int vertices = Case::Operators::sides;
  for (int slot = 0; slot < a.slots; ++slot)
    f(load_integers<Case>(a.around, item, vertices * a.slots, vertex * a.slots + slot));
}

}  // namespace galerna::kernels
