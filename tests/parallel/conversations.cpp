#include "parallel/conversations.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

#include "base/interruption.hpp"

namespace galerna::parallel::tests {
namespace {

/// A byte that says where it comes from, which message it belongs to and where it stands there.
std::byte pattern(int from, int to, std::size_t position) {
  return static_cast<std::byte>(
      (from * 31 + to * 7 + static_cast<int>(position % 251) + static_cast<int>(position >> 12)) & 0xff);
}

Bytes message(int from, int to, std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = pattern(from, to, i);
  return bytes;
}

void know_their_places(Team& team) {
  require(team.host_size() == team.size(), "size");
  const std::vector<int> ranks = team.all_gather(team.rank());
  for (int i = 0; i < team.size(); ++i) require(ranks[static_cast<std::size_t>(i)] == i, "ranks are 0, 1, …");
  require(team.host_rank() == team.rank() && team.host() == host_name(), "all are on this host");
  require(team.is_first() == (team.rank() == 0), "first");
}

void barriers_hold_them_together(Team& team) {
  std::vector<int> counts;
  for (int i = 0; i < 300; ++i) {
    team.barrier();
    if (i % 100 == 0) counts = team.all_gather(i);
  }
  for (const int count : counts) require(count == 200, "nobody is ahead");
}

void hear_what_the_first_says(Team& team) {
  for (const std::size_t size : {0u, 1u, 65536u, 65537u, 1000000u}) {
    Bytes bytes = message(team.rank(), 5, size);
    team.broadcast_bytes(bytes);
    require(bytes == message(0, 5, size), "bytes of rank 0");
  }
  std::string text = team.is_first() ? "Grüße" : "something longer that is lost";
  team.broadcast(text);
  require(text == "Grüße", "text of rank 0");
  std::vector<double> numbers(team.is_first() ? 3 : 0, 0.1);
  team.broadcast(numbers);
  require(numbers == std::vector<double>(3, 0.1), "numbers of rank 0");
  std::array<int, 2> pair{team.rank() + 1, 2};
  team.broadcast(pair);
  require(pair == std::array<int, 2>{1, 2}, "pair of rank 0");
}

void gather_from_all(Team& team) {
  for (const std::size_t each : {0u, 1u, 1000u, 200000u}) {
    Bytes all(each * static_cast<std::size_t>(team.size())), expected;
    for (int from = 0; from < team.size(); ++from) {
      const Bytes part = message(from, 0, each);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    team.all_gather_bytes(message(team.rank(), 0, each), all);
    require(all == expected, "parts in order");
  }
}

void gather_different_sizes_at_the_first(Team& team) {
  const auto size_of = [](int rank) { return static_cast<std::size_t>(rank % 3 == 1 ? 0 : 70000 * rank + 3); };
  const std::vector<Bytes> parts = team.gather_bytes(message(team.rank(), 1, size_of(team.rank())));
  require(parts.size() == (team.is_first() ? static_cast<std::size_t>(team.size()) : 0), "at the first only");
  for (std::size_t from = 0; from < parts.size(); ++from)
    require(parts[from] == message(static_cast<int>(from), 1, size_of(static_cast<int>(from))), "part");
  const auto numbers = team.gather(std::vector<double>(static_cast<std::size_t>(team.rank()), 0.5));
  for (std::size_t from = 0; from < numbers.size(); ++from)
    require(numbers[from] == std::vector<double>(from, 0.5), "numbers");
}

void scatter_what_the_first_has(Team& team) {
  std::vector<std::vector<int>> parts(team.is_first() ? static_cast<std::size_t>(team.size()) : 0);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].assign(30000 * i, static_cast<int>(i));
  const auto rank = static_cast<std::size_t>(team.rank());
  require(team.scatter(parts) == std::vector<int>(30000 * rank, team.rank()), "own part");
}

/// Bytes from one rank to another: none, few, or more than any buffer holds.
std::size_t message_size(int from, int to) {
  const std::array<std::size_t, 5> sizes{0, 1, 777, 65536, 200001};
  return from == 0 && to == 1 ? 5000000 : sizes[static_cast<std::size_t>((3 * from + to) % 5)];
}

void exchange_with_all_others_at_once(Team& team) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::vector<Bytes> sent, received;
    for (int other = 0; other < team.size(); ++other) {
      sent.push_back(message(team.rank(), other, message_size(team.rank(), other)));
      received.emplace_back(message_size(other, team.rank()));
    }
    std::vector<Message> messages;
    for (int other = team.size() - 1; other >= 0; --other) {
      const auto i = static_cast<std::size_t>(other);
      messages.push_back({other, sent[i], received[i]});
    }
    team.exchange(messages);
    for (int other = 0; other < team.size(); ++other)
      require(
          received[static_cast<std::size_t>(other)] == message(other, team.rank(), message_size(other, team.rank())),
          "what was sent");
  }
}

void exchange_with_neighbours_only(Team& team) {
  // Along a line, where the ends have one neighbour; no rank waits for all.
  for (int step = 0; step < 100; ++step) {
    std::vector<std::array<int, 2>> sent(2, {team.rank(), step}), received(2, {-1, -1});
    std::vector<Message> messages;
    for (const int side : {0, 1}) {
      const int other = team.rank() + 2 * side - 1;
      if (other < 0 || other >= team.size()) continue;
      const auto i = static_cast<std::size_t>(side);
      messages.push_back({other, std::as_bytes(std::span(sent[i])), std::as_writable_bytes(std::span(received[i]))});
    }
    team.exchange(messages);
    for (const Message& one : messages) {
      std::array<int, 2> value{};
      std::memcpy(value.data(), one.receive.data(), sizeof value);
      require(value == std::array<int, 2>{one.rank, step}, "the neighbour's step");
    }
  }
}

void give_each_other_lists_of_unknown_lengths(Team& team) {
  std::vector<std::vector<int>> sent(static_cast<std::size_t>(team.size()));
  for (int to = 0; to < team.size(); ++to)
    sent[static_cast<std::size_t>(to)].assign(static_cast<std::size_t>((team.rank() * to) % 4 * 9000),
                                              10 * team.rank() + to);
  const auto received = team.all_to_all(sent);
  for (int from = 0; from < team.size(); ++from)
    require(received[static_cast<std::size_t>(from)] ==
                std::vector<int>(static_cast<std::size_t>((from * team.rank()) % 4 * 9000), 10 * from + team.rank()),
            "the list of each");
  const auto list_of = [](int rank) { return std::vector<int>(static_cast<std::size_t>(rank % 3 * 9000), rank); };
  const auto lists = team.all_gather(list_of(team.rank()));
  require(static_cast<int>(lists.size()) == team.size(), "a list of each rank");
  for (int from = 0; from < team.size(); ++from)
    require(lists[static_cast<std::size_t>(from)] == list_of(from), "its list");
}

void find_extremes_and_sums(Team& team) {
  const int last = team.size() - 1;
  require(team.minimum(1.5 - team.rank()) == 1.5 - last, "minimum");
  require(team.maximum(std::int64_t{1} << team.rank()) == std::int64_t{1} << last, "maximum");
  require(team.sum(team.rank()) == last * team.size() / 2, "sum");
  require(std::isnan(team.minimum(team.rank() == last ? std::nan("") : 1.0)), "NaN is the least");
  require(std::isnan(team.maximum(team.rank() == 0 ? std::nan("") : 1.0)), "NaN is the greatest");
  std::vector<std::int64_t> numbers{1, team.rank(), std::numeric_limits<int>::max()};
  team.sum(std::span(numbers));
  require(numbers == std::vector<std::int64_t>{team.size(), last * team.size() / 2,
                                               std::int64_t{team.size()} * std::numeric_limits<int>::max()},
          "sums");
  require(team.any(team.rank() == last) && !team.any(false), "any");
  require(team.all(true) && team.all(team.rank() == 0) == (team.size() == 1), "all");
  require(team.all_equal(std::string("same")) && team.all_equal(std::vector<int>{1, 2}), "equal");
  require(team.all_equal(team.rank()) == (team.size() == 1), "not equal");
  require(team.all_equal(std::vector<int>(static_cast<std::size_t>(team.rank()))) == (team.size() == 1), "not as long");
}

/// Whether all ranks catch an exception of this type with this message.
template <class Exception>
void require_thrown(const std::function<void()>& action, const std::string& message) {
  try {
    action();
  } catch (const Exception& exception) {
    return require(exception.what() == message, std::string(exception.what()) + " is " + message);
  }
  require(false, "something was thrown");
}

void throw_what_the_first_throws(Team& team) {
  const auto thrower = [&](auto exception) {
    return [&team, exception] {
      team.only_first([&] {
        require(team.is_first(), "on rank 0 alone");
        throw exception;
      });
    };
  };
  const InputError input({{{"case.toml", 3, 4}, "no such key"}, {{"mesh.msh", 0, 0}, "empty"}});
  require_thrown<InputError>(thrower(input), input.what());
  try {
    thrower(input)();
  } catch (const InputError& error) {
    require(error.code() == ExitCode::wrong_input && error.problems().size() == 2, "problems");
    require(error.problems()[0].place.line == 3 && error.problems()[0].place.column == 4, "place");
  }
  require_thrown<Interruption>(thrower(Interruption("stopped")), "stopped");
  require_thrown<SystemError>(thrower(SystemError("disk full")), "disk full");
  require_thrown<Error>(thrower(Error(ExitCode::simulation_failed, "diverged")), "diverged");
  require_thrown<std::bad_alloc>(thrower(std::bad_alloc()), std::bad_alloc().what());
  require_thrown<std::runtime_error>(thrower(std::runtime_error("odd")), "odd");
  bool called = false;
  team.only_first([&] { called = true; });
  require(called == team.is_first(), "goes on as before");
}

void throw_together_what_the_first_of_them_threw(Team& team) {
  const int thrower = team.size() / 2;
  const std::string name = team.size() == 1 ? "" : rank_name(thrower, team.host()) + ": ";
  const auto fail = [&] {
    team.together([&] {
      if (team.rank() == thrower || team.rank() == team.size() - 1)
        throw SystemError("rank " + std::to_string(team.rank()) + " broke");
    });
  };
  require_thrown<SystemError>(fail, name + "rank " + std::to_string(thrower) + " broke");
  const auto misread = [&] {
    team.together([&] {
      if (team.rank() == thrower) throw InputError({"a.toml", 1, 2}, "wrong");
    });
  };
  require_thrown<InputError>(misread, "a.toml:1:2: error: " + name + "wrong");
  const auto run_out = [&] {
    team.together([&] {
      if (team.rank() == thrower) throw std::bad_alloc();
    });
  };
  if (team.size() > 1)
    require_thrown<SystemError>(run_out, name + "out of host memory");
  else
    require_thrown<std::bad_alloc>(run_out, std::bad_alloc().what());
  int calls = 0;
  team.together([&] { ++calls; });
  require(team.sum(calls) == team.size(), "goes on as before");
}

}  // namespace

const std::vector<Conversation>& conversations() {
  static const std::vector<Conversation> all{
      {"KnowTheirPlaces", know_their_places},
      {"BarriersHoldThemTogether", barriers_hold_them_together},
      {"HearWhatTheFirstSays", hear_what_the_first_says},
      {"GatherFromAll", gather_from_all},
      {"GatherDifferentSizesAtTheFirst", gather_different_sizes_at_the_first},
      {"ScatterWhatTheFirstHas", scatter_what_the_first_has},
      {"ExchangeWithAllOthersAtOnce", exchange_with_all_others_at_once},
      {"ExchangeWithNeighboursOnly", exchange_with_neighbours_only},
      {"GiveEachOtherListsOfUnknownLengths", give_each_other_lists_of_unknown_lengths},
      {"FindExtremesAndSums", find_extremes_and_sums},
      {"ThrowWhatTheFirstThrows", throw_what_the_first_throws},
      {"ThrowTogetherWhatTheFirstOfThemThrew", throw_together_what_the_first_of_them_threw}};
  return all;
}

}  // namespace galerna::parallel::tests
