/// \file
/// Numbers that cross the cuts between ranks on GPUs of one host.
#pragma once

#include "kernels/rank_arguments.hpp"
#include "kernels/rank_flags.hpp"
#include "kernels/step_totals.hpp"

#ifdef __CUDACC_RTC__
namespace galerna::kernels {

/// Calls body(number of the array, the same in a message) for the caller's share of all numbers.
template <class Number, class Body>
void for_cut_numbers(const CutNumbers (&arrays)[most_cut_arrays], std::int64_t half, const Body& body) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, next = gridDim.x * blockDim.x;
  for (const CutNumbers& cut : arrays)
#pragma unroll 4
    for (unsigned i = first; i < cut.sides * cut.numbers; i += next) {
      const unsigned side = i / cut.numbers, number = i % cut.numbers;
      const std::int64_t place =
          cut.last_places && number == cut.numbers - 1 ? cut.last_places[side] : cut.places[side] + number * cut.stride;
      body(static_cast<Number*>(cut.array)[place], reinterpret_cast<Number*>(cut.messages[side] + half)[number]);
    }
}

/// Leaves the numbers of this rank's sides in its neighbours' inboxes and puts what has come to its own where numbers
/// from beyond its cuts belong. All thread blocks must run at once.
template <class Number>
void exchange_numbers(const CutExchangeArguments& a) {
  const std::int64_t count = *a.count + 1, half = count % 2 * a.half;
  for_cut_numbers<Number>(a.sent, half, [](const Number& own, Number& sent) { sent = own; });
  if (comes_last(a.arrived, int(gridDim.x)))
    for (int n = int(threadIdx.x); n < a.neighbours; n += int(blockDim.x)) raise_flag(a.raised[n], count);
  __syncthreads();  // all flags are raised before any is waited for
  for (int n = int(threadIdx.x); n < a.neighbours; n += int(blockDim.x)) await_flag(a.awaited[n], count);
  __syncthreads();
  for_cut_numbers<Number>(a.received, half, [](Number& own, const Number& sent) { own = received(&sent); });
  if (comes_last(a.arrived + 1, int(gridDim.x)) && threadIdx.x == 0) *a.count = count;
}

}  // namespace galerna::kernels
#endif
