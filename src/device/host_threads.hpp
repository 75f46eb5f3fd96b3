/// \file
/// The threads of the host device. A time step is a long sequence of short loops over all elements (phases), each of
/// which must end before the next begins. The items of a phase are cut into pieces, which threads take as they come:
/// nobody waits for a thread that has not begun, because other programs keep its processor busy or because it sleeps,
/// only for pieces that somebody is at. On a machine of its own each thread takes the same pieces in every phase, so
/// that its part of the arrays stays in its caches.
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
  /// Runs `function` once for each of the items 0 … items − 1 and returns when all are done. What it computes for an
  /// item must depend neither on `begin` and `end` nor on other items: they are others from call to call. It must not
  /// throw. Only one thread may call, and not from within a function that runs.
  void run(Function function, const void* arguments, std::int64_t items);

 private:
  /// One thread's part of the items. The lower half of the word counts the pieces of it that are taken, in the phase
  /// whose number is the upper half: whoever is late finds nothing of an earlier phase.
  struct alignas(64) Range {
    std::atomic<std::uint64_t> taken{0};
  };

  void end_workers();
  void work(int thread);
  /// Takes pieces of the phase, the thread's own ones first, until there are none.
  void take_pieces(int thread, std::uint32_t phase);
  /// All that are left of one range. \param after_piece is called after each.
  template <class AfterPiece>
  void take_pieces_of(int range, std::uint32_t phase, const AfterPiece& after_piece);
  void run_piece(int range, int piece) const;
  void wake_sleepers_if_worthwhile(double seconds_a_piece);

  // Of the phase: written before its number is published and not until all of its pieces are done.
  Function function_ = nullptr;
  const void* arguments_ = nullptr;
  std::int64_t items_ = 0;

  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<std::uint32_t> phase_{0};  ///< counts those that are shared between threads
  alignas(64) std::atomic<int> left_{0};             ///< pieces of the phase that are not done
  alignas(64) std::atomic<int> asleep_{0};           ///< workers that nobody has called since
  std::vector<Range> ranges_;
  std::vector<std::thread> workers_;
};

}  // namespace galerna::device
