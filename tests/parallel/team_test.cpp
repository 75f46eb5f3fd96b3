#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "parallel/alone.hpp"
#include "parallel/conversations.hpp"
#include "parallel/process_team.hpp"
#include "parallel/thread_team.hpp"

namespace galerna::parallel::tests {
namespace {

enum class Kind { threads, processes };

/// Calls body on that many ranks.
void run(Kind kind, int size, const std::function<void(Team&)>& body) {
  if (kind == Kind::threads) return run_as_threads(size, body);
  run_as_processes(size, [&](Team& team) {
    body(team);
    return 0;
  });
}

class Ranks : public ::testing::TestWithParam<std::tuple<Kind, int, std::size_t>> {};

TEST_P(Ranks, Talk) {
  const auto& [kind, size, number] = GetParam();
  run(kind, size, [size = size, hold = conversations().at(number).hold](Team& team) {
    require(team.size() == size, "there are as many ranks as asked for");
    hold(team);
  });
}

std::string ranks_name(const ::testing::TestParamInfo<Ranks::ParamType>& info) {
  const auto& [kind, size, number] = info.param;
  return (kind == Kind::threads ? "Threads" : "Processes") + std::to_string(size) + "_" + conversations()[number].name;
}

INSTANTIATE_TEST_SUITE_P(Teams, Ranks,
                         ::testing::Combine(::testing::Values(Kind::threads, Kind::processes),
                                            ::testing::Values(1, 2, 3, 7),
                                            ::testing::Range<std::size_t>(0, conversations().size())),
                         ranks_name);

TEST(Alone, DoesAllWithoutOthers) {
  Alone team;
  EXPECT_EQ(team.size(), 1);
  EXPECT_EQ(team.host(), host_name());
  team.barrier();
  int value = 3;
  team.broadcast(value);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(team.all_gather(4), std::vector<int>{4});
  EXPECT_EQ(team.gather(std::vector<int>{1, 2}), (std::vector<std::vector<int>>{{1, 2}}));
  EXPECT_EQ(team.scatter(std::vector<std::vector<int>>{{5}}), std::vector<int>{5});
  EXPECT_EQ(team.all_to_all(std::vector<std::vector<int>>{{6, 7}}), (std::vector<std::vector<int>>{{6, 7}}));
  EXPECT_EQ(team.sum(8), 8);
  EXPECT_TRUE(team.all_equal(std::string("a")));
  EXPECT_THROW(team.together([] { throw SystemError("plain"); }), SystemError);
  EXPECT_THROW(team.only_first([] { throw InputError({}, "plain"); }), InputError);
}

TEST(Team, RefusesToTalkInABodyOfOneRank) {
  EXPECT_THROW(run_as_threads(2, [](Team& team) { team.only_first([&] { team.barrier(); }); }), std::exception);
  EXPECT_THROW(run_as_threads(2, [](Team& team) { team.together([&] { team.all_gather(1); }); }), std::exception);
}

TEST(Team, NoticesThatRanksDoDifferentThings) {
  const auto at_odds = [](Team& team) {
    int value = 0;
    if (team.is_first())
      team.broadcast(value);
    else
      team.all_gather(value);
  };
  EXPECT_THROW(run_as_threads(2, at_odds), std::logic_error);
  const auto sizes = [](Team& team) {
    std::vector<int> sent(3), received(team.is_first() ? 3 : 2);
    const Message message{1 - team.rank(), std::as_bytes(std::span(sent)), std::as_writable_bytes(std::span(received))};
    team.exchange({&message, 1});
  };
  EXPECT_THROW(run_as_threads(2, sizes), std::logic_error);
  const auto nobody = [](Team& team) { team.exchange(std::vector<Message>{{team.size(), {}, {}}}); };
  EXPECT_THROW(run_as_threads(2, nobody), std::logic_error);
  const auto twice = [](Team& team) { team.exchange(std::vector<Message>(2, Message{1 - team.rank(), {}, {}})); };
  EXPECT_THROW(run_as_threads(2, twice), std::logic_error);
}

}  // namespace
}  // namespace galerna::parallel::tests
