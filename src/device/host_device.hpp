/// \file
/// The CPU as a device: threads over blocks of elements, SIMD lanes within a block.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace galerna::device {

std::unique_ptr<Device> open_host_device();
DeviceInfo host_device_info();

}  // namespace galerna::device
