/// \file
/// Numbers that cross the cuts between ranks on GPUs of one host.
#pragma once

#include "kernels/counted_number.hpp"
#include "kernels/rank_arguments.hpp"

#ifdef __CUDACC_RTC__
namespace galerna::kernels {

/// Calls body(number of the array, its entry) for the caller's share of all numbers.
template <class Number, class Body>
void for_cut_numbers(const CutNumbers (&arrays)[most_cut_arrays], std::int64_t half, const Body& body) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, next = gridDim.x * blockDim.x;
  for (const CutNumbers& cut : arrays)
#pragma unroll 1  // a thread has few, and instructions must be fetched in each launch
    for (unsigned i = first; i < cut.sides * cut.numbers; i += next) {
      const unsigned side = i / cut.numbers, number = i % cut.numbers;
      const std::int64_t place =
          cut.last_places && number == cut.numbers - 1 ? cut.last_places[side] : cut.places[side] + number * cut.stride;
      body(static_cast<Number*>(cut.array)[place],
           reinterpret_cast<CountedNumber<Number>*>(cut.entries[side] + half)[number]);
    }
}

/// Sends the numbers of this rank's sides to its neighbours' inboxes. Puts what comes to its own inbox where numbers
/// from beyond its cuts belong. All thread blocks must run at once: each waits for blocks of other ranks, and these for
/// blocks of this one.
template <class Number>
void exchange_numbers(const CutExchangeArguments& a) {
  static_assert(sizeof(CountedNumber<Number>) == entry_factor * sizeof(Number));
  const unsigned count = a.counts[blockIdx.x] + 1;
  const std::int64_t half = count % 2 * a.half;
  for_cut_numbers<Number>(a.sent, half,
                          [&](const Number& own, CountedNumber<Number>& entry) { send(entry, own, count); });
  __syncthreads();  // all have read the count; all is sent before anything is waited for
  if (threadIdx.x == 0) a.counts[blockIdx.x] = count;
  for_cut_numbers<Number>(a.received, half,
                          [&](Number& own, const CountedNumber<Number>& entry) { own = await(entry, count); });
}

}  // namespace galerna::kernels
#endif
