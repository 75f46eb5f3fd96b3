#include "parallel/board.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace galerna::parallel {
namespace {

constexpr std::size_t line = 64;

std::size_t rounded(std::size_t bytes) {
  return (bytes + line - 1) / line * line;
}

}  // namespace

// Pages that nobody touches, such as rings between ranks that are no neighbours, cost nothing.
SharedMemory::SharedMemory(std::size_t size) : size_(size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    throw SystemError("the ranks cannot share " + std::to_string(size >> 20) + " MB: " + std::strerror(errno) +
                      ": use fewer ranks, or allow more memory (ulimit -v)");
  data_ = static_cast<std::byte*>(data);
}

SharedMemory::~SharedMemory() {
  munmap(data_, size_);
}

std::size_t Ring::push(std::span<const std::byte> bytes) {
  const std::uint64_t written = counts_->written.load(std::memory_order_relaxed);
  const std::size_t room = capacity - (written - counts_->read.load(std::memory_order_acquire));
  const std::size_t count = std::min(room, bytes.size());
  const std::size_t begin = written % capacity, before_end = std::min(count, capacity - begin);
  std::copy_n(bytes.begin(), before_end, data_ + begin);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(before_end), count - before_end, data_);
  counts_->written.store(written + count, std::memory_order_release);
  return count;
}

std::size_t Ring::pull(std::span<std::byte> bytes) {
  const std::uint64_t read = counts_->read.load(std::memory_order_relaxed);
  const std::size_t filled = counts_->written.load(std::memory_order_acquire) - read;
  const std::size_t count = std::min(filled, bytes.size());
  const std::size_t begin = read % capacity, before_end = std::min(count, capacity - begin);
  std::copy_n(data_ + begin, before_end, bytes.begin());
  std::copy_n(data_, count - before_end, bytes.begin() + static_cast<std::ptrdiff_t>(before_end));
  counts_->read.store(read + count, std::memory_order_release);
  return count;
}

Board::Board(int size)
    : size_(size),
      memory_(sizeof(Head) + static_cast<std::size_t>(size) * (sizeof(Rank) + 2 * rounded(sizeof(Slot)) + line) +
              static_cast<std::size_t>(size) * static_cast<std::size_t>(size) *
                  (sizeof(Ring::Counts) + Ring::capacity)) {
  const auto ranks = static_cast<std::size_t>(size);
  std::byte* place = memory_.data();
  head_ = std::construct_at(reinterpret_cast<Head*>(place));
  place += sizeof(Head);
  ranks_ = reinterpret_cast<Rank*>(place);
  std::uninitialized_default_construct_n(ranks_, ranks);
  place += ranks * sizeof(Rank);
  counts_ = reinterpret_cast<Ring::Counts*>(place);
  std::uninitialized_default_construct_n(counts_, ranks * ranks);
  place += ranks * ranks * sizeof(Ring::Counts);
  slots_ = reinterpret_cast<Slot*>(place);
  std::uninitialized_default_construct_n(slots_, 2 * ranks);
  streams_ = place + rounded(2 * ranks * sizeof(Slot));
}

bool Board::arrive() {
  const bool last = head_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(size_);
  if (last) {
    head_->arrived.store(0, std::memory_order_relaxed);
    head_->barrier.ring();
  }
  return last;
}

Ring Board::ring(int from, int to) {
  const auto index = static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(to);
  return {counts_[index], streams_ + index * Ring::capacity};
}

void Board::finish(int rank, int result) {
  ranks_[rank].result = result;
  ranks_[rank].state.store(State::returned, std::memory_order_release);
  // Whoever waits for this rank waits in vain, and learns it after 0.1 s at the latest.
}

void Board::fail(int rank, const Failure& failure) {
  Bytes bytes = to_bytes(failure);
  if (bytes.size() > failure_capacity)
    bytes = to_bytes({Failure::Kind::error, failure.code, failure.text.substr(0, failure_capacity / 2), {}});
  Rank& own = ranks_[rank];
  std::copy(bytes.begin(), bytes.end(), own.failure.begin());
  own.failure_size = bytes.size();
  own.state.store(State::failed, std::memory_order_release);
  int none = -1;
  head_->first_to_fail.compare_exchange_strong(none, rank, std::memory_order_acq_rel);
  break_up();
}

std::optional<Failure> Board::failure(int rank) const {
  if (state(rank) != State::failed) return {};
  return failure_of(std::span(ranks_[rank].failure).first(ranks_[rank].failure_size));
}

void Board::lose(int rank, const std::string& why) {
  if (head_->lost.load(std::memory_order_acquire) >= 0) return;
  const std::size_t length = std::min(why.size(), head_->why_lost.size() - 1);
  std::copy_n(why.begin(), length, head_->why_lost.begin());
  head_->lost.store(rank, std::memory_order_release);
  break_up();
}

void Board::break_up() {
  head_->broken.store(true, std::memory_order_release);
  head_->barrier.wake();
  for (int rank = 0; rank < size_; ++rank) ranks_[rank].bell.wake();
}

void Board::throw_if_lost(const std::string& host) const {
  const int lost = head_->lost.load(std::memory_order_acquire);
  if (lost >= 0) throw RankLost(lost, rank_name(lost, host) + " " + head_->why_lost.data());
}

void Board::throw_loss(const std::string& host) const {
  throw_if_lost(host);
  const int failed = first_to_fail();
  if (failed >= 0) throw RankLost(failed, rank_name(failed, host) + " ended: " + failure(failed)->text);
  for (int rank = 0; rank < size_; ++rank)
    if (state(rank) == State::returned) throw RankLost(rank, rank_name(rank, host) + " ended before the others");
  throw std::logic_error("no rank is lost");
}

}  // namespace galerna::parallel
