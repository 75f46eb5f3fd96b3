#include "parallel/shared_team.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace galerna::parallel {
namespace {

/// The piece of `bytes` that begins at `offset`, or nothing behind its end.
template <class Span>
Span piece_of(Span bytes, std::size_t offset) {
  const std::size_t begin = std::min(offset, bytes.size());
  return bytes.subspan(begin, std::min(Board::Slot::capacity, bytes.size() - begin));
}

/// One message under way. Its size goes first, so that the receiver notices when the two do not agree.
class Transfer {
 public:
  Transfer(const Message& message, Ring out, Ring in)
      : message_(message), out_(out), in_(in), send_size_(message.send.size()) {}

  int rank() const { return message_.rank; }
  bool is_done() const { return sent_ == head + message_.send.size() && received_ == head + message_.receive.size(); }

  /// \returns whether any byte moved
  bool proceed() {
    const std::size_t before = sent_ + received_;
    if (sent_ < head) sent_ += out_.push(std::as_bytes(std::span(&send_size_, 1)).subspan(sent_));
    if (sent_ >= head) sent_ += out_.push(message_.send.subspan(sent_ - head));
    if (received_ < head) {
      received_ += in_.pull(std::as_writable_bytes(std::span(&receive_size_, 1)).subspan(received_));
      if (received_ == head && receive_size_ != message_.receive.size())
        throw std::logic_error("exchange: rank " + std::to_string(rank()) + " sends " + std::to_string(receive_size_) +
                               " bytes, not " + std::to_string(message_.receive.size()));
    }
    if (received_ >= head) received_ += in_.pull(message_.receive.subspan(received_ - head));
    return sent_ + received_ > before;
  }

 private:
  static constexpr std::size_t head = sizeof(std::uint64_t);

  Message message_;
  Ring out_, in_;
  std::uint64_t send_size_, receive_size_ = 0;
  std::size_t sent_ = 0, received_ = 0;  ///< with the head
};

}  // namespace

SharedTeam::SharedTeam(Board& board, int rank)
    : Team({rank, board.size(), rank, board.size(), host_name()}),
      board_(board),
      spins_(spins_before_sleep(board.size())) {}

void SharedTeam::wait(Bell& bell, const std::function<bool()>& done, const std::function<bool()>& lost) {
  for (int i = 0; i < spins_; ++i) {
    if (done()) return;
    pause_core();
  }
  while (true) {
    const std::uint32_t seen = bell.count();
    // In this order: what a rank did before it was lost is done.
    const bool in_vain = board_.is_broken() || lost();
    if (done()) return;
    if (in_vain) board_.throw_loss(host());
    bell.sleep(seen);
  }
}

void SharedTeam::do_check_others() {
  if (board_.is_broken()) board_.throw_loss(host());
}

void SharedTeam::do_barrier() {
  Bell& bell = board_.barrier_bell();
  const std::uint32_t before = bell.count();
  if (board_.arrive()) return;
  const auto one_has_returned = [&] {
    for (int other = 0; other < size(); ++other)
      if (board_.state(other) == Board::State::returned) return true;
    return false;
  };
  wait(
      bell, [&] { return bell.count() != before; }, one_has_returned);
}

void SharedTeam::round(Operation operation, std::size_t total, std::span<const std::byte> mine, const Read& read) {
  Board::Slot& slot = board_.slot(rank(), parity_);
  slot.operation = static_cast<std::uint64_t>(operation);
  slot.total = total;
  std::copy(mine.begin(), mine.end(), slot.bytes.begin());
  do_barrier();
  check_same_operation();
  for (int other = 0; other < size(); ++other) read(other, board_.slot(other, parity_).bytes);
  // The next round takes the other slot, and its barrier holds those who would take this one again.
  parity_ = 1 - parity_;
}

void SharedTeam::check_same_operation() {
  const Board::Slot& own = board_.slot(rank(), parity_);
  for (int other = 0; other < size(); ++other) {
    const Board::Slot& slot = board_.slot(other, parity_);
    if (slot.operation != own.operation || slot.total != own.total)
      throw std::logic_error("ranks " + std::to_string(rank()) + " and " + std::to_string(other) +
                             " call different collective functions, or with different numbers of bytes");
  }
}

void SharedTeam::do_broadcast(std::span<std::byte> bytes) {
  for (std::size_t offset = 0; offset < bytes.size() || offset == 0; offset += Board::Slot::capacity) {
    const auto piece = piece_of(bytes, offset);
    const auto read = [&](int other, std::span<const std::byte> sent) {
      if (other == 0 && !is_first()) std::copy_n(sent.begin(), piece.size(), piece.begin());
    };
    round(Operation::broadcast, bytes.size(), is_first() ? piece : std::span<std::byte>(), read);
  }
}

void SharedTeam::do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  for (std::size_t offset = 0; offset < mine.size() || offset == 0; offset += Board::Slot::capacity) {
    const auto piece = piece_of(mine, offset);
    const auto read = [&](int other, std::span<const std::byte> sent) {
      const auto place = all.subspan(static_cast<std::size_t>(other) * mine.size() + offset, piece.size());
      std::copy_n(sent.begin(), piece.size(), place.begin());
    };
    round(Operation::all_gather, mine.size(), piece, read);
  }
}

std::vector<Bytes> SharedTeam::do_gather(std::span<const std::byte> mine) {
  const std::vector<std::size_t> sizes = all_gather(mine.size());
  std::vector<Bytes> result;
  if (is_first())
    for (const std::size_t size : sizes) result.emplace_back(size);
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  for (std::size_t offset = 0; offset < longest; offset += Board::Slot::capacity) {
    const auto read = [&](int other, std::span<const std::byte> sent) {
      if (!is_first()) return;
      const auto place = piece_of(std::span(result[static_cast<std::size_t>(other)]), offset);
      std::copy_n(sent.begin(), place.size(), place.begin());
    };
    round(Operation::gather, longest, piece_of(mine, offset), read);
  }
  return result;
}

void SharedTeam::do_exchange(std::span<const Message> messages) {
  std::vector<Transfer> transfers;
  for (const Message& message : messages)
    transfers.emplace_back(message, board_.ring(rank(), message.rank), board_.ring(message.rank, rank()));
  const auto move = [&] {
    bool moved = false;
    for (Transfer& transfer : transfers) {
      if (transfer.is_done() || !transfer.proceed()) continue;
      moved = true;
      board_.bell(transfer.rank()).ring();
    }
    std::erase_if(transfers, [](const Transfer& transfer) { return transfer.is_done(); });
    return moved || transfers.empty();
  };
  const auto partner_has_returned = [&] {
    return std::any_of(transfers.begin(), transfers.end(), [&](const Transfer& transfer) {
      return board_.state(transfer.rank()) == Board::State::returned;
    });
  };
  while (!transfers.empty()) wait(board_.bell(rank()), move, partner_has_returned);
}

}  // namespace galerna::parallel
