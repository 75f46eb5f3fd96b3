#include "device/host_threads.hpp"

#include <sched.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "base/error.hpp"

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

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Spins until `done()`, at first alone, for `alone` seconds, then giving way to other threads; returns false after
/// some tens of microseconds more.
template <class Done>
bool spin(const Done& done, double alone) {
  constexpr int between_looks = 64, giving_way = 50;
  for (std::optional<Clock::time_point> start; !start || seconds_since(*start) < alone;) {
    for (int i = 0; i < between_looks; ++i) {
      if (done()) return true;
      pause();
    }
    if (!start) start = Clock::now();
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

/// Of each thread's range. Many, so that little is held up where the system puts a thread to sleep that is at one; few,
/// so that taking them costs nothing beside what they compute.
constexpr int pieces_per_range = 8;

HostThreads::HostThreads(int count) : ranges_(static_cast<std::size_t>(std::max(count, 1))) {
  try {
    for (int thread = 1; thread < count; ++thread) workers_.emplace_back([this, thread] { work(thread); });
  } catch (const std::system_error& error) {
    end_workers();
    throw SystemError(
        fmt::format("{} threads cannot be started: {}; set OMP_NUM_THREADS to fewer", count, error.code().message()));
  }
}

HostThreads::~HostThreads() {
  end_workers();
}

void HostThreads::end_workers() {
  stop_ = true;
  phase_.fetch_add(1);
  phase_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void HostThreads::run_piece(int range, int piece) const {
  const std::int64_t pieces = std::int64_t{count()} * pieces_per_range;
  const std::int64_t number = std::int64_t{range} * pieces_per_range + piece;
  const std::int64_t begin = items_ * number / pieces, end = items_ * (number + 1) / pieces;
  if (begin < end) function_(arguments_, begin, end);
}

template <class AfterPiece>
void HostThreads::take_pieces_of(int range, std::uint32_t phase, const AfterPiece& after_piece) {
  std::atomic<std::uint64_t>& taken = ranges_[static_cast<std::size_t>(range)].taken;
  const std::uint64_t none = std::uint64_t{phase} << 32;
  int done = 0;
  for (std::uint64_t seen = taken.load(std::memory_order_relaxed);;) {
    const bool first = static_cast<std::uint32_t>(seen >> 32) != phase;
    // Later phases begin when all pieces of this one are done.
    if (first && static_cast<std::int32_t>(phase - static_cast<std::uint32_t>(seen >> 32)) < 0) break;
    const std::uint64_t piece = first ? 0 : seen - none;
    if (piece == pieces_per_range) break;
    if (!taken.compare_exchange_weak(seen, none + piece + 1, std::memory_order_relaxed)) continue;
    run_piece(range, static_cast<int>(piece));
    ++done;
    after_piece();
    seen = taken.load(std::memory_order_relaxed);
  }
  if (done == 0) return;
  finish_stores();
  if (left_.fetch_sub(done, std::memory_order_acq_rel) == done) left_.notify_one();
}

void HostThreads::take_pieces(int thread, std::uint32_t phase) {
  for (int i = 0; i < count() && left_.load(std::memory_order_relaxed) > 0; ++i)
    take_pieces_of((thread + i) % count(), phase, [] {});
}

/// While all pieces but one are left.
void HostThreads::wake_sleepers_if_worthwhile(double seconds_a_piece) {
  constexpr double wake_up = 10e-6;  // until a thread that slept computes
  if (seconds_a_piece * (count() * pieces_per_range - 1) < wake_up) return;
  asleep_.store(0);
  phase_.notify_all();
}

void HostThreads::run(Function function, const void* arguments, std::int64_t items) {
  constexpr std::int64_t few = 8;  // not worth sharing
  const FlushSubnormals flush;
  if (items <= few || workers_.empty()) {
    function(arguments, 0, items);
    return finish_stores();
  }
  function_ = function;
  arguments_ = arguments;
  items_ = items;
  left_.store(count() * pieces_per_range, std::memory_order_relaxed);
  const std::uint32_t phase = phase_.fetch_add(1) + 1;

  bool waking = asleep_.load() > 0;
  const Clock::time_point start = waking ? Clock::now() : Clock::time_point{};
  take_pieces_of(0, phase, [&] {
    if (waking) wake_sleepers_if_worthwhile(seconds_since(start));
    waking = false;
  });
  take_pieces(0, phase);
  constexpr double longest_piece = 20e-6;  // of small meshes, whose pieces count
  while (!spin([this] { return left_.load(std::memory_order_acquire) == 0; }, longest_piece)) {
    const int left = left_.load(std::memory_order_acquire);
    if (left != 0) left_.wait(left, std::memory_order_acquire);
  }
}

void HostThreads::work(int thread) {
  const FlushSubnormals flush;
  constexpr double between_phases = 5e-6;
  for (std::uint32_t seen = 0;;) {
    const auto begun = [&] { return phase_.load(std::memory_order_acquire) != seen; };
    if (!spin(begun, between_phases)) {
      asleep_.fetch_add(1);
      phase_.wait(seen);
    }
    if (stop_) return;
    seen = phase_.load(std::memory_order_acquire);
    take_pieces(thread, seen);
  }
}

}  // namespace galerna::device
