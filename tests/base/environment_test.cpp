#include "base/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace galerna::tests {
namespace {

TEST(Environment, CountsABlankVariableAsNotSet) {
  constexpr const char* name = "GALERNA_TEST_VARIABLE";
  unsetenv(name);
  EXPECT_EQ(environment(name), "");
  for (const char* blank : {"", " ", " \t\n"}) {
    setenv(name, blank, 1);
    EXPECT_EQ(environment(name), "");
  }
  setenv(name, " a b ", 1);
  EXPECT_EQ(environment(name), " a b ");
  unsetenv(name);
}

}  // namespace
}  // namespace galerna::tests
