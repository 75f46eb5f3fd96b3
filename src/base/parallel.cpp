#include "base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/interruption.hpp"
#include "base/phases.hpp"

namespace galerna {
namespace {

/// The pieces of one loop, which threads take as they come.
class Pieces {
 public:
  Pieces(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& body)
      : count_(count), piece_(piece), body_(body), watched_(number()) {}

  /// Takes pieces until none is left.
  void work() {
    for (std::int64_t k = next_++; k < number() && k < first_failed_; k = next_++) try {
        stop_interruptible();
        body_(k * piece_, std::min(count_, (k + 1) * piece_));
        watched_.did();
      } catch (...) {
        fail(k);
      }
  }

  std::int64_t number() const { return (count_ + piece_ - 1) / piece_; }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void fail(std::int64_t k) {
    const std::lock_guard guard(lock_);
    if (k >= first_failed_) return;
    first_failed_ = k;
    error_ = std::current_exception();
  }

  std::int64_t count_, piece_;
  const std::function<void(std::int64_t, std::int64_t)>& body_;
  WatchedLoop watched_;
  std::atomic<std::int64_t> next_{0}, first_failed_{std::numeric_limits<std::int64_t>::max()};
  std::mutex lock_;
  std::exception_ptr error_;
};

}  // namespace

void in_parallel(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& body) {
  Pieces pieces(count, piece, body);
  const std::int64_t threads = pieces.number() > 1 ? std::min<std::int64_t>(host_thread_count(), pieces.number()) : 1;
  std::vector<std::thread> others;
  try {
    for (std::int64_t i = 1; i < threads; ++i) others.emplace_back([&pieces] { pieces.work(); });
  } catch (const std::system_error&) {
    // As many as the system grants.
  }
  pieces.work();
  for (std::thread& other : others) other.join();
  pieces.rethrow();
}

int host_thread_count() {
  constexpr const char* variable = "OMP_NUM_THREADS";
  constexpr int most = 4096;
  const std::string set = environment(variable);
  if (set.empty()) return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const std::size_t begin = set.find_first_not_of(" \t"), end = std::min(set.find(','), set.size());
  int count = 0;
  const auto [rest, error] = std::from_chars(set.data() + begin, set.data() + end, count);
  const bool whole = set.find_first_not_of(" \t", static_cast<std::size_t>(rest - set.data())) >= end;
  if (error != std::errc() || !whole || count < 1 || count > most)
    throw InputError({variable}, fmt::format("\"{}\" is no number of threads from 1 to {}", set.substr(0, 40), most));
  return count;
}

}  // namespace galerna
