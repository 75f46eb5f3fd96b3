/// \file
/// Arguments of the kernels by which ranks on GPUs of one host exchange numbers. A rank writes them to the others'
/// inboxes, arrays of their memory, as entries that hold the count of the exchange (counted_number.hpp). Exchanges are
/// counted from 1 on, alike on all ranks.
///
/// An inbox has two halves, which take turns, so that no number is overwritten before it was read. A rank that writes
/// those of exchange n + 2 has ended its kernel of n + 1, so it has all that the reader wrote in n + 1. The reader
/// began to write these after its kernel of n had ended, so it had read all of n. This holds because exchanges
/// of a rank come one after the other, and because whoever sends to a rank also receives from it in the same exchange.
///
/// An entry that is waited for therefore holds the count n, or still n − 2, or 0 before its first exchange. Counts may
/// start again at 0 after 2³² exchanges: their parity goes on, and n and n − 2 stay different.
#pragma once

#ifndef __CUDACC_RTC__
#include <cstdint>
#else
#include "kernels/lane.hpp"
#endif

namespace galerna::kernels {

template <class Number>
struct CountedNumber;

/// Threads of a thread block of exchanges.
constexpr int exchange_group = 256;
/// Arrays of which numbers are exchanged together, at most.
constexpr int most_cut_arrays = 2;
/// Bytes of an entry over those of its number.
constexpr int entry_factor = 2;

/// Numbers of sides at cuts in an array, sent or received.
struct CutNumbers {
  void* array;
  const std::int64_t* places;       ///< [side] of the first number in the array
  const std::int64_t* last_places;  ///< [side] of the last one; null: it is in line with the others
  const std::int64_t* entries;      ///< [side] address of the first number's entry in the first half of an inbox
  unsigned sides, numbers;          ///< numbers of a side
  std::int64_t stride;              ///< from one number to the next one
};

/// rank_exchange.hpp
struct CutExchangeArguments {
  CutNumbers sent[most_cut_arrays], received[most_cut_arrays];
  std::int64_t half;  ///< bytes of half an inbox
  unsigned* counts;   ///< [thread block] exchanges so far
};

/// rank_totals.hpp
struct RankTotals {
  int rank, ranks;
  int room;                               ///< entries of a rank's place in half an inbox, at most
  unsigned* count;                        ///< exchanges so far
  CountedNumber<double>* const* inboxes;  ///< [rank] two halves of [rank][room]
  const std::int64_t* elements;           ///< [element of the part] its number in the whole mesh
};

}  // namespace galerna::kernels
