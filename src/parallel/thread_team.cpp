#include "parallel/thread_team.hpp"

#include <exception>
#include <thread>
#include <vector>

#include "parallel/shared_team.hpp"

namespace galerna::parallel {

void run_as_threads(int size, const std::function<void(Team&)>& body) {
  Board board(size);
  std::vector<std::exception_ptr> exceptions(static_cast<std::size_t>(size));
  const auto run = [&](int rank) {
    try {
      SharedTeam team(board, rank);
      body(team);
      board.finish(rank, 0);
    } catch (...) {
      exceptions[static_cast<std::size_t>(rank)] = std::current_exception();
      board.fail(rank, describe(std::current_exception()));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) threads.emplace_back(run, rank);
  }
  if (board.first_to_fail() >= 0) std::rethrow_exception(exceptions[static_cast<std::size_t>(board.first_to_fail())]);
}

}  // namespace galerna::parallel
