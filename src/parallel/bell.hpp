/// \file
/// Waiting for other threads, and for other processes that share the memory.
#pragma once

#include <atomic>
#include <cstdint>

namespace galerna::parallel {

/// A counter in shared memory that ranks sleep on until it changes.
class Bell {
 public:
  std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
  /// Counts on and wakes all who sleep.
  void ring();
  /// Wakes all who sleep and counts nothing; one who is about to fall asleep sleeps for `longest_sleep` all the same.
  void wake();
  /// Sleeps until the counter differs from `seen`, for 0.1 s at most: whoever should ring may be dead.
  void sleep(std::uint32_t seen);

 private:
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

/// How often to ask before sleeping, for `ranks` on this host: some ten microseconds if each has a core, else a few
/// times, since the one that is waited for may need this core.
int spins_before_sleep(int ranks);
/// Lets the core rest for a moment in a loop that asks.
void pause_core();

}  // namespace galerna::parallel
