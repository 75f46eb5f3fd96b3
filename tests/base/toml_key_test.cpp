#include "base/toml_key.hpp"

#include <gtest/gtest.h>

namespace galerna::tests {
namespace {

TEST(TomlKey, HasQuotesWhereTomlNeedsThem) {
  EXPECT_EQ(toml_key("wall_2-a"), "wall_2-a");
  EXPECT_EQ(toml_key("the wall"), "\"the wall\"");
  EXPECT_EQ(toml_key("wing/top"), "\"wing/top\"");
  EXPECT_EQ(toml_key("a.b"), "\"a.b\"");
  EXPECT_EQ(toml_key("Flügel"), "\"Flügel\"");
  EXPECT_EQ(toml_key("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
  EXPECT_EQ(toml_key(""), "\"\"");
}

TEST(TomlString, EscapesWhatTomlDoesNotTake) {
  EXPECT_EQ(toml_string("wing's.step"), "\"wing's.step\"");
  EXPECT_EQ(toml_string("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
  EXPECT_EQ(toml_string("a\nb"), "\"a\\nb\"");
}

}  // namespace
}  // namespace galerna::tests
