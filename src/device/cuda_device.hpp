/// \file
/// NVIDIA GPUs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace galerna::device {

/// \throws SystemError when GPU number `number` is not there.
std::unique_ptr<Device> open_cuda_device(int number);
std::vector<DeviceInfo> cuda_device_infos();
/// Of a device that open_cuda_device() gave: "sm_90".
std::string architecture_of(const Device& device);

/// Memory of the host that a GPU copies to and from without help; null where there is none to be had.
void* allocate_pinned(std::size_t bytes);
void free_pinned(void* memory);

}  // namespace galerna::device
