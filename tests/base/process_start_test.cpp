#include "base/process_start.hpp"

#include <gtest/gtest.h>

namespace galerna::tests {
namespace {

TEST(ProcessStart, LiesAShortTimeBackAndStays) {
  const auto now = std::chrono::steady_clock::now(), start = process_start();
  EXPECT_LE(start, now);
  EXPECT_LT(now - start, std::chrono::seconds(60));
  EXPECT_EQ(process_start(), start);
}

}  // namespace
}  // namespace galerna::tests
