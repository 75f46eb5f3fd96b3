/// \file
/// Totals over all elements of all ranks on GPUs of one host: each rank leaves its own with all others, and all join
/// the same numbers in the same order.
#pragma once

#include "kernels/counted_number.hpp"
#include "kernels/rank_arguments.hpp"

#ifdef __CUDACC_RTC__
namespace galerna::kernels {

/// Ranks whose totals are waited for at the same time.
constexpr int ranks_at_once = 4;

/// Sends this rank's totals to all ranks, itself among them, by a thread block. Returns the count of the exchange.
template <int numbers>
unsigned send_totals(const RankTotals& r, const double (&own)[numbers]) {
  const unsigned count = *r.count + 1;
  const std::int64_t place = (count % 2 * r.ranks + r.rank) * r.room;
  for (int i = thread_in_group(); i < r.ranks * numbers; i += group_threads())
    send(r.inboxes[i / numbers][place + i % numbers], own[i % numbers], count);
  __syncthreads();  // all have read the count; all is sent before anything is waited for
  if (first_of_group()) *r.count = count;
  return count;
}

/// Joins what all ranks have found, by a thread block; `found` is right before and behind it in the first thread.
/// \tparam Found of doubles only (join_group()).
template <class Found>
void join_ranks(Found& found, const RankTotals r) {
  constexpr int numbers = sizeof(Found) / sizeof(double);
  __shared__ double shares[ranks_at_once][numbers];
  if (first_of_group())
    for (int k = 0; k < numbers; ++k) shares[0][k] = reinterpret_cast<const double*>(&found)[k];
  __syncthreads();
  const unsigned count = send_totals(r, shares[0]);
  found = Found();
  for (int first = 0; first < r.ranks; first += ranks_at_once) {
    const int ranks = r.ranks - first < ranks_at_once ? r.ranks - first : ranks_at_once;
    const CountedNumber<double>* inbox = r.inboxes[r.rank] + (count % 2 * r.ranks + first) * r.room;
    for (int i = thread_in_group(); i < ranks * numbers; i += group_threads())
      shares[i / numbers][i % numbers] = await(inbox[i / numbers * r.room + i % numbers], count);
    __syncthreads();
    for (int from = 0; first_of_group() && from < ranks; ++from)
      found.join(reinterpret_cast<const Found&>(shares[from]));
    __syncthreads();  // shared memory is free again
  }
}

}  // namespace galerna::kernels
#endif
