/// \file
/// The memory through which the ranks of one host talk, threads or processes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "parallel/bell.hpp"
#include "parallel/failure.hpp"

namespace galerna::parallel {

/// Zeros that processes forked later share. Without a name in the file system, so that nothing is left of it.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t size);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::size_t size_;
  std::byte* data_;
};

/// A stream of bytes from one rank to another. Neither call waits.
class Ring {
 public:
  static constexpr std::size_t capacity = 1 << 18;
  struct Counts {
    alignas(64) std::atomic<std::uint64_t> written{0};
    alignas(64) std::atomic<std::uint64_t> read{0};
  };

  Ring(Counts& counts, std::byte* data) : counts_(&counts), data_(data) {}
  /// \returns how many bytes of the beginning found room
  std::size_t push(std::span<const std::byte> bytes);
  /// \returns how many bytes of the beginning were filled
  std::size_t pull(std::span<std::byte> bytes);

 private:
  Counts* counts_;
  std::byte* data_;
};

/// What all ranks see of each other.
class Board {
 public:
  /// A rank writes here what all may read after the next barrier.
  struct Slot {
    static constexpr std::size_t capacity = 1 << 16;
    std::uint64_t operation = 0;  ///< with `total`: what the rank believes is going on, to be compared
    std::uint64_t total = 0;
    std::array<std::byte, capacity> bytes;
  };
  enum class State : int { running, returned, failed };

  explicit Board(int size);

  int size() const { return size_; }

  /// Takes part in a barrier. \returns whether this was the last rank; others wait for the bell to differ from `before`
  bool arrive();
  Bell& barrier_bell() { return head_->barrier; }
  Bell& bell(int rank) { return ranks_[rank].bell; }
  Slot& slot(int rank, int parity) { return slots_[2 * rank + parity]; }
  Ring ring(int from, int to);

  State state(int rank) const { return ranks_[rank].state.load(std::memory_order_acquire); }
  /// The rank's body returned; nobody will hear of it any more.
  void finish(int rank, int result);
  int result(int rank) const { return ranks_[rank].result; }
  /// The rank's body threw: all others are woken, and their waiting ends with RankLost.
  void fail(int rank, const Failure& failure);
  std::optional<Failure> failure(int rank) const;
  /// The one whose body was the first to throw, or −1.
  int first_to_fail() const { return head_->first_to_fail.load(std::memory_order_acquire); }
  /// Somebody found out that the rank is gone. \param why "was killed by …"; only the first call counts
  void lose(int rank, const std::string& why);

  /// Whether a rank failed or was lost: no use waiting.
  bool is_broken() const { return head_->broken.load(std::memory_order_acquire); }
  /// \throws RankLost if lose() was called
  void throw_if_lost(const std::string& host) const;
  /// Throws RankLost that says why waiting is in vain: a rank was lost, failed or returned.
  [[noreturn]] void throw_loss(const std::string& host) const;

 private:
  static constexpr std::size_t failure_capacity = 1 << 14;
  struct alignas(64) Head {
    std::atomic<std::uint32_t> arrived{0};
    Bell barrier;
    std::atomic<bool> broken{false};
    std::atomic<int> first_to_fail{-1};
    std::atomic<int> lost{-1};
    std::array<char, 512> why_lost{};
  };
  struct alignas(64) Rank {
    Bell bell;
    std::atomic<State> state{State::running};
    int result = 0;
    std::size_t failure_size = 0;
    std::array<std::byte, failure_capacity> failure;
  };

  void break_up();

  int size_;
  SharedMemory memory_;
  Head* head_;
  Rank* ranks_;
  Slot* slots_;
  Ring::Counts* counts_;
  std::byte* streams_;
};

}  // namespace galerna::parallel
