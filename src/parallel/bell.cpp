#include "parallel/bell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <thread>

namespace galerna::parallel {
namespace {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

constexpr timespec longest_sleep{0, 100'000'000};

// Not the private kind: the sleepers may be other processes.
void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout, nullptr, 0);
}

}  // namespace

// Counter and number of sleepers are written by one and read by the other in opposite orders, all sequentially
// consistent: either ring() sees the sleeper, or the sleeper's call of the system sees the new count and returns.
void Bell::ring() {
  count_.fetch_add(1);
  wake();
}

void Bell::wake() {
  if (sleepers_.load() > 0) futex(count_, FUTEX_WAKE, INT_MAX, nullptr);
}

void Bell::sleep(std::uint32_t seen) {
  sleepers_.fetch_add(1);
  if (count_.load() == seen) futex(count_, FUTEX_WAIT, seen, &longest_sleep);
  sleepers_.fetch_sub(1);
}

int spins_before_sleep(int ranks) {
  const unsigned cores = std::thread::hardware_concurrency();
  return static_cast<unsigned>(ranks) <= cores ? 1000 : 10;
}

void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace galerna::parallel
