#include "device/counting.hpp"

#include <gtest/gtest.h>

#include "device/program.hpp"

namespace galerna::tests {
namespace {

using device::CountingDevice;

constexpr device::Traits gpu{device::Kind::cuda, device::cuda_lanes, device::cuda_lanes, true};

TEST(CountingDevice, AddsUpWhatIsHeldByPurposeTheLargestFirst) {
  CountingDevice device(gpu);
  const auto small = device.allocate(10, "tables"), one = device.allocate(600, "states"),
             other = device.allocate(500, "states"), middle = device.allocate(1000, "traces");
  const device::MemoryPlan plan = device.plan();
  ASSERT_EQ(plan.arrays.size(), 3u);
  EXPECT_EQ(plan.arrays[0].purpose, "states");
  EXPECT_EQ(plan.arrays[0].bytes, 1100u);
  EXPECT_EQ(plan.arrays[1].purpose, "traces");
  EXPECT_EQ(plan.arrays[2].purpose, "tables");
  EXPECT_EQ(plan.held(), 2110u);
  EXPECT_EQ(plan.held(), device.memory_used());
  EXPECT_EQ(plan.temporary, 0u);
}

TEST(CountingDevice, ReadsNothingToNowhere) {
  CountingDevice device(gpu);
  const auto none = device.allocate(0, "differences");
  device.read(nullptr, *none, 0, 0);  // std::memset() must not get null: the sanitizer says so
}

TEST(CountingDevice, KnowsTheWorstTime) {
  CountingDevice device(gpu);
  auto states = device.allocate(100, "states");
  device.allocate(70, "formulas");  // gone at once
  device.allocate(40, "formulas");
  const auto traces = device.allocate(20, "traces");
  const device::MemoryPlan plan = device.plan();
  EXPECT_EQ(plan.held(), 120u);
  EXPECT_EQ(plan.temporary, 50u);
  EXPECT_EQ(plan.peak(), 170u);
  EXPECT_EQ(plan.arrays.size(), 2u);
  states.reset();
  EXPECT_EQ(device.memory_used(), 20u);
}

TEST(CountingDevice, HasTheTraitsOfTheOneThatItStandsFor) {
  const device::Traits cpu{device::Kind::host, 4, 8, false};
  const device::Traits found = device::traits_of(CountingDevice(cpu));
  EXPECT_EQ(found.kind, device::Kind::host);
  EXPECT_EQ(found.double_lanes, 4);
  EXPECT_EQ(found.single_lanes, 8);
  EXPECT_FALSE(found.matrix_units);
  EXPECT_TRUE(device::traits_of(CountingDevice(gpu)).matrix_units);
}

TEST(CountingDevice, StoresCompilesAndRunsNothing) {
  CountingDevice device(gpu);
  EXPECT_FALSE(device.stores());
  const std::size_t far_too_much = std::size_t{1} << 50;
  const auto memory = device.allocate(far_too_much, "states");
  double number = 3;
  device.write(*memory, &number, sizeof number, 0);
  device.read(&number, *memory, sizeof number, 0);
  EXPECT_EQ(number, 0);
  device::ProgramSource source;
  source.text = "no C++ at all";
  const auto program = device.load(source);
  const auto kernel = device.kernel(*program, "residual");
  EXPECT_EQ(kernel->name(), "residual");
  int recorded = 0;
  const auto graph = device.record([&] { ++recorded; }, nullptr);
  device.launch(*graph);
  device.launch(*kernel, {128}, &number, sizeof number);
  EXPECT_EQ(recorded, 1);
  EXPECT_EQ(device.time([&] { ++recorded; }), 0);
  EXPECT_EQ(recorded, 2);
}

}  // namespace
}  // namespace galerna::tests
