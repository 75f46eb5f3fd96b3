#include "device/host_threads.hpp"

#include <sched.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cstdlib>

namespace galerna::device {
namespace {

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Stores past the caches (kernels/lane.hpp, stream) are seen by other threads before what the caller does next.
void finish_stores() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

/// Spins until `done()`, at first alone (some microseconds), then giving way to other threads; returns false after some
/// tens of microseconds.
template <class Done>
bool spin(const Done& done) {
  constexpr int alone = 200, giving_way = 50;
  for (int i = 0; i < alone; ++i) {
    if (done()) return true;
    pause();
  }
  for (int i = 0; i < giving_way; ++i) {
    if (done()) return true;
    sched_yield();
  }
  return done();
}

/// While it lives, numbers below the normal range count as zero in this thread. Processors compute a hundred times
/// slower with them, and limited solutions are full of them: slopes that shrink by a factor in every step.
class FlushSubnormals {
 public:
#if defined(__x86_64__)
  FlushSubnormals() : before_(_mm_getcsr()) {
    constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
    _mm_setcsr(before_ | flush_results | flush_operands);
  }
  ~FlushSubnormals() {
    _mm_setcsr(before_);
  }

 private:
  unsigned before_;
#else
  FlushSubnormals() {}
#endif
};

}  // namespace

HostThreads::HostThreads(int count) {
  for (int thread = 1; thread < count; ++thread) workers_.emplace_back([this, thread] { work(thread); });
}

HostThreads::~HostThreads() {
  stop_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void HostThreads::run_share(int thread) const {
  const FlushSubnormals flush;
  const std::int64_t threads = count();
  function_(arguments_, items_ * thread / threads, items_ * (thread + 1) / threads);
  finish_stores();
}

void HostThreads::run(Function function, const void* arguments, std::int64_t items) {
  constexpr std::int64_t few = 8;  // not worth waking anybody
  if (items <= few || workers_.empty()) {
    const FlushSubnormals flush;
    function(arguments, 0, items);
    return finish_stores();
  }
  function_ = function;
  arguments_ = arguments;
  items_ = items;
  busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  run_share(0);
  while (!spin([this] { return busy_.load(std::memory_order_acquire) == 0; })) {
    const int busy = busy_.load(std::memory_order_acquire);
    if (busy != 0) busy_.wait(busy, std::memory_order_acquire);
  }
}

void HostThreads::work(int thread) {
  for (std::uint32_t seen = 0;; ++seen) {
    while (!spin([&] { return round_.load(std::memory_order_acquire) != seen; }))
      round_.wait(seen, std::memory_order_acquire);
    if (stop_) return;
    run_share(thread);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

int host_thread_count() {
  const char* set = std::getenv("OMP_NUM_THREADS");
  const int asked = set ? std::atoi(set) : 0;
  return asked > 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace galerna::device
