/// \file
/// Totals over all elements that a step is judged by. Each thread block reduces its share of what kernels have left per
/// block of elements; the one that comes last joins the shares. No total depends on the order in which it is joined.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/layout.hpp"
#include "kernels/rank_totals.hpp"

namespace galerna::kernels {

/// The larger one; not a number if one of them is not.
inline double larger(double x, double y) {
  return y > x || y != y ? y : x;
}

/// The least stable step of all elements.
struct LeastLimit {
  double limit = 1e300;

  void join(const LeastLimit& other) { limit = other.limit < limit ? other.limit : limit; }
};

/// A limit that kernels have left. An element that is not admissible gets its number of the whole mesh.
inline double whole_limit(double limit, const RankTotals* ranks) {
  if (limit < 0 && ranks) return bad_element_code(ranks->elements[bad_element_of(limit)]);
  return limit;
}

/// What kernels over all elements have found of a step.
template <int variables>
struct StepSums {
  LongSum squares[variables];
  double change = 0, largest_mode = 0, mean_lost = 0;

  void join(const StepSums& other) {
    mean_lost = larger(mean_lost, other.mean_lost);
    change = larger(change, other.change);
    largest_mode = larger(largest_mode, other.largest_mode);
    for (int v = 0; v < variables; ++v) squares[v].join(other.squares[v]);
  }
};

/// Squared errors of a step and squared scales of variables.
template <int variables>
struct ErrorSums {
  LongSum errors[variables], scales[variables];

  void join(const ErrorSums& other) {
    for (int v = 0; v < variables; ++v) {
      errors[v].join(other.errors[v]);
      scales[v].join(other.scales[v]);
    }
  }
};

/// Several of them, joined in one go.
template <class... Parts>
struct Totals : Parts... {
  void join(const Totals& other) { (Parts::join(other), ...); }
};

/// Calls body(i) for the caller's share of 0 … count − 1. \tparam together whose numbers are fetched at the same time
template <int together, class Body>
void for_share(const ControlArguments& a, const Item& item, std::int64_t count, const Body& body) {
#pragma unroll together
  for (std::int64_t i = group_index(item) * group_threads() + thread_in_group(); i < count;
       i += a.groups * group_threads())
    body(i);
}

/// Over all elements, if their limits are those of the present state.
inline void add_limits(LeastLimit& least, const ControlArguments& a, const Item& item) {
  for_share<8>(a, item, a.monitored ? a.step_limit_count : 0,
               [&](std::int64_t i) { least.join({whole_limit(a.step_limits[i], a.ranks)}); });
}

template <int variables>
void add_step_sums(StepSums<variables>& sums, const ControlArguments& a, const Item& item) {
  sums.mean_lost = a.control->mean_lost;
  for_share<2>(a, item, a.change ? a.blocks : 0, [&](std::int64_t b) {
    StepSums<variables> block;
    block.change = a.change[b];
    block.largest_mode = a.change[a.blocks + b];
    for (int v = 0; v < variables; ++v) block.squares[v] = load_sum(a.change + (2 + 3 * v) * a.blocks, a.blocks, b);
    sums.join(block);
  });
}

template <int variables>
void add_error_sums(ErrorSums<variables>& sums, const ControlArguments& a, const Item& item) {
  for_share<2>(a, item, a.error ? a.blocks : 0, [&](std::int64_t b) {
    ErrorSums<variables> block;
    for (int v = 0; v < variables; ++v) {
      block.errors[v] = load_sum(a.error + 6 * v * a.blocks, a.blocks, b);
      block.scales[v] = load_sum(a.error + (6 * v + 3) * a.blocks, a.blocks, b);
    }
    sums.join(block);
  });
}

#ifdef __CUDACC_RTC__
/// Whether the caller's thread block is the last of a launch that comes here: what all others have written before can
/// then be read. Every thread of the block must come. \param arrived 0 before the launch, and behind it.
inline bool comes_last(int* arrived, int groups) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(arrived, 1) == groups - 1;
    if (last) *arrived = 0;
  }
  __syncthreads();
  __threadfence();
  return last;
}
#endif

/// Joins what all threads of the launch, and of all ranks' launches, have found. True in the one thread that then holds
/// it.
/// \tparam Found of doubles only (join_group()).
template <class Found>
bool join_groups(Found& found, [[maybe_unused]] const ControlArguments& a, [[maybe_unused]] const Item& item) {
  join_group(found);
#ifdef __CUDACC_RTC__
  if (a.groups > 1) {
    constexpr int numbers = sizeof(Found) / sizeof(double);
    if (first_of_group())
      for (int k = 0; k < numbers; ++k)
        a.shares[group_index(item) * numbers + k] = reinterpret_cast<const double*>(&found)[k];
    if (!comes_last(a.arrived, a.groups)) return false;
    found = Found();
    for (int group = thread_in_group(); group < a.groups; group += group_threads()) {
      Found share;
      for (int k = 0; k < numbers; ++k)
        reinterpret_cast<double*>(&share)[k] = a.shares[std::int64_t(group) * numbers + k];
      found.join(share);
    }
    join_group(found);
  }
  if (a.ranks) join_ranks(found, *a.ranks);
#endif
  return first_of_group();
}

}  // namespace galerna::kernels
