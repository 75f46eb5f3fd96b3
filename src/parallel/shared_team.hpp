/// \file
/// A rank of one host that talks to the others through shared memory; thread_team.hpp and process_team.hpp make them.
#pragma once

#include <functional>

#include "parallel/board.hpp"
#include "parallel/team.hpp"

namespace galerna::parallel {

class SharedTeam : public Team {
 public:
  SharedTeam(Board& board, int rank);

 protected:
  void do_barrier() override;
  void do_broadcast(std::span<std::byte> bytes) override;
  void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  std::vector<Bytes> do_gather(std::span<const std::byte> mine) override;
  void do_exchange(std::span<const Message> messages) override;
  void do_check_others() override;

 private:
  enum class Operation : std::uint64_t { broadcast = 1, all_gather, gather };

  /// Offers `mine` to all, waits for all of them, and calls read(rank, its piece).
  using Read = std::function<void(int, std::span<const std::byte>)>;
  void round(Operation operation, std::size_t total, std::span<const std::byte> mine, const Read& read);
  void check_same_operation();
  /// Waits until done() holds, asked again whenever the bell rang. \throws RankLost if lost() holds before
  void wait(Bell& bell, const std::function<bool()>& done, const std::function<bool()>& lost);

  Board& board_;
  int spins_;
  int parity_ = 0;  ///< of rounds: a slot is written while slower ranks still read the other one
};

}  // namespace galerna::parallel
