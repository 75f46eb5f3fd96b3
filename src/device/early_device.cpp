#include "device/early_device.hpp"

#include <exception>

namespace galerna::device {

EarlyDevice::EarlyDevice(const std::string& name) {
  if (name == "cpu") return;
  device_ = std::async(std::launch::async, [name]() -> std::unique_ptr<Device> {
    try {
      return open_device(name);
    } catch (const std::exception&) {
      return nullptr;
    }
  });
}

}  // namespace galerna::device
