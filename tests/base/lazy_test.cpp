#include "base/lazy.hpp"

#include <gtest/gtest.h>

namespace galerna::tests {
namespace {

TEST(Lazy, IsMadeOnceAndOnlyIfItIsAskedFor) {
  int made = 0;
  const Lazy<int> number([&] { return ++made; });
  EXPECT_EQ(made, 0);
  EXPECT_EQ(number(), 1);
  EXPECT_EQ(number(), 1);
  EXPECT_EQ(&number(), &number());
}

}  // namespace
}  // namespace galerna::tests
