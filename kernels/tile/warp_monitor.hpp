/// \file
/// monitor.hpp with the states at volume points by the products of tile/warp_residual.hpp; four threads work on an
/// element.
#pragma once

#include "kernels/monitor.hpp"
#include "kernels/tile/product.hpp"
#include "kernels/tile/residual.hpp"
#include "kernels/tile/staging.hpp"
#include "kernels/tile/warp_sizes.hpp"

namespace galerna::kernels {

/// Modes of a thread's element as left operands: in registers, or read anew for each product where they are too many.
template <class Config>
class MonitoredModes {
 public:
  static constexpr Columns order = element_counts<Config>().modes();
  static constexpr int variables = Config::Equations::variables, fours = order.fours();
  static constexpr bool kept = fours <= 5;
  using Left = LeftBlock<variables>;
  using Real = typename Config::Real;

  MonitoredModes(const void* state, std::int64_t element)
      : modes_(static_cast<const Real*>(state) + mode_offset<Config>(element, 0)) {
    if constexpr (kept)
#pragma unroll
      for (int i = 0; i < fours; ++i) blocks_[i] = read(i, 0);
  }

  /// \param again 0, which the compiler takes for another number in each turn of a loop
  Left operator()(int i, unsigned again) const {
    return kept ? blocks_[kept ? i : 0] : read(i, again);
  }

 private:
  Left read(int i, unsigned again) const {
    const int column = order.at(i / 2, i % 2, int(threadIdx.x % 4));
    // Those past the last one meet rows of zeros.
    const int mode = column < order.count ? column : 0;
    return converted<double>(load_together<Real, variables>(modes_ + mode * Config::width * variables + again));
  }

  const Real* modes_;
  Array<Left, kept ? fours : 1> blocks_;
};

/// \param item of a thread, were there one for each number: its element is a quarter of that.
/// \param a operators: values at volume points are those of WarpTileSizes.
template <class Config>
void warp_monitor(const MonitorArguments& a, const Item& item) {
  constexpr auto sizes = WarpTileSizes::of<Config>();
  constexpr Columns points = sizes.volume_points();
  constexpr int variables = Config::Equations::variables, fours = sizes.modes().fours();
  const std::int64_t element = (item.block * Config::width + item.lane) / 4;
  const MonitoredModes<Config> modes(a.state, element);
  const Fragments operators(a.operators + sizes.values() * 32, threadIdx.x);
  PointWatch<Config> watch;
#pragma unroll 1
  for (int n = 0; n < points.eights(); ++n) {
    const unsigned again = recomputed(0);
    auto values = zero_block<variables>();
#pragma unroll
    for (int i = 0; i < fours; ++i) multiply_add(values, modes(i, again), operators(n * fours + i));
    watch.see(converted<typename Config::Real>(values[0]));
    watch.see(converted<typename Config::Real>(values[points.has(n, 1) ? 1 : 0]));
  }
#pragma unroll
  for (int distance = 1; distance < 4; distance *= 2) {
    PointWatch<Config> other;
    other.bad = __shfl_xor_sync(0xffffffffu, watch.bad, distance);
    other.fastest = __shfl_xor_sync(0xffffffffu, watch.fastest, distance);
    other.most_diffusive = __shfl_xor_sync(0xffffffffu, watch.most_diffusive, distance);
    watch.join(other);
  }
  const double limit = watch.step_limit(a, item_of<Config>(element));
  const double least = group_min(watch.bad > 0 ? bad_element_code(a.first_element + element) : limit);
  if (first_of_group()) a.step_limits[blockIdx.x] = least;
}

}  // namespace galerna::kernels
