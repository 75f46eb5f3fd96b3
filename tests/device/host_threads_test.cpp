#include "device/host_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace galerna::tests {
namespace {

/// Adds 1 to each of the items.
void count(const void* arguments, std::int64_t begin, std::int64_t end) {
  int* counts = *static_cast<int* const*>(arguments);
  for (std::int64_t i = begin; i < end; ++i) ++counts[i];
}

class EveryThreadCount : public ::testing::TestWithParam<int> {};

TEST_P(EveryThreadCount, DoesEveryItemOnceInEveryRound) {
  device::HostThreads threads(GetParam());
  EXPECT_EQ(threads.count(), GetParam());
  for (const int items : {0, 1, 8, 9, 63, 64, 65, 1000}) {
    std::vector<int> counts(static_cast<std::size_t>(items), 0);
    const int* data = counts.data();
    for (int round = 0; round < 500; ++round) threads.run(count, &data, items);
    EXPECT_EQ(counts, std::vector<int>(static_cast<std::size_t>(items), 500)) << items;
  }
}

TEST_P(EveryThreadCount, WakesFromSleep) {
  device::HostThreads threads(GetParam());
  std::vector<int> counts(100, 0);
  const int* data = counts.data();
  for (int round = 0; round < 3; ++round) {
    threads.run(count, &data, 100);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(counts, std::vector<int>(100, 3));
}

/// One phase of a few items after the other, of changing sizes, so that threads are late for most of them.
TEST_P(EveryThreadCount, TakesNothingOfAPhaseThatIsOver) {
  device::HostThreads threads(GetParam());
  constexpr int most = 40, rounds = 20000;
  std::vector<int> counts(most, 0), expected(most, 0);
  const int* data = counts.data();
  for (int round = 0; round < rounds; ++round) {
    const int items = 9 + round % (most - 8);
    threads.run(count, &data, items);
    for (int i = 0; i < items; ++i) ++expected[static_cast<std::size_t>(i)];
  }
  EXPECT_EQ(counts, expected);
}

/// What each phase reads is what the one before has written, by whatever thread.
TEST_P(EveryThreadCount, SeesWhatTheLastPhaseWrote) {
  struct Chain {
    std::vector<long> from, to;
  };
  const auto add_neighbours = [](const void* arguments, std::int64_t begin, std::int64_t end) {
    Chain& chain = **static_cast<Chain* const*>(arguments);
    const auto size = static_cast<std::int64_t>(chain.from.size());
    for (std::int64_t i = begin; i < end; ++i)
      chain.to[static_cast<std::size_t>(i)] = (chain.from[static_cast<std::size_t>((i + 1) % size)] +
                                               chain.from[static_cast<std::size_t>((i + size - 1) % size)]) %
                                              1000003;
  };
  const auto result_of = [&](int count) {
    device::HostThreads threads(count);
    Chain chain{std::vector<long>(500), std::vector<long>(500)};
    for (std::size_t i = 0; i < 500; ++i) chain.from[i] = static_cast<long>(i * i % 97);
    Chain* data = &chain;
    for (int phase = 0; phase < 2000; ++phase) {
      threads.run(add_neighbours, &data, 500);
      std::swap(chain.from, chain.to);
    }
    return chain.from;
  };
  EXPECT_EQ(result_of(GetParam()), result_of(1));
}

INSTANTIATE_TEST_SUITE_P(Counts, EveryThreadCount, ::testing::Values(1, 2, 3, 8));

/// The worker is held up in its first piece until all other items are done, which only the caller can do then.
struct HoldUp {
  std::thread::id caller = std::this_thread::get_id();
  std::int64_t items = 0, held = 0;
  std::atomic<std::int64_t> done{0};
  std::atomic<bool> begun{false}, alone{false};
  int calls = 0;  ///< by the caller

  template <class Done>
  static bool wait(const Done& reached) {
    for (int tries = 0; tries < 10'000; ++tries) {
      if (reached()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  void run(std::int64_t count) {
    if (std::this_thread::get_id() == caller) {
      // In the first piece the worker may sleep; it is woken for a phase that is as long as this.
      if (calls++ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (calls == 2) wait([&] { return begun.load(); });
    } else if (!begun.exchange(true)) {
      held = count;
      alone = wait([&] { return done == items - count; });
    }
    done += count;
  }
};

TEST(HostThreads, DoNotWaitForPiecesOfAThreadThatIsHeldUp) {
  device::HostThreads threads(2);
  HoldUp hold;
  hold.items = 160;
  HoldUp* data = &hold;
  threads.run([](const void* arguments, std::int64_t begin,
                 std::int64_t end) { (*static_cast<HoldUp* const*>(arguments))->run(end - begin); },
              &data, hold.items);
  EXPECT_EQ(hold.done, hold.items);
  EXPECT_TRUE(hold.begun);
  EXPECT_TRUE(hold.alone);
  EXPECT_LT(hold.held, hold.items / 4);
}

}  // namespace
}  // namespace galerna::tests
