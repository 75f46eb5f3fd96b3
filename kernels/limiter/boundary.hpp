/// \file
/// What the flow meets at the boundary, for limiters: a wall, a plane of symmetry or an inflow bounds slopes as a
/// neighbour's mean does. Without it a boundary layer would be cut flat, since its values at the wall lie outside the
/// range of the means around it.
#pragma once

#include "kernels/boundary/ghosts.hpp"
#include "kernels/limiter/neighbours.hpp"

namespace galerna::kernels {

/// u_b of the condition (the wall's velocity and temperature) for the mean of the element inside. \param item a block
/// of boundary faces of one boundary.
template <class Config>
void boundary_means(const BoundaryMeanArguments& a, const Item& item) {
  using Equations = typename Config::Equations;
  constexpr int variables = Equations::variables;
  if (!a.control->active) return;
  const int condition = a.faces.conditions[item.block];
  Integers<Config> elements = load_integers<Config>(a.faces.slots, item, 1, 0);
  for (int i = 0; i < elements.size(); ++i) elements[i] = element_of_slot<Config>(elements[i]);
  const State<Config> inside = gather_mean<Config>(a.state, elements);
  const State<Config> mean = mean_over_face<Config>(a, item, [&](const auto& at) {
    return Config::ViscousBoundaries::template state<Equations>(condition, inside, at);
  });
  for (int v = 0; v < variables; ++v) store<Config>(a.means, item, variables, v, mean[v]);
}

}  // namespace galerna::kernels
