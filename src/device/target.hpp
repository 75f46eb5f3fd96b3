/// \file
/// Where a program is to run.
#pragma once

#include "device/device.hpp"

namespace galerna::device {

struct Target {
  Kind kind = Kind::host;
  int lanes = 1;  ///< numbers in a SIMD pack of the host; elements in a block
  bool matrix_units = false;
};

inline Target target_of(const Device& device, Precision precision) {
  return {device.kind(), device.lanes(precision), device.matrix_units()};
}

}  // namespace galerna::device
