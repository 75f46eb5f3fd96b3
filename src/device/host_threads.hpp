/// \file
/// The threads of the host device. A time step is a long sequence of short loops over all elements, each of which must
/// end before the next begins; so threads wait for work by spinning for a moment, then let others run, then sleep. That
/// keeps small meshes fast and lets several runs share a machine (OpenMP's barriers lost a factor of ten there: they
/// spin on while the others starve).
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace galerna::device {

class HostThreads {
 public:
  /// \param count including the calling thread.
  explicit HostThreads(int count);
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  int count() const { return static_cast<int>(workers_.size()) + 1; }

  using Function = void (*)(const void* arguments, std::int64_t begin, std::int64_t end);
  /// Runs `function` for items 0 … items − 1 and returns when all are done. Every thread gets the same contiguous share
  /// each time, so that its part of the arrays stays in its caches.
  void run(Function function, const void* arguments, std::int64_t items);

 private:
  void work(int thread);
  void run_share(int thread) const;

  Function function_ = nullptr;
  const void* arguments_ = nullptr;
  std::int64_t items_ = 0;
  bool stop_ = false;
  alignas(64) std::atomic<std::uint32_t> round_{0};  ///< counts calls of run
  alignas(64) std::atomic<int> busy_{0};             ///< workers that have not finished the round
  std::vector<std::thread> workers_;
};

/// $OMP_NUM_THREADS if that is a positive number, else the number of processors this process may run on.
int host_thread_count();

}  // namespace galerna::device
