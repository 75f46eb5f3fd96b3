/// \file
/// monitor.hpp with the states at quadrature points by matrix products; four threads work on an element.
#pragma once

#include "kernels/monitor.hpp"
#include "kernels/tile/residual.hpp"

namespace galerna::kernels {

/// \param item of a thread, were there one for each number: its element is a quarter of that.
template <class Config>
void tile_monitor(const MonitorArguments& a, const Item& item) {
  using Sizes = TileSizes<Config>;
  constexpr Columns points{Config::Operators::volume_points};
  using Equations = typename Config::Equations;
  const std::int64_t element = (item.block * Config::width + item.lane) / 4;
  const TileModes<Config> modes = load_tile_modes<Config>(a.state, element);
  double fastest = 0, bad = 0;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    auto values = zero_block<Sizes::variables>();
#pragma unroll
    for (int k = 0; k < Sizes::mode_fours; ++k)
      multiply_add(values, modes[k], a.operators[(n * Sizes::mode_fours + k) * 32 + threadIdx.x % 32]);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const auto u = values[odd];
      bad = select(Equations::admissible(u), bad, 1.0);
      fastest = max(fastest, Equations::largest_wave_speed(u));
    }
  }
  const double diameter = double(static_cast<const typename Config::Real*>(a.diameters)[element]);
  const double limit = diameter / ((2 * Config::Operators::degree + 1) * fastest);
  const double least = group_min(bad > 0 ? bad_element_code(a.first_element + element) : limit);
  if (first_of_group()) a.step_limits[blockIdx.x] = least;
}

}  // namespace galerna::kernels
