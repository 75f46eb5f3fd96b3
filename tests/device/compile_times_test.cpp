#include "device/compile_times.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "folder.hpp"

namespace galerna::tests {
namespace {

using device::expected_compile_time;
using device::remember_compile_time;

TEST(QuickCompileTimes, AreThoseOfTheSameTitleThenOfTheSameKind) {
  const Folder folder;
  EXPECT_EQ(expected_compile_time(folder.path(), "cpu", "Euler 2D, solver"), std::nullopt);
  for (const double seconds : {3.0, 9.0, 4.0}) remember_compile_time(folder.path(), "cpu", "Euler 3D, solver", seconds);
  remember_compile_time(folder.path(), "cpu", "Euler 2D, formulas", 1);
  remember_compile_time(folder.path(), "sm_90", "Euler 2D, solver", 20);
  EXPECT_EQ(expected_compile_time(folder.path(), "cpu", "Euler 2D, solver"), 4) << "the median of solvers";
  remember_compile_time(folder.path(), "cpu", "Euler 2D, solver", 7);
  remember_compile_time(folder.path(), "cpu", "Euler 2D, solver", 8);
  EXPECT_EQ(expected_compile_time(folder.path(), "cpu", "Euler 2D, solver"), 8) << "the last one";
  EXPECT_EQ(expected_compile_time(folder.path(), "sm_80", "Euler 2D, solver"), std::nullopt);
}

TEST(QuickCompileTimes, IgnoreLinesThatTheyCannotRead) {
  const Folder folder;
  std::ofstream(folder.path() / "compile_times.txt") << "nonsense\n\n5 cpu\nx cpu a, b\n2.5 cpu a, b\n7 cp";
  EXPECT_EQ(expected_compile_time(folder.path(), "cpu", "a, b"), 2.5);
}

}  // namespace
}  // namespace galerna::tests
