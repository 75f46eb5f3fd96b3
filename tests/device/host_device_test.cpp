// The CPU as a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "device/device.hpp"

namespace galerna::tests {
namespace {

/// An empty vector may have the address null, which std::memcpy() must not get: the sanitizer says so.
TEST(HostDevice, CopiesNothingFromAndToNowhere) {
  const auto device = device::open_device("cpu");
  const auto memory = device->allocate(8, "test");
  device->write(*memory, nullptr, 0);
  device->read(nullptr, *memory, 0);
  const std::vector<double> one = {1.5};
  std::vector<double> found(1);
  device->write(*memory, one.data(), sizeof(double));
  device->read(found.data(), *memory, sizeof(double));
  EXPECT_EQ(found, one);
}

/// On all cores.
TEST(HostDevice, ClearsLargeArraysToTheirEnds) {
  const auto device = device::open_device("cpu");
  std::vector<char> ones((std::size_t{1} << 26) + 12345, 1);
  const auto memory = device->allocate(ones.size(), "test");
  device->write(*memory, ones.data(), ones.size());
  device->clear(*memory);
  device->read(ones.data(), *memory, ones.size());
  EXPECT_EQ(std::count(ones.begin(), ones.end(), 0), static_cast<std::ptrdiff_t>(ones.size()));
}

}  // namespace
}  // namespace galerna::tests
