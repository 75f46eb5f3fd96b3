/// \file
/// Opening a GPU beside other work.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "device/device.hpp"

namespace galerna::device {

/// A GPU that opens on a thread of its own, which takes 0.2 s, and stays open. Whoever needs it opens it by
/// open_device(), which takes no time then, and says what is wrong; nothing is thrown here.
class EarlyDevice {
 public:
  /// \param name of open_device(); a CPU's is left alone
  explicit EarlyDevice(const std::string& name);

 private:
  std::future<std::unique_ptr<Device>> device_;
};

}  // namespace galerna::device
