/// \file
/// The CPU as a device: threads over blocks of elements, SIMD lanes within a block.
#pragma once

#include <functional>
#include <memory>

#include "device/device.hpp"

namespace galerna::device {

std::unique_ptr<Device> open_host_device();

/// Puts a call of the host among those of the graph that is being recorded, where graphs are lists of calls; does
/// nothing on other devices.
void record_host_call(Device& device, const std::function<void()>& call);
DeviceInfo host_device_info();

}  // namespace galerna::device
