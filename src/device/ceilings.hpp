/// \file
/// What a device's memory and arithmetic can do at most, measured by small programs.
#pragma once

#include "device/device.hpp"

namespace galerna::device {

struct Ceilings {
  double copy_bandwidth = 0;                  ///< bytes read and written per second by a plain copy
  double double_flops = 0, single_flops = 0;  ///< fused multiply–adds count as two operations, per second
};

/// Median of several repetitions; takes about a second.
Ceilings measure_ceilings(Device& device);

}  // namespace galerna::device
