#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "base/interruption.hpp"
#include "base/parallel_sort.hpp"

namespace galerna::tests {
namespace {

TEST(HostThreadCount, IsThatOfTheEnvironmentIfItIsANumber) {
  setenv("OMP_NUM_THREADS", "3", 1);
  EXPECT_EQ(host_thread_count(), 3);
  setenv("OMP_NUM_THREADS", "many", 1);
  EXPECT_THROW(host_thread_count(), InputError);
  unsetenv("OMP_NUM_THREADS");
}

/// Runs `body` with so many threads.
template <class Body>
void with_threads(const char* count, const Body& body) {
  setenv("OMP_NUM_THREADS", count, 1);
  body();
  unsetenv("OMP_NUM_THREADS");
}

TEST(InParallel, EveryItemIsInOnePieceWhateverTheThreads) {
  for (const char* threads : {"1", "2", "7"})
    for (const std::int64_t count : {0, 1, 9, 10, 11, 1003}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      std::atomic<int> odd = 0;  // pieces that do not begin or end where they should
      with_threads(threads, [&] {
        in_parallel(count, 10, [&](std::int64_t begin, std::int64_t end) {
          if (begin % 10 != 0 || (end - begin != 10 && end != count)) ++odd;
          for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
        });
      });
      EXPECT_EQ(odd, 0) << count;
      for (const auto& times : seen) EXPECT_EQ(times, 1) << count;
    }
}

TEST(InParallel, TheFirstPieceThatFailedSaysWhy) {
  for (const char* threads : {"1", "4"})
    with_threads(threads, [] {
      for (int repeat = 0; repeat < 20; ++repeat) try {
          in_parallel(100, 1, [](std::int64_t begin, std::int64_t) {
            if (begin >= 20) throw std::runtime_error(std::to_string(begin));
          });
          FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "20");
        }
    });
}

TEST(InParallel, MayStandWithinItself) {
  std::atomic<int> sum = 0;
  with_threads("3", [&] {
    in_parallel(10, 1, [&](std::int64_t, std::int64_t) {
      in_parallel(10, 3, [&](std::int64_t begin, std::int64_t end) { sum += static_cast<int>(end - begin); });
    });
  });
  EXPECT_EQ(sum, 100);
}

TEST(InParallel, EndsWhereItMayAndSomebodyAsks) {
  std::atomic<int> pieces = 0;
  on_interruption([&] { return pieces >= 3; });
  const auto work = [&] { in_parallel(100, 1, [&](std::int64_t, std::int64_t) { ++pieces; }); };
  with_threads("2", [&] {
    {
      const Interruptible setting_up("setting up");
      EXPECT_THROW(work(), Interruption);
      EXPECT_LT(pieces, 10);
    }
    EXPECT_NO_THROW(work());
  });
  on_interruption({});
}

TEST(SortInParallel, SortsWhateverTheThreads) {
  for (const char* threads : {"1", "3"})
    for (const std::uint64_t count : {0, 1, 5, 32768, 32769, 65536, 100000, 200001}) {
      std::vector<std::uint64_t> items(count);
      for (std::uint64_t i = 0; i < count; ++i) items[i] = i * 0x9e3779b97f4a7c15;  // an odd factor: all of them differ
      std::vector<std::uint64_t> sorted = items;
      with_threads(threads, [&] { sort_in_parallel(items, std::greater()); });
      std::sort(sorted.begin(), sorted.end(), std::greater());
      EXPECT_EQ(items, sorted);
    }
}

}  // namespace
}  // namespace galerna::tests
