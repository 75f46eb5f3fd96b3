#include "base/error.hpp"

#include <gtest/gtest.h>

namespace galerna::tests {
namespace {

TEST(NearestName, FindsSlipsAndNothingElse) {
  const std::vector<std::string> names = {"density", "pressure", "velocity_x", "velocity_y"};
  EXPECT_EQ(nearest_name("desnity", names), "density");
  EXPECT_EQ(nearest_name("presure", names), "pressure");
  EXPECT_EQ(nearest_name("velocity", names), "velocity_x");
  EXPECT_EQ(nearest_name("temperature", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, TakesSwappedLettersForOneSlip) {
  EXPECT_EQ(nearest_name("titel", {"time", "tile", "title"}), "title");
  EXPECT_EQ(nearest_name("form", {"farm", "from"}), "from");
  EXPECT_EQ(nearest_name("ozne", {"ozone", "zone"}), "zone") << "swapped before missing";
}

TEST(NearestName, DoesNotGuess) {
  EXPECT_EQ(nearest_name("foo", {"log", "min", "x"}), "");
  EXPECT_EQ(nearest_name("q", {"x", "y", "t"}), "");
  EXPECT_EQ(nearest_name("nonsense", {"density", "energy", "entropy"}), "");
  EXPECT_EQ(nearest_name("rho", {"cos", "exp"}), "");
}

TEST(NearestName, TakesCapitalLettersForSmallOnes) {
  EXPECT_EQ(nearest_name("Density", {"density", "intensity"}), "density");
  EXPECT_EQ(nearest_name("WALL", {"hall", "wall"}), "wall");
}

TEST(ListNames, ReadsLikeASentence) {
  EXPECT_EQ(list_names({}), "");
  EXPECT_EQ(list_names({"a"}), "a");
  EXPECT_EQ(list_names({"a", "b"}), "a or b");
  EXPECT_EQ(list_names({"a", "b", "c"}), "a, b or c");
}

TEST(Problem, LooksLikeACompilersMessage) {
  EXPECT_EQ(format(Problem{{"case.toml", 12, 3}, "unknown key"}), "case.toml:12:3: error: unknown key");
  EXPECT_EQ(format(Problem{{"case.toml", 12}, "unknown key"}), "case.toml:12: error: unknown key");
  EXPECT_EQ(format(Problem{{"wing.msh"}, "truncated"}), "wing.msh: error: truncated");
  EXPECT_EQ(format(Problem{{}, "no case"}), "error: no case");
}

TEST(InputError, TellsAllProblemsAtOnce) {
  const InputError error(std::vector<Problem>{{{"a.toml", 1}, "one"}, {{"a.toml", 2}, "two"}});
  EXPECT_STREQ(error.what(), "a.toml:1: error: one\na.toml:2: error: two");
  EXPECT_EQ(error.code(), ExitCode::wrong_input);
  EXPECT_EQ(SystemError("x").code(), ExitCode::system_failure);
}

}  // namespace
}  // namespace galerna::tests
