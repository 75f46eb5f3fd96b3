/// \file
/// Numbers that one thread block hands to another, perhaps of another GPU of the host. Each travels together with the
/// count of its exchange, in one store. A reader waits until its own number has the count that it expects. No flag says
/// that numbers have come, so no fence has to order them before a flag.
#pragma once

#include "kernels/lane.hpp"

#ifdef __CUDACC_RTC__
namespace galerna::kernels {

/// A word of a number in the low half, and the count in the high half.
using CountedWord = unsigned long long;

template <class Number>
struct Words {
  unsigned word[sizeof(Number) / sizeof(unsigned)];
};

/// A number of an inbox. Every word has the count, because only eight bytes are sure to be written as one.
template <class Number>
struct alignas(2 * sizeof(Number)) CountedNumber {
  CountedWord words[sizeof(Number) / sizeof(unsigned)];
};

// Stores and loads an entry in one instruction that passes the caches of a multiprocessor, each word as one. Tests on
// the CPU put functions of their own in their place (tests/dg/emulated_gpu_program.hpp).
#ifdef __CUDA_ARCH__
inline void store_words(CountedWord (&to)[1], const CountedWord (&words)[1]) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(words[0]));
}
inline void store_words(CountedWord (&to)[2], const CountedWord (&words)[2]) {
  asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(words[0]), "l"(words[1]));
}
inline void load_words(CountedWord (&words)[1], const CountedWord (&from)[1]) {
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(words[0]) : "l"(from));
}
inline void load_words(CountedWord (&words)[2], const CountedWord (&from)[2]) {
  asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];" : "=l"(words[0]), "=l"(words[1]) : "l"(from));
}
#endif

/// Writes a number to an inbox, perhaps of another GPU.
template <class Number>
void send(CountedNumber<Number>& to, const Number& number, unsigned count) {
  const auto words = __builtin_bit_cast(Words<Number>, number);
  CountedNumber<Number> entry;
  for (unsigned k = 0; k < sizeof(Number) / sizeof(unsigned); ++k)
    entry.words[k] = CountedWord(count) << 32 | words.word[k];
  store_words(to.words, entry.words);
}

/// Waits for the number of exchange `count` in an inbox of this GPU.
template <class Number>
Number await(const CountedNumber<Number>& from, unsigned count) {
  CountedNumber<Number> entry;
  bool here;
  do {
    load_words(entry.words, from.words);
    here = true;
    for (CountedWord word : entry.words) here &= unsigned(word >> 32) == count;
  } while (!here);
  Words<Number> words;
  for (unsigned k = 0; k < sizeof(Number) / sizeof(unsigned); ++k) words.word[k] = unsigned(entry.words[k]);
  return __builtin_bit_cast(Number, words);
}

}  // namespace galerna::kernels
#endif
