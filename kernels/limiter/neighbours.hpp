/// \file
/// What the limiters read of an element and its neighbours.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// ∇λ_0, ∇λ_1 = ∇ξ, ∇λ_2 = ∇η, … of a straight triangle or tetrahedron.
template <class Config>
using BarycentricGradients = Array<Vector<Config>, Config::Equations::dimension + 1>;

/// The value of the constant basis function, hence mean = mean_scale · mode 0.
template <class Config>
constexpr typename Config::Real mean_scale() {
  return Config::Operators::volume_basis(0, 0);
}

/// Whether the mean of a mode of degree ≥ 1 need not vanish: metric terms are not constant.
template <class Config>
constexpr bool has_weighted_mean() {
  if constexpr (requires { Config::affine; })
    return !Config::affine;
  else
    return false;
}

/// Value k of the elements in an array that has n values for each element.
template <class Config>
typename Config::Value gather(const void* array, const Integers<Config>& elements, std::int64_t n, std::int64_t k) {
  const auto* values = static_cast<const typename Config::Real*>(array);
  return generate<Config>([&](int i) { return values[offset<Config>(elements[i], n, k)]; });
}

template <class Config>
State<Config> gather_mean(const void* state, const Integers<Config>& elements) {
  State<Config> mean = gather_mode<Config>(state, elements, 0);
  for (int v = 0; v < Config::Equations::variables; ++v) mean[v] *= typename Config::Value(mean_scale<Config>());
  return mean;
}

/// The element itself, in each lane.
template <class Config>
Integers<Config> own_elements(const Item& item) {
  Integers<Config> elements;
  for (int i = 0; i < elements.size(); ++i) elements[i] = std::int32_t(item.block * Config::width + item.lane + i);
  return elements;
}

/// Codes of the neighbours across a side (side_code.hpp); negative at a boundary.
template <class Config>
Integers<Config> face_codes(const LimitArguments& a, const Item& item, int side) {
  return load_integers<Config>(a.neighbours, item, Config::Operators::sides, side);
}

/// Elements across a side, or −1 − boundary face.
template <class Config>
Integers<Config> face_neighbours(const LimitArguments& a, const Item& item, int side) {
  Integers<Config> elements = face_codes<Config>(a, item, side);
  for (int i = 0; i < elements.size(); ++i)
    if (elements[i] >= 0) elements[i] = element_of<Config>(elements[i]);
  return elements;
}

/// The same with the element itself in place of boundary faces.
template <class Config>
Integers<Config> inner_elements(const Item& item, const Integers<Config>& elements) {
  Integers<Config> inner = own_elements<Config>(item);
  for (int i = 0; i < inner.size(); ++i)
    if (elements[i] >= 0) inner[i] = elements[i];
  return inner;
}

/// Means of elements; of boundary faces the states that the flow meets there (Config::boundary_bounds), else the
/// element's own mean.
template <class Config>
State<Config> bounding_mean(const LimitArguments& a, const Item& item, const Integers<Config>& elements) {
  State<Config> mean = gather_mean<Config>(a.state, inner_elements<Config>(item, elements));
  if constexpr (!Config::boundary_bounds) return mean;
  bool boundary = false;
  for (int i = 0; i < elements.size(); ++i) boundary = boundary || elements[i] < 0;
  if (!boundary) return mean;
  constexpr int variables = Config::Equations::variables;
  const auto* states = static_cast<const typename Config::Real*>(a.boundary_means);
  for (int v = 0; v < variables; ++v)
    mean[v] = generate<Config>([&](int i) {
      return elements[i] < 0 ? states[offset<Config>(-1 - elements[i], variables, v)] : lane_of(mean[v], i);
    });
  return mean;
}

/// Calls f(elements) for each slot of the elements and boundary faces around a vertex.
template <class Config, class F>
void for_each_around(const LimitArguments& a, const Item& item, int vertex, const F& f) {
  constexpr int vertices = Config::Operators::sides;
  for (int slot = 0; slot < a.slots; ++slot)
    f(load_integers<Config>(a.around, item, vertices * a.slots, vertex * a.slots + slot));
}

}  // namespace galerna::kernels
