#include "device/host_threads.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
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
  for (const int items : {0, 1, 8, 9, 1000}) {
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

INSTANTIATE_TEST_SUITE_P(Counts, EveryThreadCount, ::testing::Values(1, 2, 3, 8));

TEST(HostThreadCount, IsThatOfTheEnvironmentIfItIsANumber) {
  setenv("OMP_NUM_THREADS", "3", 1);
  EXPECT_EQ(device::host_thread_count(), 3);
  setenv("OMP_NUM_THREADS", "many", 1);
  EXPECT_GE(device::host_thread_count(), 1);
  unsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace galerna::tests
