// What mpirun starts for tests/parallel/mpi_team_test.cpp: ranks that do what the first word says.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "parallel/conversations.hpp"
#include "parallel/mpi_team.hpp"

namespace galerna::parallel::tests {
namespace {

using namespace std::chrono_literals;

/// More than goes through one call of MPI.
void talk_at_length(Team& team) {
  constexpr std::size_t many = 5'000'000;
  std::vector<std::int64_t> numbers(many, team.rank());
  for (std::size_t i = 0; i < many; ++i) numbers[i] += static_cast<std::int64_t>(3 * i);
  std::vector<std::int64_t> all(many * static_cast<std::size_t>(team.size()));
  team.all_gather_bytes(std::as_bytes(std::span(numbers)), std::as_writable_bytes(std::span(all)));
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != static_cast<std::int64_t>(i / many + 3 * (i % many))) require(false, "numbers of all");
  team.broadcast(numbers);
  for (std::size_t i = 0; i < many; ++i)
    if (numbers[i] != static_cast<std::int64_t>(3 * i)) require(false, "numbers of the first");
}

int talk(Team& team) {
  for (const Conversation& conversation : conversations()) conversation.hold(team);
  talk_at_length(team);
  if (team.is_first()) std::printf("%d ranks talked\n", team.size());
  return 0;
}

int return_by_rank(Team& team) {
  return team.rank() == 1 ? 130 : 0;
}

int fail_on_the_last(Team& team) {
  if (team.rank() == team.size() - 1) throw InputError({"case.toml", 7, 0}, "no such thing");
  const std::vector<Bytes> sent(static_cast<std::size_t>(team.size()), Bytes(1'000'000));
  std::vector<Bytes> received = sent;
  std::vector<Message> messages;
  for (int other = 0; other < team.size(); ++other)
    messages.push_back({other, sent[static_cast<std::size_t>(other)], received[static_cast<std::size_t>(other)]});
  team.exchange(messages);
  return 0;
}

int fail_on_all(Team& team) {
  team.only_first([] { throw SystemError("disk full"); });
  return 0;
}

int fail_unheard(Team& team) {
  if (team.rank() == 1) throw SystemError("broken");
  std::this_thread::sleep_for(1h);
  return 0;
}

int fail_beside_a_loop(Team& team) {
  if (team.rank() == 1) throw SystemError("broken");
  while (true) team.check_others();
}

int die(Team& team) {
  if (team.rank() == 1) std::terminate();
  team.barrier();
  return 0;
}

int run(const std::string& what, const std::string& module) {
  const std::map<std::string, int (*)(Team&)> bodies{{"talk", talk},
                                                     {"return", return_by_rank},
                                                     {"fail-last", fail_on_the_last},
                                                     {"fail-all", fail_on_all},
                                                     {"fail-unheard", fail_unheard},
                                                     {"die", die},
                                                     {"fail-beside-a-loop", fail_beside_a_loop}};
  MpiOptions options;
  options.module = module;
  options.grace = 300ms;
  return run_under_mpi(find_launch(environment), bodies.at(what), options);
}

}  // namespace
}  // namespace galerna::parallel::tests

int main(int, char** words) {
  try {
    return galerna::parallel::tests::run(words[1], words[2]);
  } catch (const galerna::Error& error) {
    std::printf("%s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::printf("unexpected: %s\n", error.what());
    return 99;
  }
}
