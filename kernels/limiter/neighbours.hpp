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

/// Codes (element · 4 + side) of the neighbours across a side; −1 at a boundary.
template <class Case>
Integers<Case> face_codes(const LimitArguments& a, const Item& item, int side) {
  return load_integers<Case>(a.neighbours, item, Case::Operators::sides, side);
}

/// Elements across a side; the element itself at a boundary.
template <class Case>
Integers<Case> face_neighbours(const LimitArguments& a, const Item& item, int side) {
  const Integers<Case> codes = face_codes<Case>(a, item, side), own = own_elements<Case>(item);
  Integers<Case> elements;
  for (int i = 0; i < elements.size(); ++i) elements[i] = codes[i] < 0 ? own[i] : codes[i] >> 2;
  return elements;
}

/// Calls f(elements) for each slot of the elements around a vertex.
template <class Case, class F>
void for_each_around(const LimitArguments& a, const Item& item, int vertex, const F& f) {
  constexpr int vertices = Case::Operators::sides;
  for (int slot = 0; slot < a.slots; ++slot)
    f(load_integers<Case>(a.around, item, vertices * a.slots, vertex * a.slots + slot));
}

}  // namespace galerna::kernels
