#include "base/phases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "base/interruption.hpp"
#include "base/parallel.hpp"

namespace galerna {
namespace {

bool has_ended(const std::string& doing) {
  const std::vector<PastPhase> past = past_phases();
  return std::any_of(past.begin(), past.end(), [&](const PastPhase& phase) { return phase.doing == doing; });
}

TEST(Phases, AreSeenWhileTheyLast) {
  EXPECT_FALSE(present_phase());
  {
    Phase outer("outer work");
    EXPECT_EQ(present_phase()->doing, "outer work");
    EXPECT_FALSE(present_phase()->share);
    outer.did(0.25);
    EXPECT_EQ(present_phase()->share, 0.25);
    EXPECT_TRUE(present_phase()->left);
    {
      const Phase inner("inner work");
      EXPECT_EQ(present_phase()->doing, "inner work");
      EXPECT_FALSE(present_phase()->share);
    }
    EXPECT_EQ(present_phase()->doing, "outer work");
  }
  EXPECT_FALSE(present_phase());
  EXPECT_TRUE(has_ended("outer work"));
  EXPECT_FALSE(has_ended("inner work"));  // it is a part of the other one
}

TEST(Phases, OfOneNameAreOne) {
  const auto count = [] {
    const std::vector<PastPhase> past = past_phases();
    return std::count_if(past.begin(), past.end(), [](const PastPhase& phase) { return phase.doing == "the same"; });
  };
  { const Phase phase("the same"); }
  { const Phase phase("the same"); }
  EXPECT_EQ(count(), 1);
}

TEST(Phases, TellTheMostMemoryUntilTheirEnd) {
  constexpr std::size_t bytes = std::size_t{1} << 26;
  {
    const Phase phase("taking memory");
    const std::vector<char> taken(bytes, 1);
    ASSERT_EQ(taken.back(), 1);
  }
  const std::vector<PastPhase> past = past_phases();
  EXPECT_GE(past.back().memory, static_cast<std::int64_t>(bytes));
}

TEST(Phases, KnowHowFarTheirLoopIs) {
  const Phase phase("a loop");
  std::vector<double> shares;
  setenv("OMP_NUM_THREADS", "1", 1);
  in_parallel(4, 1, [&](std::int64_t, std::int64_t) { shares.push_back(present_phase()->share.value()); });
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(shares, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_FALSE(present_phase()->share);
}

TEST(Phases, AreKnownWhenTheyFail) {
  const auto fail_in = [](const char* outer, const char* inner) {
    try {
      const Phase whole(outer);
      const Phase part(inner);
      throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
    }
    return failed_phase();
  };
  EXPECT_EQ(fail_in("first", "first part"), "first part");
  { const Phase phase("well"); }
  EXPECT_EQ(fail_in("second", "second part"), "second part");
}

TEST(Phases, DoNotBeginWhereTheProgramIsToStop) {
  on_interruption([] { return true; });
  const Interruptible work("working");
  EXPECT_THROW(Phase("more"), Interruption);
  on_interruption({});
  EXPECT_FALSE(present_phase());
}

}  // namespace
}  // namespace galerna
