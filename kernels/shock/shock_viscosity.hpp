/// \file
/// Artificial viscosity at shocks: ε = θ λ h/p in an element, θ from 0 to 1 by the sensors of kernels/filter, λ the
/// speed of the fastest wave, h its width; then the largest at each vertex, linear between vertices (A.
/// Klöckner, T. Warburton, J. S. Hesthaven, Math. Model. Nat. Phenom. 6 (2011) 57). kernels/element/diffusion.hpp has
/// what it does (docs/theory.md, Artificial viscosity).
#pragma once

#include "kernels/filter/sensor.hpp"

namespace galerna::kernels {

/// Of elements, from summaries in which the sensors have left θ.
template <class Config>
void element_viscosity(const ElementViscosityArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int numbers = summary_numbers<Config>();
  if (a.control->frozen) return;
  const V trouble = load<Config>(a.own, item, numbers, summary_of_trouble);
  const V speed = Config::Equations::largest_wave_speed(own_mean<Config>(a.own, item));
  const V size = load<Config>(a.lengths, item, 1, 0);
  const V found = trouble * speed * size * number<V>(Config::largest_viscosity / Config::Operators::degree);
  store<Config>(a.of_elements, item, 1, 0, V(select(trouble > V(0), found, V(0))));
}

/// At vertices the largest of the elements around them. \param item a block of vertices
template <class Config>
void vertex_viscosity(const VertexViscosityArguments& a, const Item& item) {
  using Real = typename Config::Real;
  if (a.control && a.control->frozen) return;
  const auto* of_elements = static_cast<const Real*>(a.of_elements);
  store<Config>(a.of_vertices, item, 1, 0, generate<Config>([&](int i) {
                  const std::int64_t vertex = item.block * Config::width + item.lane + i;
                  Real largest = 0;
                  for (std::int32_t k = a.first[vertex]; k < a.first[vertex + 1]; ++k) {
                    const Real own = of_elements[a.around[k]];
                    largest = own > largest ? own : largest;
                  }
                  return largest;
                }));
}

/// To the corners of elements.
template <class Config>
void corner_viscosity(const CornerViscosityArguments& a, const Item& item) {
  using Real = typename Config::Real;
  constexpr int corners = Config::Operators::corners;
  if (a.control && a.control->frozen) return;
  const auto* of_vertices = static_cast<const Real*>(a.of_vertices);
  for (int c = 0; c < corners; ++c) {
    const Integers<Config> vertices = load_integers<Config>(a.vertices, item, corners, c);
    store<Config>(a.of_corners, item, corners, c, generate<Config>([&](int i) { return of_vertices[vertices[i]]; }));
  }
}

}  // namespace galerna::kernels
