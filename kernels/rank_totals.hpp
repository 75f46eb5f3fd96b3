/// \file
/// Totals over all elements of all ranks on GPUs of one host: each rank leaves its own with all others, and all join
/// the same numbers in the same order.
#pragma once

#include "kernels/rank_arguments.hpp"
#include "kernels/rank_flags.hpp"

namespace galerna::kernels {

/// Joins what all ranks have found; by one thread.
/// \tparam Found of doubles only (join_group()), with number_elements().
template <class Found>
void join_ranks([[maybe_unused]] Found& found, [[maybe_unused]] const RankTotals* ranks) {
#ifdef __CUDACC_RTC__
  if (!ranks) return;
  const RankTotals& r = *ranks;
  constexpr int numbers = sizeof(Found) / sizeof(double);
  found.number_elements(r.elements);
  const std::int64_t count = *r.count + 1, half = count % 2 * r.ranks * r.room;
  *r.count = count;
  for (int to = 0; to < r.ranks; ++to)
    for (int k = 0; k < numbers; ++k)
      r.inboxes[to][half + r.rank * r.room + k] = reinterpret_cast<const double*>(&found)[k];
  for (int to = 0; to < r.ranks; ++to) raise_flag(r.flags[to] + r.rank, count);
  found = Found();
  for (int from = 0; from < r.ranks; ++from) {
    await_flag(r.flags[r.rank] + from, count);
    Found share;
    for (int k = 0; k < numbers; ++k)
      reinterpret_cast<double*>(&share)[k] = received(r.inboxes[r.rank] + half + from * r.room + k);
    found.join(share);
  }
#endif
}

}  // namespace galerna::kernels
