/// \file
/// Integrals of the variables over all elements, summed in no order (long_sum.hpp).
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/long_sum.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// Leaves the sums over a block of elements. \param a IntegralArguments, or ElementIntegralArguments
template <class Config, class Arguments>
void store_integrals(const Arguments& a, const Item& item, const State<Config>& integrals) {
  for (int v = 0; v < State<Config>::size(); ++v) {
    const LongSum sum = block_long_sum(integrals[v]);
    if (item.lane == 0) store_sum(a.partials + 3 * v * a.blocks, a.blocks, item.block, sum);
  }
}

/// ∫ u = c_0 |J| / φ_0 on straight simplices: all modes but the first, which is constant, have no mean.
template <class Config>
void integrals(const IntegralArguments& a, const Item& item) {
  using V = typename Config::Value;
  const V weight = load<Config>(a.determinants, item, 1, 0) / V(Config::Operators::volume_basis(0, 0));
  State<Config> sum = load_mode<Config>(a.state, item, 0);
  for (int v = 0; v < State<Config>::size(); ++v) sum[v] *= weight;
  store_integrals<Config>(a, item, sum);
}

template <int variables>
struct IntegralSums {
  LongSum sums[variables];

  void join(const IntegralSums& other) {
    for (int v = 0; v < variables; ++v) sums[v].join(other.sums[v]);
  }
};

/// Those of all blocks, by one thread block (GPU) or in one call (CPU).
template <int variables>
void integral_sums(const IntegralSumArguments& a, const Item&) {
  IntegralSums<variables> all;
#pragma unroll 2
  for (std::int64_t b = thread_in_group(); b < a.blocks; b += group_threads()) {
    IntegralSums<variables> block;
    for (int v = 0; v < variables; ++v) block.sums[v] = load_sum(a.partials + 3 * v * a.blocks, a.blocks, b);
    all.join(block);
  }
  join_group(all);
  if (!first_of_group()) return;
  for (int v = 0; v < variables; ++v) a.integrals[v] = all.sums[v].value();
}

}  // namespace galerna::kernels
