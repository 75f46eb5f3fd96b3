/// \file
/// The devices that tests of the room run on: the host, and a GPU that is emulated on it.
#pragma once

#include "dg/emulated_gpu.hpp"
//
#include <gtest/gtest.h>

#include <memory>

#include "algebra/kernels.hpp"
#include "device/device.hpp"

namespace galerna::algebra {

inline std::unique_ptr<device::Device> open(device::Kind kind) {
  if (kind == device::Kind::host) return device::open_device("cpu");
  return std::make_unique<tests::EmulatedGpu>();
}

class OnDevice : public testing::TestWithParam<device::Kind> {
 protected:
  /// One for all tests: programs are compiled once.
  static Kernels& kernels() {
    static std::unique_ptr<device::Device> devices[2];
    static std::unique_ptr<Kernels> made[2];
    const auto i = static_cast<std::size_t>(GetParam());
    if (!made[i]) {
      devices[i] = open(GetParam());
      made[i] = std::make_unique<Kernels>(*devices[i]);
    }
    return *made[i];
  }
  template <class T>
  static std::unique_ptr<device::Memory> put(const std::vector<T>& numbers) {
    return upload<T>(kernels().device(), numbers, "test");
  }
  template <class T>
  static std::vector<T> get(device::Memory& memory) {
    return download<T>(kernels().device(), memory);
  }
};

inline std::string device_name(const testing::TestParamInfo<device::Kind>& info) {
  return info.param == device::Kind::host ? "Host" : "EmulatedGpu";
}

}  // namespace galerna::algebra
