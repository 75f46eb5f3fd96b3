/// \file
/// Arguments of the kernels by which ranks on GPUs of one host exchange numbers. A rank leaves them in the others'
/// inboxes, arrays of their memory that it can write to, and then raises a flag there. Exchanges are counted, alike on
/// all ranks, from 1 on, and a flag is the number of the last one. An inbox has two halves, which take turns: a rank
/// that has come to exchange n + 2 has what this one left in n + 1, after it had read all of n.
#pragma once

#ifndef __CUDACC_RTC__
#include <cstdint>
#else
#include "kernels/lane.hpp"
#endif

namespace galerna::kernels {

/// Threads of a thread block of exchanges.
constexpr int exchange_group = 256;
/// Arrays of which numbers are exchanged together, at most.
constexpr int most_cut_arrays = 2;

/// Numbers of sides at cuts in an array, sent or received.
struct CutNumbers {
  void* array;
  const std::int64_t* places;       ///< [side] of the first number in the array
  const std::int64_t* last_places;  ///< [side] of the last one; null: it is in line with the others
  const std::int64_t* messages;     ///< [side] address of the first number in the first half of an inbox
  unsigned sides, numbers;          ///< numbers of a side
  std::int64_t stride;              ///< from one number to the next one
};

/// rank_exchange.hpp
struct CutExchangeArguments {
  CutNumbers sent[most_cut_arrays], received[most_cut_arrays];
  std::int64_t half;                             ///< bytes of half an inbox
  std::int64_t *const *raised, *const *awaited;  ///< [neighbour] its flag for this rank, this rank's for it
  int neighbours;
  std::int64_t* count;  ///< exchanges so far
  int* arrived;         ///< [2] thread blocks that have sent, and received, all; 0 before and after a launch
};

/// rank_totals.hpp
struct RankTotals {
  int rank, ranks;
  int room;                      ///< numbers of a rank's place in half an inbox, at most
  std::int64_t* count;           ///< exchanges so far
  double* const* inboxes;        ///< [rank] two halves of [rank][room]
  std::int64_t* const* flags;    ///< [rank] its flags, [rank]
  const std::int64_t* elements;  ///< [element of the part] its number in the whole mesh
};

}  // namespace galerna::kernels
