/// \file
/// Error-controlled steps: the error of a step and the scales that it is compared with (docs/theory.md, Error control),
/// and the replacement of u^n by u^{n+1} where the step is accepted.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// The squares of the scales of an element's variables, ½ (|u^n|² + |u^{n+1}|²) + |F(u^n)|²/(d λ²) at the first modes
/// with the largest wave speed λ: F/λ is a scale of the same unit where a variable vanishes, ρc/γ of a gas' momentum.
template <class Config>
State<Config> squared_scales(const EmbeddedArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  constexpr int variables = Equations::variables, dimension = Equations::dimension;
  const auto mean_of = [&](const void* state) {
    State<Config> mean = load_mode<Config>(state, item, 0);
    for (int v = 0; v < variables; ++v) mean[v] *= V(Config::Operators::volume_basis(0, 0));
    return mean;
  };
  const State<Config> before = mean_of(a.state), after = mean_of(a.candidate);
  State<Config> flux_squares;
  for (int v = 0; v < variables; ++v) flux_squares[v] = V(0);
  for (int d = 0; d < dimension; ++d) {
    Vector<Config> direction;
    for (int k = 0; k < dimension; ++k) direction[k] = V(k == d ? 1 : 0);
    const State<Config> flux = Equations::flux(before, direction);
    for (int v = 0; v < variables; ++v) flux_squares[v] += flux[v] * flux[v];
  }
  const V speed = Equations::largest_wave_speed(before);
  const V inverse = reciprocal(select(speed > V(0), speed, V(1)));
  State<Config> squares;
  for (int v = 0; v < variables; ++v)
    squares[v] = number<V>(0.5) * (before[v] * before[v] + after[v] * after[v]) +
                 number<V>(1.0 / dimension) * inverse * inverse * flux_squares[v];
  return squares;
}

/// Leaves what error control needs of the elements of a block: for each variable the sum of the squared modes of its
/// error, which turning an element's basis does not change, and the sum of its squared scales.
template <class Config>
void embedded_error(const EmbeddedArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  if (!a.control->active) return;
  State<Config> errors;
  for (int v = 0; v < variables; ++v) errors[v] = V(0);
  for (int j = 0; j < Config::Operators::modes; ++j) {
    const State<Config> error = load_mode<Config>(a.error, item, j);
    for (int v = 0; v < variables; ++v) errors[v] += error[v] * error[v];
  }
  const State<Config> scales = squared_scales<Config>(a, item);
  // Padding repeats the last element: an error that counted it would depend on how many lanes a block has.
  const auto counts = is_element<Config>(item, a.elements);
  for (int v = 0; v < variables; ++v) {
    const LongSum error = block_long_sum(select(counts, errors[v], V(0))),
                  scale = block_long_sum(select(counts, scales[v], V(0)));
    if (item.lane != 0) continue;
    store_sum(a.partials + 6 * v * a.blocks, a.blocks, item.block, error);
    store_sum(a.partials + (6 * v + 3) * a.blocks, a.blocks, item.block, scale);
  }
}

template <class Config>
void embedded_commit(const EmbeddedArguments& a, const Item& item) {
  if (!a.control->active || !a.control->accepted) return;
  for (int j = 0; j < Config::Operators::modes; ++j)
    store_mode<Config>(a.state, item, j, load_mode<Config>(a.candidate, item, j));
}

}  // namespace galerna::kernels
